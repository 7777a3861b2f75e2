package org.ecstore.bookstore.web;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.bookstore.NewCustomer;
import org.ecstore.bookstore.Purchase;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.ShipType;

/** What customers type, as the shop takes it; what is wrong is said to them. */
final class CustomerForm {
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
    try {
      return LocalDate.parse(needed(name, title));
    } catch (DateTimeException e) {
      throw new ShopException(title + " is a date as 1990-12-31");
    }
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
        text("street1").isEmpty() ? Optional.empty() : Optional.of(address()));
  }

  private LocalDate cardExpires() {
    YearMonth month;
    try {
      month = YearMonth.parse(text("cardExpires"));
    } catch (DateTimeException e) {
      throw new ShopException("The card expires in a month as 2030-12");
    }
    LocalDate last = month.atEndOfMonth();
    if (last.isBefore(LocalDate.now(ZoneOffset.UTC))) {
      throw new ShopException("The card has expired: take another one");
    }
    return last;
  }

  private <E extends Enum<E>> E constant(Class<E> type, String name, String wrong) {
    try {
      return Enum.valueOf(type, text(name));
    } catch (IllegalArgumentException e) {
      throw new ShopException(wrong);
    }
  }
}
