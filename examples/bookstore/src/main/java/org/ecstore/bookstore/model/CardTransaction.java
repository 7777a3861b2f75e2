package org.ecstore.bookstore.model;

import java.time.Instant;
import java.time.LocalDate;

/**
 * What was taken from a credit card for an order.
 *
 * @param authorization what the card's company answered with
 * @param country of the address that the order is sent to
 */
public record CardTransaction(
    long order,
    CardType type,
    String number,
    String holder,
    LocalDate expires,
    String authorization,
    long cents,
    Instant when,
    int country) {
  /** Who gives cards out. */
  public enum CardType {
    VISA,
    MASTERCARD,
    DISCOVER,
    AMEX,
    DINERS
  }

  /** For people who look over a shoulder: the last four digits. */
  public String shownNumber() {
    return "•••• " + number.substring(Math.max(0, number.length() - 4));
  }
}
