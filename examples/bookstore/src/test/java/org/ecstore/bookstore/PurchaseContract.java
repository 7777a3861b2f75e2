package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.ecstore.bookstore.audit.BookLedger;
import org.ecstore.bookstore.audit.Books;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.OrderLine;
import org.ecstore.bookstore.model.Price;
import org.ecstore.bookstore.model.ShipType;
import org.ecstore.bookstore.model.Stock;
import org.junit.jupiter.api.Test;

/** How books are bought: those from 60 on, by customers from 20 on. */
interface PurchaseContract extends ShopUnderTest {
  private Stock stock(long item) {
    return shop().ledger().stock().getOrDefault(item, new Stock(0, 0));
  }

  private OrderLine line(long item, long quantity, int discountPercent) {
    Item book = product(item).item();
    return new OrderLine(
        item, book.title(), book.subject(), quantity, book.cents(), discountPercent, "");
  }

  private static void assertWithin(Instant moment, Instant first, Instant last) {
    assertFalse(moment.isBefore(first), () -> moment + " before " + first);
    assertFalse(moment.isAfter(last), () -> moment + " after " + last);
  }

  @Test
  default void anOrderIsOfWhatIsInTheCart() {
    Customer customer = population().customer(20);
    Address home = population().address(customer.addressId());
    UUID cart = cart(62, 60, 61);
    set(cart, 60, 3);
    Cart bought = shop().cart(cart);
    Purchase purchase = ShopUnderTest.purchase(cart, 20);
    Instant before = ShopUnderTest.now();
    long number = shop().buy(purchase);
    assertTrue(number > population().orders());
    assertEquals(List.of(), shop().cart(cart).lines());
    OrderShown shown = lastOrder(customer);
    Order order = shown.order();
    int discount = customer.discountPercent();
    assertWithin(order.placed(), before, ShopUnderTest.now());
    assertWithin(order.ships(), order.placed(), order.placed().plus(Duration.ofDays(7)));
    Price price = Price.of(bought.cents(), 5, discount);
    assertEquals(
        new Order(
            number,
            20,
            order.placed(),
            purchase.submission(),
            price,
            ShipType.FEDEX,
            order.ships(),
            customer.addressId(),
            customer.addressId(),
            Order.Status.PENDING,
            List.of(line(62, 1, discount), line(60, 3, discount), line(61, 1, discount))),
        order);
    assertEquals(
        new OrderShown(order, customer, home, home, card(shown, purchase, home.country())), shown);
  }

  private static CardTransaction card(OrderShown shown, Purchase purchase, int country) {
    String authorization = shown.card().authorization();
    assertTrue(authorization.matches("[0-9]{15}"), authorization);
    return new CardTransaction(
        shown.order().id(),
        purchase.cardType(),
        purchase.cardNumber(),
        purchase.cardHolder(),
        purchase.cardExpires(),
        authorization,
        shown.order().price().total(),
        shown.order().placed(),
        country);
  }

  @Test
  default void stockIsTakenAndComesIn() {
    Stock expected = stock(63);
    for (long quantity : new long[] {1, 9, 2, 21, 999, 1, 20, 22, 31}) {
      expected = assertTaken(expected, quantity);
    }
    assertTrue(expected.restocked() > 0);
    // Exactly ten are left, and one less than ten would be.
    for (long left : new long[] {Stock.LEAST, Stock.LEAST - 1, Stock.LEAST, 0}) {
      expected = assertTaken(expected, Math.max(1, expected.onHand() - left));
    }
  }

  private Stock assertTaken(Stock before, long quantity) {
    UUID cart = cart(63);
    set(cart, 63, quantity);
    long order = shop().buy(ShopUnderTest.purchase(cart, 21));
    Stock expected = before.take(quantity);
    assertEquals(expected, stock(63), () -> "after order " + order);
    assertEquals(expected.onHand(), product(63).onHand());
    return expected;
  }

  @Test
  default void theCustomerPaysWhatTheCartHasSaid() {
    UUID cart = cart(64);
    Item book = product(64).item();
    long changed = book.cents() + 500;
    shop().changeItem(64, changed, book.thumbnail(), book.image(), LocalDate.of(2026, 2, 2));
    shop().buy(ShopUnderTest.purchase(cart, 22));
    Order order = lastOrder(population().customer(22)).order();
    assertEquals(book.cents(), order.lines().getFirst().cents());
    assertEquals(
        Price.of(book.cents(), 1, population().customer(22).discountPercent()), order.price());
  }

  @Test
  default void anOrderIsSentToAnotherAddress() {
    Customer customer = population().customer(23);
    Address place = ShopUnderTest.place();
    Purchase first = sentTo(place);
    shop().buy(first);
    OrderShown shown = lastOrder(customer);
    assertEquals(place, shown.shipping());
    assertEquals(population().address(customer.addressId()), shown.billing());
    assertEquals(customer.addressId(), shown.order().billingAddress());
    assertTrue(shown.order().shippingAddress() > population().addresses());
    assertEquals(place.country(), shown.card().country());
    shop().buy(sentTo(place));
    assertEquals(shown.order().shippingAddress(), lastOrder(customer).order().shippingAddress());
    Address known = population().address(9);
    shop().buy(sentTo(known));
    assertEquals(9, lastOrder(customer).order().shippingAddress());
    assertEquals(known.country(), lastOrder(customer).card().country());
  }

  private Purchase sentTo(Address place) {
    return ShopUnderTest.purchase(UUID.randomUUID().toString(), cart(65), 23, Optional.of(place));
  }

  @Test
  default void aFormThatIsSentAgainBuysNothingMore() {
    UUID cart = cart(66);
    Purchase purchase = ShopUnderTest.purchase(cart, 24);
    long number = shop().buy(purchase);
    Stock after = stock(66);
    assertEquals(number, shop().buy(purchase));
    add(cart, 66);
    Cart refilled = shop().cart(cart);
    assertEquals(number, shop().buy(purchase));
    assertEquals(refilled, shop().cart(cart));
    assertEquals(
        number,
        shop()
            .buy(
                ShopUnderTest.purchase(
                    purchase.submission(), cart(67), 24, Optional.of(ShopUnderTest.place()))));
    assertEquals(after, stock(66));
    assertEquals(1, orders(purchase.submission()));
    assertTrue(shop().buy(ShopUnderTest.purchase(cart, 24)) > number);
  }

  private long orders(String submission) {
    return shop().ledger().orders().stream()
        .filter(order -> order.submission().equals(submission))
        .count();
  }

  @Test
  default void formsThatAreAlikeAreNotTheSame() {
    String form = UUID.randomUUID().toString() + "a";
    List<Long> numbers = new ArrayList<>();
    for (String each : List.of(form, form.toUpperCase(Locale.ROOT), form + " ", form + "á")) {
      numbers.add(shop().buy(ShopUnderTest.purchase(each, cart(67), 25, Optional.empty())));
    }
    assertEquals(4, numbers.stream().distinct().count());
  }

  /** Browsers choose the numbers of forms: one that buys may read like another kind's key. */
  @Test
  default void aFormThatBuysIsNoneThatAddsOrRegisters() {
    String form = UUID.randomUUID().toString();
    UUID cart = UUID.randomUUID();
    assertTrue(shop().addToCart(form, cart, 67));
    shop().register(form, cart, ShopUnderTest.newCustomer(ShopUnderTest.place()));
    for (String kind : List.of("cart-", "register-")) {
      String submission = kind + cart + form;
      long order = shop().buy(ShopUnderTest.purchase(submission, cart(67), 25, Optional.empty()));
      assertEquals(order, lastOrder(population().customer(25)).order().id());
      assertEquals(1, orders(submission));
    }
  }

  /** Else who has bought is logged in as the customer whose number the order has. */
  @Test
  default void aFormThatRegistersIsNoneThatHasBought() {
    String form = UUID.randomUUID().toString();
    UUID cart = UUID.randomUUID();
    for (String kind : List.of("cart-", "register-")) {
      shop().buy(ShopUnderTest.purchase(kind + cart + form, cart(67), 25, Optional.empty()));
    }
    Address place = ShopUnderTest.place();
    Customer made = shop().register(form, cart, ShopUnderTest.newCustomer(place)).customer();
    assertTrue(made.id() > population().customers(), () -> "logged in as " + made.id());
    assertEquals("Zoë", made.firstName());
    assertTrue(shop().addToCart(form, cart, 67));
  }

  @Test
  default void anotherCustomersFormIsRefused() {
    Purchase purchase = ShopUnderTest.purchase(cart(67), 26);
    shop().buy(purchase);
    UUID cart = cart(67);
    for (UUID each : List.of(cart, UUID.randomUUID())) {
      Purchase other = ShopUnderTest.purchase(purchase.submission(), each, 27, Optional.empty());
      assertThrows(ShopException.class, () -> shop().buy(other));
    }
    assertEquals(1, shop().cart(cart).books());
    assertEquals(1, orders(purchase.submission()));
  }

  @Test
  default void wrongPurchasesWriteNothing() {
    UUID cart = cart(68);
    Cart before = shop().cart(cart);
    int orders = shop().ledger().orders().size();
    assertRefused(ShopUnderTest.purchase(UUID.randomUUID(), 28));
    UUID emptied = cart(68);
    set(emptied, 68, 0);
    assertRefused(ShopUnderTest.purchase(emptied, 28));
    for (long unknown : new long[] {0, -1, 1_000_000}) {
      assertRefused(ShopUnderTest.purchase(cart, unknown));
    }
    for (String submission : List.of("", " ", "x".repeat(Checks.SUBMISSION_MAX + 1))) {
      assertRefused(ShopUnderTest.purchase(submission, cart, 28, Optional.empty()));
    }
    Stream.of("", "1".repeat(11), "1".repeat(20), "12345678901x", "１２３４５６７８９０１２")
        .forEach(number -> assertRefused(paidBy(cart, number, "Ada")));
    assertRefused(paidBy(cart, "123456789012", "A".repeat(NewCustomer.TEXT_MAX + 1)));
    CustomerContract.wrongAddresses()
        .forEach(
            address ->
                assertRefused(ShopUnderTest.purchase("wrong", cart, 28, Optional.of(address))));
    assertEquals(before, shop().cart(cart));
    assertEquals(orders, shop().ledger().orders().size());
  }

  private void assertRefused(Purchase purchase) {
    assertThrows(ShopException.class, () -> shop().buy(purchase), purchase::toString);
  }

  private static Purchase paidBy(UUID cart, String number, String holder) {
    return new Purchase(
        UUID.randomUUID().toString(),
        cart,
        28,
        CardType.VISA,
        number,
        holder,
        LocalDate.of(2030, 1, 1),
        ShipType.AIR,
        Optional.empty(),
        OptionalLong.empty());
  }

  @Test
  default void whatCostsSomethingElseThanWasToldIsNotBought() {
    UUID cart = cart(70);
    long told = shop().checkout(cart, 27).price().total();
    Purchase purchase = ShopUnderTest.purchase(cart, 27);
    Purchase asTold =
        new Purchase(
            purchase.submission(),
            cart,
            27,
            purchase.cardType(),
            purchase.cardNumber(),
            purchase.cardHolder(),
            purchase.cardExpires(),
            purchase.shipType(),
            purchase.shipTo(),
            OptionalLong.of(told));
    add(cart, 70);
    assertThrows(ShopException.class, () -> shop().buy(asTold));
    assertEquals(2, shop().cart(cart).books());
    set(cart, 70, 1);
    long order = shop().buy(asTold);
    add(cart, 70);
    add(cart, 70);
    assertEquals(order, shop().buy(asTold));
  }

  @Test
  default void cardsOfTwelveToNineteenDigitsAreTaken() {
    for (int digits = 12; digits <= 19; digits++) {
      String number = "9".repeat(digits);
      shop().buy(paidBy(cart(69), number, "Ł".repeat(NewCustomer.TEXT_MAX)));
      assertEquals(number, lastOrder(population().customer(28)).card().number());
    }
  }

  @Test
  default void aFormThatIsSentAtOnceBuysOnce() throws Exception {
    for (int round = 0; round < 5; round++) {
      UUID cart = cart(70);
      String form = UUID.randomUUID().toString();
      List<Long> numbers =
          ShopUnderTest.atOnce(
              thread ->
                  shop()
                      .buy(
                          ShopUnderTest.purchase(
                              form, thread % 2 == 0 ? cart : cart(70), 29, Optional.empty())));
      assertEquals(1, numbers.stream().distinct().count());
      assertEquals(1, orders(form));
    }
    assertRight(shop().ledger(), Map.of());
  }

  @Test
  default void aCartThatIsBoughtAtOnceIsBoughtOnce() throws Exception {
    for (int round = 0; round < 5; round++) {
      UUID cart = cart(70, 79);
      int before = shop().ledger().orders().size();
      List<Boolean> bought =
          ShopUnderTest.atOnce(
              thread -> {
                try {
                  return shop().buy(ShopUnderTest.purchase(cart, 29)) > 0;
                } catch (ShopException e) {
                  return false;
                }
              });
      assertEquals(1, bought.stream().filter(one -> one).count());
      assertEquals(before + 1, shop().ledger().orders().size());
    }
  }

  @Test
  default void booksAreRightAfterManyBoughtTheSame() throws Exception {
    List<Map<String, Long>> told =
        ShopUnderTest.atOnce(
            thread -> {
              Map<String, Long> own = new HashMap<>();
              for (int i = 0; i < 10; i++) {
                // In the one order or the other.
                UUID cart = thread % 2 == 0 ? cart(71, 72, 73) : cart(73, 72, 71);
                set(cart, 72, 1 + i);
                Purchase purchase = ShopUnderTest.purchase(cart, 30L + thread);
                own.put(purchase.submission(), shop().buy(purchase));
              }
              return own;
            });
    Map<String, Long> all = new HashMap<>();
    told.forEach(all::putAll);
    assertEquals(10 * THREADS, all.values().stream().distinct().count());
    assertRight(shop().ledger(), all);
  }

  private void assertRight(BookLedger ledger, Map<String, Long> told) {
    Books.Verdict verdict = Books.check(ledger, item -> population().stock(item).onHand(), told);
    assertTrue(verdict.right(), () -> verdict.first().toString());
    assertEquals(population().items(), ledger.stock().size());
  }

  @Test
  default void theLastOrderIsTheOneThatWasPlacedLast() {
    // The population's orders: these customers buy nothing here.
    for (long id = 40; id <= population().customers(); id++) {
      Customer customer = population().customer(id);
      Optional<Order> last = Optional.empty();
      for (long number = 1; number <= population().orders(); number++) {
        Order order = population().order(number);
        if (order.customer() == id
            && last.map(before -> !order.placed().isBefore(before.placed())).orElse(true)) {
          last = Optional.of(order);
        }
      }
      assertEquals(
          last.map(
              order ->
                  new OrderShown(
                      order,
                      customer,
                      population().address(order.billingAddress()),
                      population().address(order.shippingAddress()),
                      population().card(order))),
          shop().lastOrder(customer.userName(), customer.password()));
    }
  }
}
