package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.model.Item;
import org.junit.jupiter.api.Test;

/** How carts are filled. */
interface CartContract extends ShopUnderTest {
  private CartLine line(long item, long quantity) {
    Item book = product(item).item();
    return new CartLine(
        item, book.title(), book.backing(), quantity, book.cents(), book.listCents());
  }

  @Test
  default void aCartThatIsNotThereIsEmpty() {
    assertEquals(List.of(), shop().cart(UUID.randomUUID()).lines());
  }

  @Test
  default void booksStayInTheOrderInWhichTheyCame() {
    UUID cart = UUID.randomUUID();
    Instant before = ShopUnderTest.now();
    Cart first = add(cart, 50);
    assertEquals(List.of(line(50, 1)), first.lines());
    add(cart, 41);
    Cart last = add(cart, 50);
    assertEquals(List.of(line(50, 2), line(41, 1)), last.lines());
    assertEquals(last, shop().cart(cart));
    assertFalse(first.changed().isBefore(before));
    assertFalse(last.changed().isBefore(first.changed()));
    assertFalse(last.changed().isAfter(ShopUnderTest.now()));
  }

  @Test
  default void quantitiesAreSet() {
    UUID cart = cart(45, 44, 43);
    Cart changed =
        shop().changeCart(cart, OptionalLong.empty(), Map.of(45L, 999L, 43L, 2L, 44L, 0L, 42L, 7L));
    assertEquals(List.of(line(45, 999), line(43, 2)), changed.lines());
    assertEquals(changed, shop().cart(cart));
    assertEquals(List.of(line(45, 999), line(43, 2), line(44, 1)), add(cart, 44).lines());
  }

  @Test
  default void oneIsAddedAfterQuantitiesAreSet() {
    UUID cart = cart(45, 44);
    Map<Long, Long> quantities = Map.of(45L, 5L, 44L, 3L, 46L, 8L);
    assertEquals(
        List.of(line(45, 6), line(44, 3)),
        shop().changeCart(cart, OptionalLong.of(45), quantities).lines());
    assertEquals(
        List.of(line(45, 5), line(44, 3), line(46, 1)),
        shop().changeCart(cart, OptionalLong.of(46), quantities).lines());
    assertEquals(
        List.of(line(45, 1), line(44, 3), line(46, 1)),
        shop().changeCart(cart, OptionalLong.of(45), Map.of(45L, 0L)).lines());
  }

  @Test
  default void allMayBeTakenOut() {
    UUID cart = cart(45, 44);
    assertEquals(
        List.of(), shop().changeCart(cart, OptionalLong.empty(), Map.of(45L, 0L, 44L, 0L)).lines());
    assertEquals(List.of(), shop().cart(cart).lines());
    assertEquals(List.of(line(44, 1)), add(cart, 44).lines());
  }

  @Test
  default void aChangeOfNothingMakesNoLines() {
    UUID cart = UUID.randomUUID();
    assertEquals(List.of(), shop().changeCart(cart, OptionalLong.empty(), Map.of(45L, 3L)).lines());
    assertEquals(List.of(), shop().cart(cart).lines());
  }

  @Test
  default void wrongChangesLeaveTheCartAsItWas() {
    UUID cart = cart(45, 44);
    set(cart, 44, Cart.QUANTITY_MAX);
    Cart before = shop().cart(cart);
    assertRefused(cart, OptionalLong.of(0), Map.of(45L, 3L));
    assertRefused(cart, OptionalLong.of(population().items() + 1), Map.of(45L, 0L));
    assertRefused(cart, OptionalLong.of(Long.MIN_VALUE), Map.of());
    assertRefused(cart, OptionalLong.of(44), Map.of(45L, 3L));
    assertRefused(cart, OptionalLong.empty(), Map.of(45L, 3L, 44L, Cart.QUANTITY_MAX + 1));
    assertRefused(cart, OptionalLong.empty(), Map.of(45L, -1L));
    assertRefused(cart, OptionalLong.empty(), Map.of(40L, Cart.QUANTITY_MAX + 1));
    assertRefused(cart, OptionalLong.of(43), Map.of(45L, Long.MAX_VALUE));
    assertRefused(cart, OptionalLong.of(43), Map.of(40L, Long.MIN_VALUE));
    assertEquals(before, shop().cart(cart));
  }

  private void assertRefused(UUID cart, OptionalLong add, Map<Long, Long> quantities) {
    assertThrows(ShopException.class, () -> shop().changeCart(cart, add, quantities));
  }

  @Test
  default void aCartSaysThePricesOfItsLastChange() {
    Item book = product(11).item();
    UUID cart = cart(45, 11);
    Cart before = shop().cart(cart);
    Item changed =
        shop()
            .changeItem(
                11, book.cents() + 1, book.thumbnail(), book.image(), LocalDate.of(2026, 1, 1));
    assertEquals(before, shop().cart(cart));
    Cart after = shop().changeCart(cart, OptionalLong.empty(), Map.of());
    assertEquals(List.of(line(45, 1), line(11, 1)), after.lines());
    assertEquals(changed.cents(), after.lines().getLast().cents());
    assertEquals(after, shop().cart(cart));
    assertEquals(
        after.lines().stream().mapToLong(CartLine::cents).sum(), shop().cart(cart).cents());
  }

  @Test
  default void aFormThatIsSentAgainPutsNothingMore() {
    UUID cart = cart(45);
    assertTrue(shop().addToCart("form 'ł'", cart, 44));
    assertFalse(shop().addToCart("form 'ł'", cart, 44));
    assertEquals(List.of(line(45, 1), line(44, 1)), shop().cart(cart).lines());
    assertTrue(shop().addToCart("another", cart, 44));
    assertEquals(List.of(line(45, 1), line(44, 2)), shop().cart(cart).lines());
    UUID other = UUID.randomUUID();
    assertTrue(shop().addToCart("another", other, 44));
    assertEquals(List.of(line(44, 1)), shop().cart(other).lines());
    String longest = "Ł".repeat(Checks.SUBMISSION_MAX - 1) + "📚";
    assertTrue(shop().addToCart(longest, other, 44));
    assertFalse(shop().addToCart(longest, other, 44));
    for (String wrong : List.of("", " ", longest + ".")) {
      assertThrows(ShopException.class, () -> shop().addToCart(wrong, other, 44));
    }
  }

  @Test
  default void aFormThatCouldNotBeDoneIsDoneLater() {
    UUID cart = cart(44);
    set(cart, 44, Cart.QUANTITY_MAX);
    String form = UUID.randomUUID().toString();
    assertThrows(ShopException.class, () -> shop().addToCart(form, cart, 44));
    assertThrows(ShopException.class, () -> shop().addToCart(form, cart, 0));
    set(cart, 44, 1);
    assertTrue(shop().addToCart(form, cart, 44));
    assertEquals(List.of(line(44, 2)), shop().cart(cart).lines());
  }

  @Test
  default void aFormThatIsSentManyTimesAtOncePutsOne() throws Exception {
    UUID cart = UUID.randomUUID();
    String form = UUID.randomUUID().toString();
    List<Boolean> put = ShopUnderTest.atOnce(thread -> shop().addToCart(form, cart, 44));
    assertEquals(1, put.stream().filter(now -> now).count());
    assertEquals(List.of(line(44, 1)), shop().cart(cart).lines());
  }

  @Test
  default void cartsAreApart() {
    UUID one = cart(45);
    UUID other = cart(46, 45);
    set(one, 45, 7);
    assertEquals(List.of(line(46, 1), line(45, 1)), shop().cart(other).lines());
    assertEquals(List.of(line(45, 7)), shop().cart(one).lines());
  }

  @Test
  default void changesAtOnceAreAllMade() throws Exception {
    UUID cart = UUID.randomUUID();
    ShopUnderTest.atOnce(
        thread -> {
          for (int i = 0; i < 5; i++) {
            add(cart, 50);
            add(cart, 51 + thread % 4);
          }
          return add(cart, 40);
        });
    Cart all = shop().cart(cart);
    assertEquals(11L * THREADS, all.books());
    assertEquals(6, all.lines().size());
    assertEquals(
        5L * THREADS,
        all.lines().stream().filter(line -> line.item() == 50).mapToLong(CartLine::quantity).sum());
  }
}
