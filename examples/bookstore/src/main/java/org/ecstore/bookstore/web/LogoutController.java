package org.ecstore.bookstore.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;

/** Logs customers out. The cart stays: it says nothing of who they are. */
@Controller
class LogoutController {
  private final Cookies cookies;

  LogoutController(Cookies cookies) {
    this.cookies = cookies;
  }

  /** Says whether the browser is logged out, or has a button for it. */
  @GetMapping("/logout")
  String shown() {
    return "logout";
  }

  @PostMapping("/logout")
  String logOut(HttpServletRequest request, HttpServletResponse response) {
    cookies.logOut(request, response);
    return "redirect:/logout";
  }
}
