package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Price;
import org.ecstore.bookstore.population.TpcwNames;
import org.junit.jupiter.api.Test;

/** How customers log in and register. Customers from 1 to 19 only log in here. */
interface CustomerContract extends ShopUnderTest {
  Duration LOGIN = Duration.ofHours(2);

  private Checkout logIn(UUID cart, Customer customer) {
    return shop().logIn(cart, customer.userName(), customer.password());
  }

  private static void assertNow(Instant moment, Instant before) {
    assertFalse(moment.isBefore(before));
    assertFalse(moment.isAfter(ShopUnderTest.now()));
  }

  @Test
  default void whoLogsInSeesWhatTheCartCosts() {
    Customer customer = population().customer(1);
    UUID cart = cart(45, 46);
    set(cart, 46, 12);
    Instant before = ShopUnderTest.now();
    Checkout checkout = logIn(cart, customer);
    Instant login = checkout.customer().login();
    assertNow(login, before);
    assertEquals(customer.loggedIn(login, login.plus(LOGIN)), checkout.customer());
    assertEquals(population().address(customer.addressId()), checkout.address());
    assertEquals(shop().cart(cart), checkout.cart());
    assertEquals(13, checkout.cart().books());
    assertEquals(
        Price.of(checkout.cart().cents(), 13, customer.discountPercent()), checkout.price());
  }

  @Test
  default void theLoginBeforeIsKept() {
    Customer customer = population().customer(2);
    UUID cart = UUID.randomUUID();
    Checkout first = logIn(cart, customer);
    assertEquals(customer.login(), first.customer().lastLogin());
    Checkout second = logIn(cart, customer);
    assertEquals(first.customer().login(), second.customer().lastLogin());
    assertEquals(List.of(), second.cart().lines());
    assertEquals(new Price(0, 0, 300), second.price());
  }

  @Test
  default void otherNamesAndPasswordsAreRefused() {
    Customer customer = population().customer(3);
    UUID cart = cart(45);
    ShopUnderTest.unlike(customer.userName())
        .forEach(name -> assertRefused(cart, name, customer.password()));
    ShopUnderTest.unlike(customer.password())
        .forEach(password -> assertRefused(cart, customer.userName(), password));
    assertRefused(cart, customer.userName(), population().customer(4).password());
    assertRefused(cart, "OG".repeat(2_000), customer.password());
    assertEquals(customer.login(), logIn(cart, customer).customer().lastLogin());
  }

  private void assertRefused(UUID cart, String userName, String password) {
    assertThrows(ShopException.class, () -> shop().logIn(cart, userName, password));
    assertThrows(ShopException.class, () -> shop().lastOrder(userName, password));
  }

  @Test
  default void whoIsLoggedInSeesTheSameAgain() {
    UUID cart = cart(45, 46, 44);
    set(cart, 46, 12);
    Checkout first = logIn(cart, population().customer(5));
    assertEquals(first, shop().checkout(cart, 5));
    for (UUID empty : List.of(cart(), UUID.randomUUID())) {
      Checkout none = shop().checkout(empty, 5);
      assertEquals(first.customer(), none.customer());
      assertEquals(first.address(), none.address());
      assertEquals(List.of(), none.cart().lines());
      assertEquals(new Price(0, 0, 300), none.price());
    }
    for (long unknown : new long[] {0, -1, 1_000_000}) {
      assertThrows(ShopException.class, () -> shop().checkout(cart, unknown));
    }
  }

  @Test
  default void whoRegistersIsLoggedIn() {
    NewCustomer wanted = ShopUnderTest.newCustomer(ShopUnderTest.place());
    UUID cart = cart(47, 48);
    Instant before = ShopUnderTest.now();
    Checkout checkout = shop().register(cart, wanted);
    Customer made = checkout.customer();
    assertTrue(made.id() > population().customers());
    assertEquals(TpcwNames.digSyl(made.id()), made.userName());
    assertEquals(made.userName().toLowerCase(Locale.ROOT), made.password());
    assertEquals(
        wanted,
        new NewCustomer(
            made.firstName(),
            made.lastName(),
            checkout.address(),
            made.phone(),
            made.email(),
            made.born(),
            made.data()));
    assertTrue(made.addressId() > population().addresses());
    assertNow(made.login(), before);
    assertEquals(made.login(), made.lastLogin());
    assertEquals(made.login().plus(LOGIN), made.expires());
    assertEquals(LocalDate.ofInstant(made.login(), ZoneOffset.UTC), made.since());
    assertTrue(made.discountPercent() >= 0 && made.discountPercent() <= 50);
    assertEquals(List.of(0L, 0L), List.of(made.balanceCents(), made.yearCents()));
    assertEquals(shop().cart(cart), checkout.cart());
    assertEquals(Price.of(checkout.cart().cents(), 2, made.discountPercent()), checkout.price());
    Checkout again = logIn(cart, made);
    Instant login = again.customer().login();
    assertEquals(made.loggedIn(login, login.plus(LOGIN)), again.customer());
    assertEquals(wanted.address(), again.address());
  }

  @Test
  default void eachWhoRegistersIsAnother() throws Exception {
    Address shared = ShopUnderTest.place();
    List<Customer> made =
        ShopUnderTest.atOnce(
            thread ->
                shop().register(UUID.randomUUID(), ShopUnderTest.newCustomer(shared)).customer());
    assertEquals(THREADS, made.stream().map(Customer::userName).distinct().count());
    assertEquals(1, made.stream().map(Customer::addressId).distinct().count());
    Set<Integer> discounts = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      discounts.add(register(shared).discountPercent());
    }
    assertTrue(discounts.size() > 1, "discounts are drawn");
  }

  @Test
  default void aRegistrationThatIsSentAgainMakesOneCustomer() throws Exception {
    NewCustomer wanted = ShopUnderTest.newCustomer(ShopUnderTest.place());
    UUID cart = cart(47, 48);
    String form = UUID.randomUUID().toString();
    List<Checkout> all = ShopUnderTest.atOnce(thread -> shop().register(form, cart, wanted));
    Checkout again = shop().register(form, cart, wanted);
    assertTrue(again.customer().id() > population().customers());
    assertEquals(Set.of(again), Set.copyOf(all));
    assertEquals(shop().cart(cart), again.cart());
    assertEquals(wanted.address(), again.address());
    Customer other = shop().register("another", cart, wanted).customer();
    assertNotEquals(again.customer().id(), other.id());
    // Another's form, from another browser, logs no one in as that customer.
    Customer stranger = shop().register(form, UUID.randomUUID(), wanted).customer();
    assertNotEquals(again.customer().id(), stranger.id());
    assertThrows(ShopException.class, () -> shop().register(" ", cart, wanted));
  }

  private Customer register(Address address) {
    return shop().register(UUID.randomUUID(), ShopUnderTest.newCustomer(address)).customer();
  }

  @Test
  default void anAddressThatIsThereIsTaken() {
    Address known = population().address(7);
    assertEquals(7, register(known).addressId());
    long made = register(NEW_PLACE).addressId();
    assertEquals(made, register(NEW_PLACE).addressId());
    List<Address> others =
        List.of(
            new Address("1 new street", "Flat 'B'", "Łódź", "", "00-001", 75),
            new Address("1 New Street", "Flat 'B' ", "Łódź", "", "00-001", 75),
            new Address("1 New Street", "Flat 'B'", "Lódz", "", "00-001", 75),
            new Address("1 New Street", "Flat 'B'", "Łódź", " ", "00-001", 75),
            new Address("1 New Street", "Flat 'B'", "Łódź", "", "00-001 ", 75),
            new Address("1 New Street", "Flat 'B'", "Łódź", "", "00-001", 76));
    Set<Long> numbers = new HashSet<>(Set.of(made, 7L));
    for (Address other : others) {
      assertTrue(numbers.add(register(other).addressId()), () -> other + " is another");
    }
  }

  @Test
  default void textsMayBeLongButNotLonger() {
    String text = "Ł".repeat(NewCustomer.TEXT_MAX);
    String line = "Ł".repeat(Checks.SHORT_TEXT_MAX);
    LocalDate born = LocalDate.of(2000, 2, 29);
    Address longest = new Address(line, line, line, line, line, 92);
    NewCustomer long5 = new NewCustomer(text, text, longest, text, text, born, text);
    Customer made = shop().register(UUID.randomUUID(), long5).customer();
    assertEquals(text, logIn(UUID.randomUUID(), made).customer().data());
    assertEquals(longest, logIn(UUID.randomUUID(), made).address());
    String more = text + ".";
    Stream.of(
            new NewCustomer(more, text, longest, text, text, born, text),
            new NewCustomer(text, more, longest, text, text, born, text),
            new NewCustomer(text, text, longest, more, text, born, text),
            new NewCustomer(text, text, longest, text, more, born, text),
            new NewCustomer(text, text, longest, text, text, born, more))
        .forEach(this::assertRefused);
    wrongAddresses().forEach(address -> assertRefused(ShopUnderTest.newCustomer(address)));
  }

  private void assertRefused(NewCustomer customer) {
    assertThrows(ShopException.class, () -> shop().register(UUID.randomUUID(), customer));
  }

  /** Each with one thing that is wrong. */
  static Stream<Address> wrongAddresses() {
    String more = "Ł".repeat(Checks.SHORT_TEXT_MAX + 1);
    return Stream.of(
        new Address(more, "", "", "", "", 1),
        new Address("", more, "", "", "", 1),
        new Address("", "", more, "", "", 1),
        new Address("", "", "", more, "", 1),
        new Address("", "", "", "", more, 1),
        new Address("", "", "", "", "", 0),
        new Address("", "", "", "", "", -1),
        new Address("", "", "", "", "", 93));
  }

  @Test
  default void whoRegistersHasNoOrder() {
    Customer made = register(ShopUnderTest.place());
    assertTrue(shop().lastOrder(made.userName(), made.password()).isEmpty());
    assertNotEquals(0, made.id());
  }
}
