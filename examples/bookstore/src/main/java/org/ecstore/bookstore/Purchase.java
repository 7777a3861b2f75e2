package org.ecstore.bookstore;

import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.Price;
import org.ecstore.bookstore.model.ShipType;

/**
 * A form that buys.
 *
 * @param submission its number: sent again, it is the same purchase
 * @param customer who is logged in
 * @param shipTo another address than the customer's
 * @param total what the customer was told that it costs, in cents; absent if whatever it does
 */
public record Purchase(
    String submission,
    UUID cart,
    long customer,
    CardType cardType,
    String cardNumber,
    String cardHolder,
    LocalDate cardExpires,
    ShipType shipType,
    Optional<Address> shipTo,
    OptionalLong total) {
  /** Whether it costs what the customer was told; else the cart is another one now. */
  public boolean isAsTold(Price price) {
    return total.isEmpty() || total.getAsLong() == price.total();
  }

  /** What is said if it does not. */
  public static ShopException otherThanTold() {
    return new ShopException("your cart has changed meanwhile: look at it, and buy again");
  }
}
