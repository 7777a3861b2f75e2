package org.ecstore.bookstore.web;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;

/**
 * What a browser keeps of the shop: the number of its cart, and who has logged in. No instance of
 * the shop keeps anything of a browser, so that any of them may answer.
 */
@Component
class Cookies {
  private static final String CART = "cart";
  private static final String LOGIN = Signature.LOGIN_COOKIE;
  private static final Duration CART_KEPT = Duration.ofDays(30);

  private final Signature signature;

  Cookies(ShopProperties properties) {
    this.signature = Signature.by(properties.key());
  }

  /** The cart of a browser that has one. */
  Optional<UUID> cart(HttpServletRequest request) {
    return value(request, CART).flatMap(Cookies::uuid);
  }

  /** The cart of a browser, which is told to keep a new one if it has none. */
  UUID cart(HttpServletRequest request, HttpServletResponse response) {
    return cart(request)
        .orElseGet(
            () -> {
              UUID cart = UUID.randomUUID();
              add(request, response, CART, cart.toString(), CART_KEPT);
              return cart;
            });
  }

  private static Optional<UUID> uuid(String text) {
    try {
      UUID uuid = UUID.fromString(text);
      return uuid.toString().equals(text) ? Optional.of(uuid) : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** Who has logged in, if that is not over. */
  OptionalLong customer(HttpServletRequest request) {
    return value(request, LOGIN)
        .map(text -> signature.opened(text, Instant.now()))
        .orElseGet(OptionalLong::empty);
  }

  /** A customer has logged in. */
  void logIn(
      HttpServletRequest request, HttpServletResponse response, long customer, Instant until) {
    Duration left = Duration.between(Instant.now(), until);
    add(request, response, LOGIN, signature.sealed(customer, until), left);
  }

  /** Forgets who has logged in. */
  void logOut(HttpServletRequest request, HttpServletResponse response) {
    add(request, response, LOGIN, "", Duration.ZERO);
  }

  /** By what the page of an order knows its buyer. */
  String proof(long order, long customer) {
    return signature.proof(order, customer);
  }

  /** Whether a customer has bought an order. */
  boolean proves(String proof, long order, long customer) {
    return signature.proves(proof, order, customer);
  }

  private static Optional<String> value(HttpServletRequest request, String name) {
    Cookie[] cookies = request.getCookies();
    if (cookies != null) {
      for (Cookie cookie : cookies) {
        if (cookie.getName().equals(name)) {
          return Optional.of(cookie.getValue());
        }
      }
    }
    return Optional.empty();
  }

  private static void add(
      HttpServletRequest request,
      HttpServletResponse response,
      String name,
      String value,
      Duration age) {
    ResponseCookie cookie =
        ResponseCookie.from(name, value)
            .httpOnly(true)
            .secure(request.isSecure())
            .sameSite("Lax")
            .path("/")
            .maxAge(age)
            .build();
    response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
  }
}
