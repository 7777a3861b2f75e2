package org.ecstore.bookstore.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.OrderLine;
import org.ecstore.bookstore.model.Price;
import org.ecstore.bookstore.model.Stock;
import org.jspecify.annotations.Nullable;

/**
 * A check of the shop's books: of each book, what there is now is what there was at first and what
 * came in, without what was sold; each order costs what its lines do and was paid once; no form was
 * taken for two orders; every order that a buyer was told of is there; a cart has each book once;
 * best sellers are those of the last orders.
 */
public final class Books {
  /** Who reads them all has the first ones to look at. */
  private static final int FAULTS_MAX = 20;

  private final BookLedger ledger;
  private final LongUnaryOperator initial;
  private final Map<String, Long> told;
  private final List<String> faults = new ArrayList<>();
  private long count;

  private Books(BookLedger ledger, LongUnaryOperator initial, Map<String, Long> told) {
    this.ledger = ledger;
    this.initial = initial;
    this.told = told;
  }

  /**
   * Checks them.
   *
   * @param initial how many there were of a book, by its number
   * @param told the numbers of orders that buyers were told, by their forms
   */
  public static Verdict check(
      BookLedger ledger, LongUnaryOperator initial, Map<String, Long> told) {
    Books books = new Books(ledger, initial, told);
    books.checkStock();
    books.checkOrders();
    books.checkPaid();
    books.checkTold();
    books.checkCarts();
    books.checkBestSellers();
    return new Verdict(
        books.count, List.copyOf(books.faults), ledger.orders().size(), books.sold());
  }

  /**
   * What was found.
   *
   * @param faults how many there are
   * @param first the first of them, for people
   * @param orders how many were looked at
   * @param books how many were sold by them
   */
  public record Verdict(long faults, List<String> first, long orders, long books) {
    /** Whether the books are right. */
    public boolean right() {
      return faults == 0;
    }
  }

  private void fault(String text) {
    count++;
    if (faults.size() < FAULTS_MAX) {
      faults.add(text);
    }
  }

  private long sold() {
    return ledger.orders().stream().mapToLong(order -> books(order)).sum();
  }

  private static long books(Order order) {
    return order.lines().stream().mapToLong(OrderLine::quantity).sum();
  }

  private void checkStock() {
    Map<Long, Long> sold = sold(ledger.orders());
    ledger
        .stock()
        .forEach(
            (item, stock) -> {
              long expected =
                  initial.applyAsLong(item) + stock.restocked() - sold.getOrDefault(item, 0L);
              if (stock.onHand() != expected) {
                fault("of book %d there are %d, not %d".formatted(item, stock.onHand(), expected));
              }
              if (!isWithin(stock) || stock.restocked() % Stock.DELIVERY != 0) {
                fault("of book %d there are %s".formatted(item, stock));
              }
            });
    sold.keySet().stream()
        .filter(item -> !ledger.stock().containsKey(item))
        .forEach(item -> fault("book %d was sold and is not there".formatted(item)));
  }

  /** A shop begins with 10 to 30 of each book, and {@link Stock#take} leaves as many. */
  private static boolean isWithin(Stock stock) {
    return stock.onHand() >= Stock.LEAST && stock.onHand() < Stock.LEAST + Stock.DELIVERY;
  }

  private static Map<Long, Long> sold(List<Order> orders) {
    Map<Long, Long> sold = new HashMap<>();
    orders.forEach(
        order ->
            order.lines().forEach(line -> sold.merge(line.item(), line.quantity(), Long::sum)));
    return sold;
  }

  private void checkOrders() {
    Map<String, Long> forms = new HashMap<>();
    for (Order order : ledger.orders()) {
      long before = 0;
      for (OrderLine line : order.lines()) {
        before += line.quantity() * line.cents();
        if (line.quantity() < 1) {
          fault("order %d has a line of %d".formatted(order.id(), line.quantity()));
        }
      }
      int discount = order.lines().isEmpty() ? 0 : order.lines().getFirst().discountPercent();
      if (order.lines().isEmpty()
          || !Price.of(before, books(order), discount).equals(order.price())) {
        fault("order %d costs %s".formatted(order.id(), order.price()));
      }
      if (order.lines().stream().map(OrderLine::item).distinct().count() < order.lines().size()) {
        fault("order %d has a book in two lines".formatted(order.id()));
      }
      Long other = forms.put(order.submission(), order.id());
      if (other != null) {
        fault("orders %d and %d are of one form".formatted(other, order.id()));
      }
      checkCard(order, ledger.cards().get(order.id()));
    }
  }

  private void checkPaid() {
    Set<Long> orders = ledger.orders().stream().map(Order::id).collect(Collectors.toSet());
    ledger.cards().keySet().stream()
        .filter(order -> !orders.contains(order))
        .forEach(order -> fault("order %d was paid and is not there".formatted(order)));
  }

  private void checkCard(Order order, @Nullable CardTransaction card) {
    if (card == null || card.cents() != order.price().total()) {
      fault("order %d is paid by %s".formatted(order.id(), card));
    }
  }

  private void checkTold() {
    Map<Long, String> forms = new HashMap<>();
    ledger.orders().forEach(order -> forms.put(order.id(), order.submission()));
    told.forEach(
        (form, order) -> {
          if (!form.equals(forms.get(order))) {
            fault("order %d was told to its buyer and is not there".formatted(order));
          }
        });
  }

  private void checkCarts() {
    ledger
        .carts()
        .forEach(
            (cart, lines) -> {
              boolean bad = lines.stream().anyMatch(line -> line.quantity() < 1);
              if (bad
                  || lines.stream().map(line -> line.item()).distinct().count() < lines.size()) {
                fault("cart %s has %s".formatted(cart, lines));
              }
            });
  }

  /** The orders since the shop was filled are later than those before: the last ones are they. */
  private void checkBestSellers() {
    if (!ledger.sold().equals(sold(ledger.lastOrders()))) {
      fault("best sellers are not those of the last orders");
    }
    List<Long> latest =
        ledger.orders().stream()
            .sorted(Comparator.comparing(Order::placed).thenComparingLong(Order::id).reversed())
            .limit(Bookstore.BEST_SELLER_ORDERS)
            .map(Order::id)
            .toList();
    List<Long> looked = ledger.lastOrders().stream().map(Order::id).toList();
    if (!latest.equals(looked.subList(0, Math.min(latest.size(), looked.size())))) {
      fault("the last orders of best sellers are others than the last orders");
    }
  }
}
