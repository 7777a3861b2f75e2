package org.ecstore.bookstore.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.ShopException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The cart. */
@Controller
class CartController {
  private static final String QUANTITY = "q-";
  private static final String CHECK_OUT = "checkout";

  private final Bookstore shop;
  private final Cookies cookies;

  CartController(Bookstore shop, Cookies cookies) {
    this.shop = shop;
    this.cookies = cookies;
  }

  @GetMapping("/cart")
  String cart(HttpServletRequest request, Model model) {
    cookies.cart(request).ifPresent(cart -> model.addAttribute("cart", shop.cart(cart)));
    return "cart";
  }

  @GetMapping("/cart/add")
  String addedBefore() {
    return "redirect:/cart";
  }

  /** A form puts one of the book into the cart, however often a browser sends it. */
  @PostMapping("/cart/add")
  String add(
      @RequestParam("item") long item,
      @RequestParam(name = "form", defaultValue = "") String form,
      HttpServletRequest request,
      HttpServletResponse response) {
    UUID cart = cookies.cart(request, response);
    if (form.isBlank()) {
      shop.changeCart(cart, OptionalLong.of(item), Map.of());
    } else {
      shop.addToCart(form, cart, item);
    }
    return "redirect:/cart";
  }

  @GetMapping("/cart/remove")
  String removedBefore() {
    return "redirect:/cart";
  }

  @PostMapping("/cart/remove")
  String remove(
      @RequestParam("item") long item, HttpServletRequest request, HttpServletResponse response) {
    shop.changeCart(cookies.cart(request, response), OptionalLong.empty(), Map.of(item, 0L));
    return "redirect:/cart";
  }

  /**
   * The button that checks out sends the quantities too, so that none that was typed is lost. What
   * cannot be is said on the cart as it is.
   */
  @PostMapping("/cart")
  String change(
      @RequestParam Map<String, String> form,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    try {
      shop.changeCart(cookies.cart(request, response), OptionalLong.empty(), quantities(form));
      return form.containsKey(CHECK_OUT) ? "redirect:/checkout/buy" : "redirect:/cart";
    } catch (ShopException e) {
      response.setStatus(HttpStatus.BAD_REQUEST.value());
      model.addAttribute("error", e.getMessage());
      model.addAttribute("typed", form);
      return cart(request, model);
    }
  }

  private static Map<Long, Long> quantities(Map<String, String> form) {
    Map<Long, Long> quantities = new HashMap<>();
    form.forEach(
        (name, value) -> {
          if (name.startsWith(QUANTITY)) {
            quantities.put(number(name.substring(QUANTITY.length())), number(value.strip()));
          }
        });
    return quantities;
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new ShopException("a quantity is a whole number, and 0 takes the book out");
    }
  }
}
