package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.ecstore.bookstore.audit.BookLedger;
import org.ecstore.bookstore.audit.Books;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Order;
import org.junit.jupiter.api.Test;

/** What a check of the shop sees. */
interface LedgerContract extends ShopUnderTest {
  @Test
  default void theShopSaysHowItWasFilled() {
    assertEquals(
        new Bookstore.Size(population().items(), population().customers(), population().orders()),
        shop().size());
  }

  @Test
  default void aLedgerHasAllOfIt() {
    UUID cart = cart(45, 44);
    Purchase purchase = ShopUnderTest.purchase(cart(74), 39);
    BookLedger before = shop().ledger();
    long number = shop().buy(purchase);
    BookLedger ledger = shop().ledger();
    OrderShown shown = lastOrder(population().customer(39));
    assertEquals(shop().cart(cart).lines(), ledger.carts().get(cart));
    assertEquals(before.orders().size() + 1, ledger.orders().size());
    assertEquals(shown.order(), of(ledger.orders(), number));
    assertEquals(shown.card(), ledger.cards().get(number));
    assertEquals(
        Set.copyOf(ledger.cards().keySet()),
        ledger.orders().stream().map(Order::id).collect(Collectors.toSet()));
    assertTrue(ledger.orders().stream().allMatch(order -> order.id() > population().orders()));
    assertEquals(
        LongStream.rangeClosed(1, population().items()).boxed().collect(Collectors.toSet()),
        ledger.stock().keySet());
    assertEquals(
        product(74).onHand(), ledger.stock().getOrDefault(74L, population().stock(74)).onHand());
  }

  private static Order of(List<Order> orders, long number) {
    return orders.stream().filter(order -> order.id() == number).findFirst().orElseThrow();
  }

  @Test
  default void theLastOrdersAreThoseOfTheBestSellers() {
    shop().buy(ShopUnderTest.purchase(cart(75, 76), 38));
    BookLedger ledger = shop().ledger();
    List<Order> last = ledger.lastOrders();
    assertEquals(population().orders() + ledger.orders().size(), last.size());
    assertEquals(
        last.stream()
            .sorted(Comparator.comparing(Order::placed).thenComparingLong(Order::id).reversed())
            .map(Order::id)
            .toList(),
        last.stream().map(Order::id).toList());
    for (long number = 1; number <= population().orders(); number++) {
      assertEquals(population().order(number), of(last, number));
    }
    Map<Long, Long> sold = new HashMap<>();
    last.forEach(
        order ->
            order.lines().forEach(line -> sold.merge(line.item(), line.quantity(), Long::sum)));
    assertEquals(sold, ledger.sold());
  }

  @Test
  default void eachLedgerIsOfOneMoment() throws Exception {
    List<Boolean> right =
        ShopUnderTest.atOnce(
            thread -> {
              for (int i = 0; i < 5; i++) {
                if (thread % 4 == 0) {
                  Books.Verdict verdict =
                      Books.check(
                          shop().ledger(), item -> population().stock(item).onHand(), Map.of());
                  assertTrue(verdict.right(), () -> verdict.first().toString());
                } else {
                  shop().buy(ShopUnderTest.purchase(cart(77, 78), 37));
                }
              }
              return true;
            });
    assertEquals(THREADS, right.size());
  }

  @Test
  default void transactionsAreCounted() {
    long before = shop().tries().committed();
    shop().cart(cart(45));
    Customer customer = population().customer(36);
    long between = shop().tries().committed();
    assertTrue(between > before, () -> before + " and " + between);
    assertThrows(ShopException.class, () -> shop().logIn(cart(45), customer.userName(), "wrong"));
  }
}
