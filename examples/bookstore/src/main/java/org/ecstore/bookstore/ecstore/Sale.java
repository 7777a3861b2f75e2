package org.ecstore.bookstore.ecstore;

import java.util.List;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Order;

/** Who bought what: the part of an order that its index by date has, for best sellers. */
record Sale(long customer, List<Line> lines) {
  /** How many of a book. */
  record Line(long item, BookSubject subject, long quantity) {}

  static Sale of(Order order) {
    return new Sale(
        order.customer(),
        order.lines().stream()
            .map(line -> new Line(line.item(), line.subject(), line.quantity()))
            .toList());
  }
}
