package org.ecstore.bookstore;

import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.ShipType;
import org.ecstore.bookstore.population.TpcwPopulation;

/** A filled shop that tests share, each with carts of its own, and with what they do in it. */
interface ShopUnderTest {
  Instant OPENED = Instant.parse("2025-03-30T01:30:00.123Z");

  /** Known to none of the population. */
  Address NEW_PLACE = new Address("1 New Street", "Flat 'B'", "Łódź", "", "00-001", 75);

  int THREADS = 8;

  Bookstore shop();

  TpcwPopulation population();

  /** All books as they are now. */
  default List<Item> items() {
    return LongStream.rangeClosed(1, population().items())
        .mapToObj(item -> product(item).item())
        .toList();
  }

  default Product product(long item) {
    return shop().product(item).orElseThrow();
  }

  static Book book(Item item) {
    return new Book(
        item.id(),
        item.title(),
        item.authorFirstName() + " " + item.authorLastName(),
        item.thumbnail(),
        item.cents());
  }

  /** A new cart with one of each of some books. */
  default UUID cart(long... items) {
    UUID cart = UUID.randomUUID();
    for (long item : items) {
      add(cart, item);
    }
    return cart;
  }

  default Cart add(UUID cart, long item) {
    return shop().changeCart(cart, OptionalLong.of(item), Map.of());
  }

  default Cart set(UUID cart, long item, long quantity) {
    return shop().changeCart(cart, OptionalLong.empty(), Map.of(item, quantity));
  }

  static Purchase purchase(UUID cart, long customer) {
    return purchase(UUID.randomUUID().toString(), cart, customer, Optional.empty());
  }

  static Purchase purchase(String submission, UUID cart, long customer, Optional<Address> shipTo) {
    return new Purchase(
        submission,
        cart,
        customer,
        CardType.AMEX,
        "123456789012345",
        "Ada Ström",
        LocalDate.of(2031, 12, 31),
        ShipType.FEDEX,
        shipTo,
        OptionalLong.empty());
  }

  static NewCustomer newCustomer(Address address) {
    return new NewCustomer(
        "Zoë",
        "O'Hara \"\\%_",
        address,
        "+48 123",
        "zoe@example.com",
        LocalDate.of(1901, 2, 28),
        "reads 📚; DROP TABLE customer");
  }

  /** Somewhere where no test was before. */
  static Address place() {
    return new Address(UUID.randomUUID().toString(), "", "Town", "State", "12345", 1);
  }

  default OrderShown lastOrder(Customer customer) {
    return shop().lastOrder(customer.userName(), customer.password()).orElseThrow();
  }

  static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  /** What each thread has got of its own number, when all began at once. */
  static <T> List<T> atOnce(Function<Integer, T> work) throws Exception {
    CountDownLatch begin = new CountDownLatch(THREADS);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<T>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        Callable<T> all =
            () -> {
              begin.countDown();
              begin.await();
              return work.apply(number);
            };
        running.add(threads.submit(all));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> one : running) {
        results.add(one.get());
      }
      return results;
    }
  }

  /** Texts that no user name or password of a customer is, but are like one. */
  static Stream<String> unlike(String text) {
    return Stream.of(
        "", text + " ", " " + text, text + "x", swapped(text), text + "\0", "%", "' OR 1=1");
  }

  private static String swapped(String text) {
    char first = text.charAt(0);
    char other =
        Character.isUpperCase(first) ? Character.toLowerCase(first) : Character.toUpperCase(first);
    return other + text.substring(1);
  }
}
