package org.ecstore.bookstore.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.OptionalLong;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.OrderShown;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.population.TpcwNames;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** A customer's last order. */
@Controller
class OrderController {
  private final Bookstore shop;
  private final Cookies cookies;

  OrderController(Bookstore shop, Cookies cookies) {
    this.shop = shop;
    this.cookies = cookies;
  }

  /** Who is logged in has the user name filled in; it follows from the customer's number. */
  @GetMapping("/orders")
  String inquiry(HttpServletRequest request, Model model) {
    OptionalLong customer = cookies.customer(request);
    if (customer.isPresent()) {
      model.addAttribute("userName", TpcwNames.digSyl(customer.getAsLong()));
    }
    return "inquiry";
  }

  @PostMapping("/orders")
  String display(
      @RequestParam(name = "userName", defaultValue = "") String userName,
      @RequestParam(name = "password", defaultValue = "") String password,
      HttpServletResponse response,
      Model model) {
    model.addAttribute("userName", userName);
    try {
      Optional<OrderShown> last = shop.lastOrder(userName.strip(), password);
      if (last.isPresent()) {
        model.addAttribute("shownOrder", last.get());
        return "order";
      }
      model.addAttribute("error", "You have not ordered anything yet");
    } catch (ShopException e) {
      response.setStatus(HttpStatus.BAD_REQUEST.value());
      model.addAttribute("error", e.getMessage());
    }
    return "inquiry";
  }
}
