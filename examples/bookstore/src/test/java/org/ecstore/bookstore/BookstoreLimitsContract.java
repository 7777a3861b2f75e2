package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What each implementation does with more than a list has, in a shop of more than 10,000 orders.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BookstoreLimitsContract implements ShopUnderTest {
  private static final TpcwPopulation POPULATION = new TpcwPopulation(1_500, 11_300, OPENED);

  private @Nullable Bookstore shop;
  private List<Item> items = List.of();

  private List<Order> first = List.of();

  /** A shop of its own that is filled. */
  protected abstract Bookstore filled(TpcwPopulation population) throws Exception;

  @BeforeAll
  void open() throws Exception {
    shop = filled(POPULATION);
    items = LongStream.rangeClosed(1, POPULATION.items()).mapToObj(POPULATION::item).toList();
    first = LongStream.rangeClosed(1, POPULATION.orders()).mapToObj(POPULATION::order).toList();
  }

  @AfterAll
  void close() {
    shop().close();
  }

  @Override
  public Bookstore shop() {
    return Objects.requireNonNull(shop);
  }

  @Override
  public TpcwPopulation population() {
    return POPULATION;
  }

  /** All orders, the last first. */
  private List<Order> orders() {
    return Stream.concat(first.stream(), shop().ledger().orders().stream())
        .sorted(Comparator.comparing(Order::placed).thenComparingLong(Order::id).reversed())
        .toList();
  }

  private Stream<Item> of(BookSubject subject) {
    return items.stream().filter(item -> item.subject() == subject);
  }

  @Test
  void booksOfTheSubjectAreFiftyAtMost() {
    boolean more = false;
    for (BookSubject subject : BookSubject.values()) {
      more |= of(subject).count() > Bookstore.LIST_MAX;
      assertEquals(
          titles(
              of(subject)
                  .sorted(
                      Comparator.comparing(Item::published)
                          .reversed()
                          .thenComparing(Item::title)
                          .thenComparingLong(Item::id))),
          titles(shop().newProducts(subject)));
      assertEquals(
          titles(of(subject).sorted(Comparator.comparing(Item::title).thenComparingLong(Item::id))),
          titles(shop().search(subject)));
    }
    assertTrue(more, "a subject has more books");
  }

  private static List<Long> titles(Stream<Item> items) {
    return items.map(Item::id).limit(Bookstore.LIST_MAX).toList();
  }

  private static List<Long> titles(List<Book> books) {
    return books.stream().map(Book::item).toList();
  }

  private Map<Long, Long> sold(long last) {
    Map<Long, Long> sold = new HashMap<>();
    orders().stream()
        .limit(last)
        .flatMap(order -> order.lines().stream())
        .forEach(line -> sold.merge(line.item(), line.quantity(), Long::sum));
    return sold;
  }

  @Test
  void bestSellersAreOfTheLastOrders() {
    Map<Long, Long> sold = sold(Bookstore.BEST_SELLER_ORDERS);
    assertEquals(sold, shop().ledger().sold());
    assertNotEquals(sold, sold(Bookstore.BEST_SELLER_ORDERS + 1));
    for (BookSubject subject : BookSubject.values()) {
      List<BestSeller> expected =
          of(subject)
              .filter(item -> sold.containsKey(item.id()))
              .map(
                  item ->
                      new BestSeller(ShopUnderTest.book(item), sold.getOrDefault(item.id(), 0L)))
              .sorted(
                  Comparator.comparingLong(BestSeller::sold)
                      .reversed()
                      .thenComparingLong(best -> best.book().item()))
              .limit(Bookstore.LIST_MAX)
              .toList();
      assertEquals(expected, shop().bestSellers(subject));
    }
  }

  @Test
  void relatedAreOfTheLastOrders() {
    List<Order> orders = orders();
    List<Order> last = orders.stream().limit(Bookstore.RELATED_ORDERS).toList();
    // Books of which earlier orders would change what is related.
    List<Item> some =
        items.stream()
            .filter(
                item ->
                    !ItemChangeContract.bought(last, item.id())
                        .equals(ItemChangeContract.bought(orders, item.id())))
            .limit(3)
            .toList();
    assertTrue(!some.isEmpty());
    for (Item item : some) {
      Item changed =
          shop()
              .changeItem(
                  item.id(), item.cents(), item.thumbnail(), item.image(), item.published());
      assertEquals(ItemChangeContract.bought(last, item.id()), changed.related());
    }
  }

  @Test
  void otherWordsAreLookedForInTheFirstThousand() {
    Set<Boolean> told = new HashSet<>();
    for (char letter = 'a'; letter <= 'z'; letter++) {
      String text = letter + " the";
      List<Book> expected =
          SearchContract.found(items, SearchBy.TITLE, text, SearchContract.LOOKED_AT);
      assertEquals(expected, shop().search(SearchBy.TITLE, text), text);
      told.add(
          expected.equals(SearchContract.found(items, SearchBy.TITLE, text, Integer.MAX_VALUE)));
    }
    assertEquals(Set.of(true, false), told);
  }

  @Test
  void aCartHasAHundredDifferentBooks() {
    UUID cart = UUID.randomUUID();
    for (long item = 1; item <= Cart.LINES_MAX; item++) {
      add(cart, item);
    }
    Cart full = shop().cart(cart);
    assertEquals(
        LongStream.rangeClosed(1, Cart.LINES_MAX).boxed().toList(),
        full.lines().stream().map(line -> line.item()).toList());
    assertThrows(ShopException.class, () -> add(cart, 101));
    assertEquals(full, shop().cart(cart));
    assertEquals(2, add(cart, 100).lines().getLast().quantity());
    assertEquals(
        Cart.LINES_MAX,
        shop().changeCart(cart, OptionalLong.of(101), Map.of(1L, 0L)).lines().size());
    long order = shop().buy(ShopUnderTest.purchase(cart, 5));
    assertEquals(order, lastOrder(POPULATION.customer(5)).order().id());
    assertEquals(Cart.LINES_MAX, lastOrder(POPULATION.customer(5)).order().lines().size());
  }
}
