package org.ecstore.bookstore;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Countries;

/** What a store refuses before it looks at anything, each with a {@link ShopException}. */
public final class Checks {
  /** How long each text of an address may be, and the name of a picture. */
  public static final int SHORT_TEXT_MAX = 60;

  /** How long the number of a form may be. */
  public static final int SUBMISSION_MAX = 100;

  /** The highest price of a book. */
  public static final long CENTS_MAX = 99_999_999;

  private static final Pattern CARD_NUMBER = Pattern.compile("[0-9]{12,19}");

  private Checks() {}

  /** The name of a customer who logs in: no customer has a longer one. */
  public static void userName(String name) {
    if (name.codePointCount(0, name.length()) > SHORT_TEXT_MAX) {
      throw new ShopException("there is no customer of that user name and password");
    }
  }

  /** A customer who registers. */
  public static void customer(NewCustomer customer) {
    Stream.of(
            customer.firstName(),
            customer.lastName(),
            customer.phone(),
            customer.email(),
            customer.data())
        .forEach(text -> length(text, NewCustomer.TEXT_MAX));
    address(customer.address());
  }

  /** An address; its country is one of {@link Countries}. */
  public static void address(Address address) {
    Stream.of(address.street1(), address.street2(), address.city(), address.state(), address.zip())
        .forEach(text -> length(text, SHORT_TEXT_MAX));
    if (address.country() < 1 || address.country() > Countries.count()) {
      throw new ShopException("there is no country " + address.country());
    }
  }

  /** A form that buys. */
  public static void purchase(Purchase purchase) {
    form(purchase.submission());
    if (!CARD_NUMBER.matcher(purchase.cardNumber()).matches()) {
      throw new ShopException("the number of a card has 12 to 19 digits");
    }
    length(purchase.cardHolder(), NewCustomer.TEXT_MAX);
    purchase.shipTo().ifPresent(Checks::address);
  }

  /** The number of a form, which is sent once. */
  public static void form(String number) {
    if (number.isBlank()) {
      throw new ShopException("the form has no number: begin again at the cart");
    }
    length(number, SUBMISSION_MAX);
  }

  /** How many a cart has of its books from now on. */
  public static void quantities(Map<Long, Long> quantities) {
    for (long quantity : quantities.values()) {
      if (quantity < 0 || quantity > Cart.QUANTITY_MAX) {
        throw new ShopException(
            "a cart has 0 to %d of a book, not %d".formatted(Cart.QUANTITY_MAX, quantity));
      }
    }
  }

  /** The name of a picture. */
  public static void image(String name) {
    if (name.isBlank()) {
      throw new ShopException("a picture needs a name");
    }
    length(name, SHORT_TEXT_MAX);
  }

  /** The price of a book. */
  public static void price(long cents) {
    if (cents < 1 || cents > CENTS_MAX) {
      throw new ShopException("a book costs 1 to %d cents, not %d".formatted(CENTS_MAX, cents));
    }
  }

  /** In symbols: a store has room for so many, each of four bytes. */
  private static void length(String text, int most) {
    if (text.codePointCount(0, text.length()) > most) {
      throw new ShopException(
          "a text has %d symbols at most: %s".formatted(most, text.substring(0, 20) + "…"));
    }
  }
}
