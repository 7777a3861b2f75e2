package org.ecstore.bookstore.model;

import java.time.Instant;
import java.util.List;

/**
 * What a customer has bought.
 *
 * @param id from 1
 * @param submission the number of the form that it was placed with, by which it is placed once;
 *     empty in a shop's first orders
 * @param billingAddress of the customer
 * @param shippingAddress where it is sent to
 */
public record Order(
    long id,
    long customer,
    Instant placed,
    String submission,
    Price price,
    ShipType shipType,
    Instant ships,
    long billingAddress,
    long shippingAddress,
    Status status,
    List<OrderLine> lines) {
  /** How far it is. */
  public enum Status {
    PROCESSING,
    SHIPPED,
    PENDING,
    DENIED
  }
}
