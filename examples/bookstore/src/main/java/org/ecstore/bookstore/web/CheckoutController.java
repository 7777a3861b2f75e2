package org.ecstore.bookstore.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.Checkout;
import org.ecstore.bookstore.NewCustomer;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.ShipType;
import org.ecstore.bookstore.population.TpcwNames;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** From a cart to an order: who buys, what it costs, and the order's number. */
@Controller
class CheckoutController {
  private final Bookstore shop;
  private final Cookies cookies;

  CheckoutController(Bookstore shop, Cookies cookies) {
    this.shop = shop;
    this.cookies = cookies;
  }

  @GetMapping("/checkout")
  String registration(Model model) {
    model.addAttribute("typed", Map.of("form", UUID.randomUUID().toString()));
    return "registration";
  }

  /** Where a form said what was wrong, its address may be asked for once more. */
  @GetMapping({"/checkout/login", "/checkout/register"})
  String registrationAgain() {
    return "redirect:/checkout";
  }

  /** The same of the form that buys. */
  @GetMapping("/checkout/confirm")
  String buyAgain() {
    return "redirect:/checkout/buy";
  }

  @PostMapping("/checkout/login")
  String logIn(
      @RequestParam Map<String, String> form,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    try {
      UUID cart = cookies.cart(request, response);
      return loggedIn(
          shop.logIn(
              cart, form.getOrDefault("userName", "").strip(), form.getOrDefault("password", "")),
          request,
          response);
    } catch (ShopException e) {
      return again("registration", "loginError", e, form, response, model);
    }
  }

  @PostMapping("/checkout/register")
  String register(
      @RequestParam Map<String, String> form,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    try {
      UUID cart = cookies.cart(request, response);
      NewCustomer customer = new CustomerForm(form).customer();
      String number = form.getOrDefault("form", "");
      return loggedIn(
          number.isBlank() ? shop.register(cart, customer) : shop.register(number, cart, customer),
          request,
          response);
    } catch (ShopException e) {
      return again("registration", "error", e, form, response, model);
    }
  }

  private String loggedIn(
      Checkout checkout, HttpServletRequest request, HttpServletResponse response) {
    cookies.logIn(request, response, checkout.customer().id(), checkout.customer().expires());
    return "redirect:/checkout/buy";
  }

  private static String again(
      String page,
      String name,
      ShopException why,
      Map<String, String> typed,
      HttpServletResponse response,
      Model model) {
    response.setStatus(HttpStatus.BAD_REQUEST.value());
    model.addAttribute(name, why.getMessage());
    model.addAttribute("typed", typed);
    return page;
  }

  /**
   * Each time that it is shown the form has another number: it buys once, however often it is sent.
   */
  @GetMapping("/checkout/buy")
  String buyRequest(HttpServletRequest request, HttpServletResponse response, Model model) {
    OptionalLong customer = cookies.customer(request);
    if (customer.isEmpty()) {
      return "redirect:/checkout";
    }
    model.addAttribute("typed", Map.of("submission", UUID.randomUUID().toString()));
    return buyRequest(customer.getAsLong(), request, response, model);
  }

  private String buyRequest(
      long customer, HttpServletRequest request, HttpServletResponse response, Model model) {
    model.addAttribute("checkout", shop.checkout(cookies.cart(request, response), customer));
    model.addAttribute("cards", CardType.values());
    model.addAttribute("ways", ShipType.values());
    return "buy";
  }

  @PostMapping("/checkout/confirm")
  String buyConfirm(
      @RequestParam Map<String, String> form,
      HttpServletRequest request,
      HttpServletResponse response,
      Model model) {
    OptionalLong customer = cookies.customer(request);
    if (customer.isEmpty()) {
      model.addAttribute(
          "error",
          cookies.cart(request).isPresent()
              ? "You were logged out meanwhile. Log in again: your cart is kept."
              : "Your browser has forgotten the shop: begin again with an empty cart.");
      return registration(model);
    }
    UUID cart = cookies.cart(request, response);
    try {
      long order = shop.buy(new CustomerForm(form).purchase(cart, customer.getAsLong()));
      String proof = cookies.proof(order, customer.getAsLong());
      return "redirect:/order/confirmed/%d?proof=%s".formatted(order, proof);
    } catch (ShopException e) {
      String page = again("buy", "error", e, form, response, model);
      buyRequest(customer.getAsLong(), request, response, model);
      return page;
    }
  }

  @GetMapping("/order/confirmed/{order}")
  String confirmed(
      @PathVariable("order") long order,
      @RequestParam(name = "proof", defaultValue = "") String proof,
      HttpServletRequest request,
      Model model) {
    OptionalLong customer = cookies.customer(request);
    if (customer.isEmpty()) {
      return "redirect:/orders";
    }
    if (!cookies.proves(proof, order, customer.getAsLong())) {
      throw new NotThereException(
          "This is no order that you bought here. Your last one is under \"My order\".");
    }
    model.addAttribute("order", order);
    model.addAttribute("userName", TpcwNames.digSyl(customer.getAsLong()));
    return "confirmed";
  }
}
