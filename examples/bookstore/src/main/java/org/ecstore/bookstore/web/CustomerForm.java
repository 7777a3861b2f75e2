package org.ecstore.bookstore.web;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.ecstore.bookstore.NewCustomer;
import org.ecstore.bookstore.Purchase;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.ShipType;

/** What customers type, as the shop takes it; what is wrong is said to them. */
final class CustomerForm {
  private static final List<String> ADDRESS = List.of("street1", "street2", "city", "state", "zip");

  /** Stores have room for years of four digits. */
  private static final int YEAR_MIN = 1000;

  private static final int YEAR_MAX = 9999;

  private final Map<String, String> typed;

  CustomerForm(Map<String, String> typed) {
    this.typed = typed;
  }

  private String text(String name) {
    return typed.getOrDefault(name, "").strip();
  }

  private String needed(String name, String title) {
    String text = text(name);
    if (text.isEmpty()) {
      throw new ShopException(title + " is missing");
    }
    return text;
  }

  NewCustomer customer() {
    return new NewCustomer(
        needed("firstName", "Your first name"),
        needed("lastName", "Your last name"),
        address(),
        text("phone"),
        needed("email", "Your e-mail address"),
        date("born", "Your birthday"),
        text("data"));
  }

  private Address address() {
    return new Address(
        needed("street1", "The street"),
        text("street2"),
        needed("city", "The city"),
        text("state"),
        needed("zip", "The postal code"),
        country());
  }

  private int country() {
    try {
      return Integer.parseInt(text("country"));
    } catch (NumberFormatException e) {
      throw new ShopException("Choose a country of the list");
    }
  }

  private LocalDate date(String name, String title) {
    String text = needed(name, title);
    try {
      LocalDate date = LocalDate.parse(text);
      if (isYear(date.getYear())) {
        return date;
      }
    } catch (DateTimeException _) {
      // Said below.
    }
    throw new ShopException(title + " is a date as 1990-12-31");
  }

  private static boolean isYear(int year) {
    return year >= YEAR_MIN && year <= YEAR_MAX;
  }

  Purchase purchase(UUID cart, long customer) {
    return new Purchase(
        text("submission"),
        cart,
        customer,
        constant(CardType.class, "cardType", "Choose a card of the list"),
        text("cardNumber").replace(" ", ""),
        needed("cardHolder", "The name on the card"),
        cardExpires(),
        constant(ShipType.class, "shipType", "Choose a way of shipping"),
        isEmpty() ? Optional.empty() : Optional.of(address()),
        total());
  }

  /** What the page with the form said. */
  private OptionalLong total() {
    try {
      return OptionalLong.of(Long.parseLong(text("total")));
    } catch (NumberFormatException e) {
      throw new ShopException("The form does not say what it costs: begin again at the cart");
    }
  }

  /** Whether no other address is given; one that is given in part is asked for whole. */
  private boolean isEmpty() {
    return ADDRESS.stream().map(this::text).allMatch(String::isEmpty);
  }

  private LocalDate cardExpires() {
    LocalDate last = month().atEndOfMonth();
    if (last.isBefore(LocalDate.now(ZoneOffset.UTC))) {
      throw new ShopException("The card has expired: take another one");
    }
    return last;
  }

  private YearMonth month() {
    try {
      YearMonth month = YearMonth.parse(text("cardExpires"));
      if (isYear(month.getYear())) {
        return month;
      }
    } catch (DateTimeException _) {
      // Said below.
    }
    throw new ShopException("The card expires in a month as 2030-12");
  }

  private <E extends Enum<E>> E constant(Class<E> type, String name, String wrong) {
    try {
      return Enum.valueOf(type, text(name));
    } catch (IllegalArgumentException e) {
      throw new ShopException(wrong);
    }
  }
}
