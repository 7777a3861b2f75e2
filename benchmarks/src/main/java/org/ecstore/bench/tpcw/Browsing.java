package org.ecstore.bench.tpcw;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.CartLine;

/** What an emulated browser knows: who it is, what is on its page, and what it has in its cart. */
final class Browsing {
  /** A customer, with the password. */
  record Who(long id, String userName, String password) {}

  private Optional<Who> customer = Optional.empty();
  private UUID cart = UUID.randomUUID();
  private List<CartLine> lines = List.of();
  private List<Long> listed = List.of();
  private long book;
  private Optional<String> form = Optional.empty();
  private String submission = "";
  private long total;

  /** Begins a session: as a customer, or as a new one. */
  void begin(Optional<Who> as) {
    customer = as;
    cart = UUID.randomUUID();
    lines = List.of();
    listed = List.of();
    book = 0;
    form = Optional.empty();
    submission = "";
  }

  Optional<Who> customer() {
    return customer;
  }

  /**
   * Who has just logged in, or was made.
   *
   * @param form the number of the next form that buys
   * @param cents what that page says that it costs
   */
  void loggedIn(Who who, String form, long cents) {
    total = cents;
    customer = Optional.of(who);
    submission = form;
  }

  /** The number of the form on the page that was opened. */
  void shows(String number) {
    form = Optional.of(number);
  }

  /**
   * The number of a form that is sent, which no other has: that of the page, or, where TPC-W has a
   * form sent whose page was not asked for, as by an empty cart that gets a book, another one.
   *
   * @param isOfPage whether the form is on the page that was opened last
   */
  String sends(boolean isOfPage) {
    String number = form.filter(_ -> isOfPage).orElseGet(() -> UUID.randomUUID().toString());
    form = Optional.empty();
    return number;
  }

  UUID cart() {
    return cart;
  }

  List<CartLine> lines() {
    return lines;
  }

  void shown(Cart now) {
    lines = now.lines();
  }

  String submission() {
    return submission;
  }

  long total() {
    return total;
  }

  /** The cart is empty from now on. */
  void bought() {
    lines = List.of();
  }

  /** The books on the page, some of which are looked at next. */
  List<Long> listed() {
    return listed;
  }

  void lists(List<Long> books) {
    listed = List.copyOf(books);
  }

  /** The book that is looked at, from 1 on; 0 if there was none. */
  long book() {
    return book;
  }

  void looksAt(long item) {
    book = item;
  }
}
