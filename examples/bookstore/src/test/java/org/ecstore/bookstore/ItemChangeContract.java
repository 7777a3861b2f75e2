package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Order;
import org.junit.jupiter.api.Test;

/** How an administrator changes books: those from 12 to 39, and from 80 on. */
interface ItemChangeContract extends ShopUnderTest {
  LocalDate DAY = LocalDate.of(2026, 4, 1);

  /** The books that those have bought most who bought another, best first. */
  static List<Long> bought(List<Order> orders, long item) {
    Set<Long> buyers =
        orders.stream()
            .filter(order -> order.lines().stream().anyMatch(line -> line.item() == item))
            .map(Order::customer)
            .collect(Collectors.toSet());
    Map<Long, Long> sold = new HashMap<>();
    orders.stream()
        .filter(order -> buyers.contains(order.customer()))
        .flatMap(order -> order.lines().stream())
        .filter(line -> line.item() != item)
        .forEach(line -> sold.merge(line.item(), line.quantity(), Long::sum));
    return sold.entrySet().stream()
        .sorted(
            Map.Entry.<Long, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .limit(Item.RELATED)
        .toList();
  }

  private List<Long> expected(Item before) {
    return Stream.concat(
            bought(shop().ledger().lastOrders(), before.id()).stream(), before.related().stream())
        .distinct()
        .limit(Item.RELATED)
        .toList();
  }

  @Test
  default void aChangedBookIsShown() {
    Product before = product(12);
    Item expected =
        before.item().changed(777, "thumb 'ł'", "image.png", DAY, expected(before.item()));
    assertEquals(expected, shop().changeItem(12, 777, "thumb 'ł'", "image.png", DAY));
    List<Book> related =
        expected.related().stream()
            .map(other -> ShopUnderTest.book(product(other).item()))
            .toList();
    assertEquals(new Product(expected, before.author(), before.onHand(), related), product(12));
    assertTrue(shop().search(expected.subject()).contains(ShopUnderTest.book(expected)));
    assertTrue(shop().newProducts(expected.subject()).contains(ShopUnderTest.book(expected)));
    assertTrue(
        shop().search(SearchBy.TITLE, expected.title()).contains(ShopUnderTest.book(expected)));
    assertEquals(
        expected.related(),
        shop().home(OptionalLong.empty(), 12).promoted().stream().map(Book::item).toList());
  }

  @Test
  default void relatedAreThoseThatItsBuyersBoughtMost() {
    boolean five = false;
    boolean fewer = false;
    for (long id = 13; id < 40; id++) {
      Item before = product(id).item();
      List<Long> expected = expected(before);
      int bought = bought(shop().ledger().lastOrders(), id).size();
      five |= bought == Item.RELATED;
      fewer |= bought < Item.RELATED;
      Item after = shop().changeItem(id, before.cents(), before.thumbnail(), before.image(), DAY);
      assertEquals(expected, after.related());
      // What is bought is related already, and is not named twice.
      assertEquals(expected, change(id).related());
      assertFalse(after.related().contains(id));
      assertEquals(Item.RELATED, Set.copyOf(after.related()).size());
    }
    assertTrue(five && fewer, "some have five, and some fewer");
  }

  @Test
  default void ofEqualOnesTheSmallerNumberIsFirst() {
    // Bought by a new customer, so that all are bought equally often with the first.
    UUID cart = cart(90, 99, 98, 91, 97, 96, 95);
    long customer =
        shop().register(cart, ShopUnderTest.newCustomer(ShopUnderTest.place())).customer().id();
    shop().buy(ShopUnderTest.purchase(cart, customer));
    Item before = product(90).item();
    List<Order> orders = shop().ledger().lastOrders();
    assertEquals(expected(before), change(90).related(), () -> "of " + bought(orders, 90));
  }

  private Item change(long item) {
    Item before = product(item).item();
    return shop().changeItem(item, before.cents(), before.thumbnail(), before.image(), DAY);
  }

  @Test
  default void booksOfLaterOrdersBecomeRelated() {
    long quiet = 80;
    UUID cart = cart(quiet, 81);
    shop().changeCart(cart, OptionalLong.empty(), Map.of(81L, 999L));
    long customer =
        shop().register(cart, ShopUnderTest.newCustomer(ShopUnderTest.place())).customer().id();
    shop().buy(ShopUnderTest.purchase(cart, customer));
    UUID later = cart(82);
    shop().changeCart(later, OptionalLong.empty(), Map.of(82L, 998L));
    shop().buy(ShopUnderTest.purchase(later, customer));
    List<Long> related = change(quiet).related();
    assertEquals(expected(product(quiet).item()), related);
    assertEquals(
        List.of(81L, 82L), related.stream().limit(2).sorted(Comparator.naturalOrder()).toList());
  }

  @Test
  default void wrongChangesWriteNothing() {
    Product before = product(83);
    for (long unknown : new long[] {0, -1, population().items() + 1, Long.MAX_VALUE}) {
      assertRefused(unknown, 1, "thumb", "image");
    }
    for (long cents : new long[] {0, -1, Long.MIN_VALUE, Checks.CENTS_MAX + 1}) {
      assertRefused(83, cents, "thumb", "image");
    }
    for (String image : List.of("", " ", "x".repeat(Checks.SHORT_TEXT_MAX + 1))) {
      assertRefused(83, 1, image, "image");
      assertRefused(83, 1, "thumb", image);
    }
    assertEquals(before, product(83));
  }

  private void assertRefused(long item, long cents, String thumbnail, String image) {
    assertThrows(ShopException.class, () -> shop().changeItem(item, cents, thumbnail, image, DAY));
  }
}
