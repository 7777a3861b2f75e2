package org.ecstore.bookstore.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.OrderLine;
import org.ecstore.bookstore.model.Price;
import org.ecstore.bookstore.model.ShipType;
import org.ecstore.bookstore.model.Stock;
import org.junit.jupiter.api.Test;

/** Each kind of fault, planted into books that are right. */
final class BooksTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
  private static final long INITIAL = 20;
  private static final long OTHER = 15;
  private static final int DISCOUNT = 10;

  /** Books that are right until a test changes them. */
  private static final class Ledgers {
    final Map<Long, Stock> stock = new HashMap<>();
    final Map<Long, Order> orders = new HashMap<>();
    final Map<Long, CardTransaction> cards = new HashMap<>();
    final Map<UUID, List<CartLine>> carts = new HashMap<>();
    final Map<Long, Long> sold = new HashMap<>();
    final Map<String, Long> told = new HashMap<>();

    Ledgers() {
      stock.put(1L, new Stock(INITIAL - 5, 0));
      stock.put(2L, new Stock(INITIAL + 21 - 30, 21));
      stock.put(3L, new Stock(INITIAL, 0));
      put(order(101, "a", line(1, 5), line(2, 10)));
      put(order(102, "b", line(2, 20)));
      carts.put(new UUID(1, 1), List.of(cartLine(1, 1), cartLine(3, 7)));
      sold.putAll(Map.of(1L, 5L, 2L, 30L));
      told.putAll(Map.of("a", 101L, "b", 102L));
    }

    void put(Order order) {
      orders.put(order.id(), order);
      cards.put(order.id(), card(order.id(), order.price().total()));
    }

    Books.Verdict verdict() {
      List<Order> all = List.copyOf(orders.values());
      return Books.check(
          new BookLedger(stock, all, cards, carts, sold, last(all)), item -> INITIAL, told);
    }
  }

  /** The last first, as best sellers are found. */
  private static List<Order> last(List<Order> orders) {
    return orders.stream()
        .sorted(Comparator.comparing(Order::placed).thenComparingLong(Order::id).reversed())
        .toList();
  }

  private static OrderLine line(long item, long quantity) {
    return new OrderLine(item, "Title", BookSubject.ARTS, quantity, 1_000 + item, DISCOUNT, "");
  }

  private static CartLine cartLine(long item, long quantity) {
    return new CartLine(item, "Title", "Used", quantity, 1_000, 2_000);
  }

  private static Order order(long id, String submission, OrderLine... lines) {
    long cents = List.of(lines).stream().mapToLong(line -> line.quantity() * line.cents()).sum();
    long books = List.of(lines).stream().mapToLong(OrderLine::quantity).sum();
    return order(id, submission, Price.of(cents, books, DISCOUNT), lines);
  }

  private static Order order(long id, String submission, Price price, OrderLine... lines) {
    return new Order(
        id,
        7,
        NOW,
        submission,
        price,
        ShipType.AIR,
        NOW,
        1,
        1,
        Order.Status.PENDING,
        List.of(lines));
  }

  private static CardTransaction card(long order, long cents) {
    return new CardTransaction(
        order, CardType.VISA, "1", "Ada", LocalDate.EPOCH, "2", cents, NOW, 1);
  }

  private static void assertFault(String expected, Consumer<Ledgers> plant) {
    Ledgers ledgers = new Ledgers();
    plant.accept(ledgers);
    Books.Verdict verdict = ledgers.verdict();
    assertFalse(verdict.right(), expected);
    assertTrue(
        verdict.first().stream().anyMatch(fault -> fault.contains(expected)),
        () -> expected + " is told, not " + verdict.first());
  }

  @Test
  void booksThatAreRightHaveNoFault() {
    Books.Verdict verdict = new Ledgers().verdict();
    assertEquals(new Books.Verdict(0, List.of(), 2, 35), verdict);
    assertTrue(verdict.right());
  }

  @Test
  void lostStockIsFound() {
    assertFault("of book 1 there are 14, not 15", books -> books.stock.put(1L, new Stock(14, 0)));
  }

  @Test
  void stockThatWasNotTakenIsFound() {
    assertFault("of book 1 there are 20, not 15", books -> books.stock.put(1L, new Stock(20, 0)));
  }

  @Test
  void stockThatCameFromNowhereIsFound() {
    assertFault("of book 3 there are 41, not 20", books -> books.stock.put(3L, new Stock(41, 0)));
    assertFault("of book 3 there are Stock", books -> books.stock.put(3L, new Stock(40, 20)));
  }

  @Test
  void stockBelowZeroIsFound() {
    assertFault(
        "of book 3 there are Stock",
        books -> {
          books.put(order(103, "c", line(3, 21)));
          books.stock.put(3L, new Stock(-1, 0));
        });
  }

  @Test
  void aSoldBookThatIsNotThereIsFound() {
    assertFault("book 2 was sold and is not there", books -> books.stock.remove(2L));
  }

  @Test
  void anOrderOfNothingIsFound() {
    assertFault("order 103 costs", books -> books.put(order(103, "c", new Price(0, 0, 300))));
    assertFault("order 103 has a line of 0", books -> books.put(order(103, "c", line(3, 0))));
  }

  @Test
  void aWrongPriceIsFound() {
    Order right = order(102, "b", line(2, 20));
    Price price = right.price();
    for (Price wrong :
        List.of(
            new Price(price.subtotal() + 1, price.tax(), price.total()),
            new Price(price.subtotal(), price.tax() - 1, price.total()),
            new Price(price.subtotal(), price.tax(), price.total() + 100))) {
      assertFault("order 102 costs", books -> books.put(order(102, "b", wrong, line(2, 20))));
    }
  }

  @Test
  void aBookInTwoLinesIsFound() {
    assertFault(
        "order 102 has a book in two lines",
        books -> books.put(order(102, "b", line(2, 10), line(2, 10))));
  }

  @Test
  void twoOrdersOfOneFormAreFound() {
    assertFault("are of one form", books -> books.put(order(102, "a", line(2, 20))));
  }

  @Test
  void anOrderThatWasNotPaidIsFound() {
    assertFault("order 101 is paid by null", books -> books.cards.remove(101L));
  }

  @Test
  void anOrderThatWasPaidDifferentlyIsFound() {
    assertFault(
        "order 101 is paid by CardTransaction", books -> books.cards.put(101L, card(101, 1)));
  }

  @Test
  void aPaymentWithoutAnOrderIsFound() {
    assertFault(
        "order 103 was paid and is not there", books -> books.cards.put(103L, card(103, 1)));
  }

  @Test
  void anOrderThatWasToldAndIsNotThereIsFound() {
    assertFault(
        "order 103 was told to its buyer and is not there", books -> books.told.put("c", 103L));
    assertFault(
        "order 101 was told to its buyer and is not there", books -> books.told.put("b", 101L));
  }

  @Test
  void aBookInACartTwiceIsFound() {
    UUID cart = new UUID(1, 1);
    assertFault(
        "cart " + cart, books -> books.carts.put(cart, List.of(cartLine(1, 1), cartLine(1, 2))));
    assertFault("cart " + cart, books -> books.carts.put(cart, List.of(cartLine(1, 0))));
  }

  @Test
  void otherBestSellersAreFound() {
    assertFault("best sellers", books -> books.sold.put(1L, 6L));
    assertFault("best sellers", books -> books.sold.remove(2L));
    assertFault("best sellers", books -> books.sold.put(3L, 1L));
  }

  @Test
  void aStockThatIsTooSmallOrTooLargeIsFound() {
    for (long onHand : new long[] {Stock.LEAST - 1, Stock.LEAST + Stock.DELIVERY}) {
      assertFault("of book 1 there are Stock", books -> books.stock.put(1L, new Stock(onHand, 0)));
    }
  }

  @Test
  void bestSellersOfEarlierOrdersAreFound() {
    Order early = order(101, "a", line(1, 1));
    Order late = order(102, "b", line(1, 1));
    Map<Long, CardTransaction> cards =
        Map.of(101L, card(101, early.price().total()), 102L, card(102, late.price().total()));
    BookLedger ledger =
        new BookLedger(
            Map.of(1L, new Stock(INITIAL - 2, 0)),
            List.of(early, late),
            cards,
            Map.of(),
            Map.of(1L, 1L),
            List.of(early));
    Books.Verdict verdict = Books.check(ledger, item -> INITIAL, Map.of());
    assertTrue(verdict.first().toString().contains("the last orders"), verdict::toString);
  }

  @Test
  void allFaultsAreCountedAndTheFirstAreTold() {
    Ledgers ledgers = new Ledgers();
    LongStream.range(10, 100).forEach(item -> ledgers.stock.put(item, new Stock(OTHER, 0)));
    Books.Verdict verdict = ledgers.verdict();
    assertEquals(90, verdict.faults());
    assertEquals(20, verdict.first().size());
  }
}
