package org.ecstore.bookstore.population;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.LongStream;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Author;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.Countries;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.OrderLine;
import org.ecstore.bookstore.model.Price;
import org.ecstore.bookstore.model.Stock;
import org.junit.jupiter.api.Test;

/** TPC-W's ranges (TPC-W 1.8, 4.7), of some hundred numbers. */
final class TpcwPopulationTest {
  private static final Instant OPENED = Instant.parse("2026-01-15T10:11:12.345678Z");
  private static final TpcwPopulation POPULATION = new TpcwPopulation(1_000, 900, OPENED);
  private static final LocalDate TODAY = LocalDate.ofInstant(OPENED, ZoneOffset.UTC);

  private static void assertLength(String text, int least, int most) {
    assertTrue(
        text.length() >= least && text.length() <= most,
        () -> "%d to %d symbols: %s".formatted(least, most, text));
    assertEquals(text.strip(), text);
  }

  private static void assertWithin(long number, long least, long most) {
    assertTrue(
        number >= least && number <= most,
        () -> "%d within %d and %d".formatted(number, least, most));
  }

  private static void assertWithin(LocalDate day, LocalDate first, LocalDate last) {
    assertWithin(day.toEpochDay(), first.toEpochDay(), last.toEpochDay());
  }

  private static LongStream some() {
    return LongStream.rangeClosed(1, 900);
  }

  @Test
  void countsFollowFromBooksAndCustomers() {
    assertEquals(250, POPULATION.authors());
    assertEquals(1_800, POPULATION.addresses());
    assertEquals(810, POPULATION.orders());
    assertEquals(2_880 * 3, TpcwPopulation.ofBrowsers(1_000, 3, OPENED).customers());
  }

  @Test
  void aShopOfTooLittleIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> new TpcwPopulation(5, 10, OPENED));
    assertThrows(IllegalArgumentException.class, () -> new TpcwPopulation(6, 1, OPENED));
    assertEquals(1, new TpcwPopulation(6, 2, OPENED).authors());
  }

  @Test
  void booksAreAsRequired() {
    some().mapToObj(POPULATION::item).forEach(TpcwPopulationTest::assertItem);
  }

  private static void assertItem(Item item) {
    assertLength(item.title(), 14, 60);
    assertEquals(POPULATION.title(item.id()), item.title());
    assertLength(item.publisher(), 14, 60);
    assertLength(item.description(), 100, 500);
    assertWithin(item.listCents(), 100, 99_999);
    assertWithin(item.cents(), (item.listCents() + 1) / 2, item.listCents());
    assertWithin(item.published(), LocalDate.of(1930, 1, 1), LocalDate.of(2000, 12, 31));
    assertWithin(item.available(), item.published().plusDays(1), item.published().plusDays(30));
    assertTrue(item.isbn().matches("[0-9]{13}"), item.isbn());
    assertWithin(item.pages(), 20, 9_999);
    assertTrue(item.dimensions().matches("[0-9]{1,2} x [0-9]{1,2} x [0-9]{1,2}"));
    assertEquals(Item.RELATED, Set.copyOf(item.related()).size());
    item.related().forEach(other -> assertWithin(other, 1, 1_000));
    assertTrue(!item.related().contains(item.id()));
    Author author = POPULATION.author(item.authorId());
    assertEquals(
        List.of(author.firstName(), author.lastName()),
        List.of(item.authorFirstName(), item.authorLastName()));
    assertWithin(item.authorId(), 1, 250);
    assertTrue(item.id() > 250 || item.authorId() == item.id());
  }

  @Test
  void booksAreOfAllSubjectsAndBackings() {
    Set<BookSubject> subjects = new HashSet<>();
    Set<String> backings = new HashSet<>();
    some()
        .mapToObj(POPULATION::item)
        .forEach(
            item -> {
              subjects.add(item.subject());
              backings.add(item.backing());
            });
    assertEquals(Set.of(BookSubject.values()), subjects);
    assertEquals(5, backings.size());
  }

  @Test
  void stockIsTenToThirty() {
    Set<Long> onHand = new HashSet<>();
    some()
        .forEach(
            id -> {
              Stock stock = POPULATION.stock(id);
              assertEquals(0, stock.restocked());
              onHand.add(stock.onHand());
            });
    assertEquals(Set.copyOf(LongStream.rangeClosed(10, 30).boxed().toList()), Set.copyOf(onHand));
  }

  @Test
  void authorsAreAsRequired() {
    LongStream.rangeClosed(1, 250)
        .mapToObj(POPULATION::author)
        .forEach(
            author -> {
              assertLength(author.firstName(), 2, 20);
              assertLength(author.middleName(), 2, 20);
              assertLength(author.lastName(), 4, 20);
              assertLength(author.biography(), 125, 500);
            });
  }

  @Test
  void addressesAreAsRequired() {
    Set<Integer> countries = new HashSet<>();
    LongStream.rangeClosed(1, 1_800)
        .forEach(
            id -> {
              Address address = POPULATION.address(id);
              assertLength(address.street1(), 15, 40);
              assertLength(address.street2(), 15, 40);
              assertLength(address.city(), 4, 30);
              assertLength(address.state(), 2, 20);
              assertTrue(address.zip().matches("[0-9]{5,10}"), address.zip());
              countries.add(address.country());
            });
    assertEquals(Countries.count(), countries.size());
    countries.forEach(country -> assertWithin(country, 1, 92));
  }

  @Test
  void customersAreAsRequired() {
    some().mapToObj(POPULATION::customer).forEach(TpcwPopulationTest::assertCustomer);
  }

  private static void assertCustomer(Customer customer) {
    assertEquals(TpcwNames.digSyl(customer.id()), customer.userName());
    assertEquals(customer.userName().toLowerCase(Locale.ROOT), customer.password());
    assertWithin(customer.addressId(), 1, 1_800);
    assertTrue(customer.phone().matches("[0-9]{9,16}"), customer.phone());
    assertWithin(customer.since(), TODAY.minusDays(730), TODAY.minusDays(1));
    LocalDate before = LocalDate.ofInstant(customer.lastLogin(), ZoneOffset.UTC);
    assertWithin(before, customer.since(), customer.since().plusDays(60));
    assertTrue(!before.isAfter(TODAY));
    assertEquals(Instant.parse("2026-01-15T10:11:12.345Z"), customer.login());
    assertEquals(customer.login().plus(Duration.ofHours(2)), customer.expires());
    assertWithin(customer.discountPercent(), 0, 50);
    assertEquals(0, customer.balanceCents());
    assertWithin(customer.yearCents(), 0, 99_999);
    assertWithin(customer.born(), LocalDate.of(1880, 1, 1), LocalDate.of(2000, 1, 1));
    assertLength(customer.data(), 100, 500);
  }

  @Test
  void ordersAreAsRequired() {
    LongStream.rangeClosed(1, 810)
        .mapToObj(POPULATION::order)
        .forEach(TpcwPopulationTest::assertOrder);
  }

  private static void assertOrder(Order order) {
    assertWithin(order.customer(), 1, 900);
    assertTrue(!order.placed().isAfter(OPENED.minus(Duration.ofDays(1))));
    assertTrue(order.placed().isAfter(OPENED.minus(Duration.ofDays(60))));
    assertEquals(order.placed().truncatedTo(ChronoUnit.MILLIS), order.placed());
    assertEquals("", order.submission());
    assertWithin(Duration.between(order.placed(), order.ships()).toDays(), 0, 7);
    assertWithin(order.billingAddress(), 1, 1_800);
    assertWithin(order.shippingAddress(), 1, 1_800);
    assertWithin(order.price().subtotal(), 1_000, 999_999);
    long books = order.lines().stream().mapToLong(OrderLine::quantity).sum();
    assertEquals(Price.ofSubtotal(order.price().subtotal(), books), order.price());
    assertWithin(order.lines().size(), 1, 5);
    assertEquals(
        order.lines().size(), order.lines().stream().map(OrderLine::item).distinct().count());
    order.lines().forEach(TpcwPopulationTest::assertLine);
    assertCard(order, POPULATION.card(order));
  }

  private static void assertLine(OrderLine line) {
    Item item = POPULATION.item(line.item());
    assertEquals(item.title(), line.title());
    assertEquals(item.subject(), line.subject());
    assertWithin(line.quantity(), 1, 300);
    assertWithin(line.cents(), 100, 99_999);
    assertWithin(line.discountPercent(), 0, 30);
    assertLength(line.comments(), 20, 100);
  }

  private static void assertCard(Order order, CardTransaction card) {
    assertEquals(order.id(), card.order());
    assertTrue(card.number().matches("[0-9]{16}"), card.number());
    assertTrue(card.authorization().matches("[0-9]{15}"), card.authorization());
    assertWithin(card.expires(), TODAY.plusDays(10), TODAY.plusDays(730));
    assertEquals(order.price().total(), card.cents());
    assertEquals(order.placed(), card.when());
    assertWithin(card.country(), 1, 92);
  }

  @Test
  void theSameNumberGivesTheSame() {
    TpcwPopulation other = new TpcwPopulation(1_000, 900, OPENED);
    some()
        .limit(300)
        .forEach(
            id -> {
              assertEquals(POPULATION.item(id), other.item(id));
              assertEquals(POPULATION.stock(id), other.stock(id));
              assertEquals(POPULATION.author(id), other.author(id));
              assertEquals(POPULATION.address(id), other.address(id));
              assertEquals(POPULATION.customer(id), other.customer(id));
              assertEquals(POPULATION.order(id), other.order(id));
              assertEquals(POPULATION.card(POPULATION.order(id)), other.card(other.order(id)));
            });
  }

  @Test
  void numbersGiveDifferentRecords() {
    assertEquals(900, some().mapToObj(POPULATION::item).map(Item::description).distinct().count());
    assertEquals(900, some().mapToObj(POPULATION::address).distinct().count());
    assertEquals(900, some().mapToObj(POPULATION::customer).distinct().count());
    assertTrue(some().mapToObj(POPULATION::title).distinct().count() > 850);
    assertTrue(some().mapToObj(POPULATION::order).map(Order::placed).distinct().count() > 890);
  }
}
