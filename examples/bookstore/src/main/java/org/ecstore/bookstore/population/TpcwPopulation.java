package org.ecstore.bookstore.population;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Author;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.Countries;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.OrderLine;
import org.ecstore.bookstore.model.Price;
import org.ecstore.bookstore.model.ShipType;
import org.ecstore.bookstore.model.Stock;

/**
 * What a new shop has in it, each record by its number from 1 on: always the same for the same
 * number, so that two stores are filled alike and a check knows what there was at first.
 *
 * <p>TPC-W's rules (TPC-W 1.8, 4.3.1, 4.7), but that texts are of words, not of any letters.
 *
 * @param items how many books
 * @param customers how many
 * @param opened when the shop opens: its orders are of 60 days before
 */
public record TpcwPopulation(long items, long customers, Instant opened) {
  /** How long a customer is logged in. */
  private static final Duration LOGIN = Duration.ofHours(2);

  private static final List<String> BACKINGS =
      List.of("Hardback", "Paperback", "Used", "Audio", "Limited edition");
  private static final int ITEMS_OF_AN_AUTHOR = 4;
  private static final int ADDRESSES_OF_A_CUSTOMER = 2;

  public TpcwPopulation {
    if (items <= Item.RELATED || customers < 2) {
      throw new IllegalArgumentException(
          "a shop has %d books and 2 customers at least, not %d and %d"
              .formatted(Item.RELATED + 1, items, customers));
    }
  }

  /** For so many emulated browsers at most: 2,880 customers each. */
  public static TpcwPopulation ofBrowsers(long items, long browsers, Instant opened) {
    return new TpcwPopulation(items, browsers * TpcwNames.CUSTOMERS_OF_A_BROWSER, opened);
  }

  /** How many authors. */
  public long authors() {
    return Math.max(1, items / ITEMS_OF_AN_AUTHOR);
  }

  /** How many addresses a shop is filled with that has so many customers. */
  public static long addresses(long customers) {
    return customers * ADDRESSES_OF_A_CUSTOMER;
  }

  /** How many addresses. */
  public long addresses() {
    return addresses(customers);
  }

  /** How many orders. */
  public long orders() {
    return customers * 9 / 10;
  }

  /**
   * How many records a shop is filled with: a book with its stock is two, and so is an order with
   * what was paid.
   */
  public long records() {
    return 2 * items + authors() + addresses() + customers + 2 * orders();
  }

  /** Tables, so that records of two have nothing to do with each other. */
  private enum Kind {
    ITEM(0),
    AUTHOR(1),
    ADDRESS(2),
    CUSTOMER(3),
    ORDER(4),
    CARD(5),
    STOCK(6),
    TITLE(7);

    private final int number;

    Kind(int number) {
      this.number = number;
    }
  }

  private static RandomGenerator random(Kind kind, long id) {
    return new SplittableRandom(kind.number * 0x9E3779B97F4A7C15L + id);
  }

  private LocalDate today() {
    return LocalDate.ofInstant(opened, ZoneOffset.UTC);
  }

  /** A book. */
  public Item item(long id) {
    RandomGenerator random = random(Kind.ITEM, id);
    Author author = author(id <= authors() ? id : random.nextLong(1, authors() + 1));
    long list = random.nextLong(100, 100_000);
    LocalDate published = LocalDate.of(1930, 1, 1).plusDays(random.nextLong(0, 71L * 365));
    return new Item(
        id,
        title(id),
        author.id(),
        author.firstName(),
        author.lastName(),
        published,
        Vocabulary.name(14, 60, random),
        subject(id),
        Vocabulary.text(100, 500, random),
        related(id, random),
        "small-" + id,
        "large-" + id,
        list,
        list - list * random.nextLong(0, 51) / 100,
        published.plusDays(random.nextLong(1, 31)),
        digits(13, random),
        random.nextInt(20, 10_000),
        BACKINGS.get(random.nextInt(BACKINGS.size())),
        "%d x %d x %d"
            .formatted(random.nextInt(1, 100), random.nextInt(1, 100), random.nextInt(1, 100)));
  }

  /** A book's title: what a browser searches for. */
  public String title(long item) {
    return Vocabulary.title(random(Kind.TITLE, item));
  }

  private static BookSubject subject(long item) {
    BookSubject[] all = BookSubject.values();
    return all[random(Kind.TITLE, -item).nextInt(all.length)];
  }

  private List<Long> related(long item, RandomGenerator random) {
    Set<Long> related = new LinkedHashSet<>();
    while (related.size() < Item.RELATED) {
      long other = random.nextLong(1, items + 1);
      if (other != item) {
        related.add(other);
      }
    }
    return List.copyOf(related);
  }

  private static String digits(int count, RandomGenerator random) {
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < count; i++) {
      digits.append(random.nextInt(10));
    }
    return digits.toString();
  }

  /** How many there are of a book at first. */
  public Stock stock(long item) {
    return new Stock(random(Kind.STOCK, item).nextLong(10, 31), 0);
  }

  /** An author. */
  public Author author(long id) {
    RandomGenerator random = random(Kind.AUTHOR, id);
    return new Author(
        id,
        Vocabulary.firstName(random),
        Vocabulary.firstName(random),
        Vocabulary.lastName(random),
        LocalDate.of(1800, 1, 1).plusDays(random.nextLong(0, 190L * 365)),
        Vocabulary.text(125, 500, random));
  }

  /** An address. */
  public Address address(long id) {
    RandomGenerator random = random(Kind.ADDRESS, id);
    return new Address(
        random.nextInt(1, 1_000) + " " + Vocabulary.name(15, 36, random),
        Vocabulary.name(15, 40, random),
        Vocabulary.name(4, 30, random),
        Vocabulary.name(2, 20, random),
        digits(random.nextInt(5, 11), random),
        random.nextInt(1, Countries.count() + 1));
  }

  /** A customer; the password is the user name in small letters. */
  public Customer customer(long id) {
    RandomGenerator random = random(Kind.CUSTOMER, id);
    String userName = TpcwNames.digSyl(id);
    String first = Vocabulary.firstName(random);
    String last = Vocabulary.lastName(random);
    LocalDate since = today().minusDays(random.nextLong(1, 731));
    LocalDate login = since.plusDays(random.nextLong(0, 61));
    return new Customer(
        id,
        userName,
        userName.toLowerCase(Locale.ROOT),
        first,
        last,
        random.nextLong(1, addresses() + 1),
        digits(random.nextInt(9, 17), random),
        userName.toLowerCase(Locale.ROOT) + "@example.com",
        since,
        (login.isAfter(today()) ? today() : login).atStartOfDay(ZoneOffset.UTC).toInstant(),
        opened.truncatedTo(ChronoUnit.MILLIS),
        opened.plus(LOGIN).truncatedTo(ChronoUnit.MILLIS),
        random.nextInt(0, 51),
        0,
        random.nextLong(0, 100_000),
        LocalDate.of(1880, 1, 1).plusDays(random.nextLong(0, 120L * 365)),
        Vocabulary.text(100, 500, random));
  }

  /** An order. */
  public Order order(long id) {
    RandomGenerator random = random(Kind.ORDER, id);
    Instant placed =
        opened
            .minus(Duration.ofMillis(random.nextLong(86_400_000L, 60 * 86_400_000L)))
            .truncatedTo(ChronoUnit.MILLIS);
    List<OrderLine> lines = new ArrayList<>();
    Set<Long> books = new LinkedHashSet<>();
    int count = random.nextInt(1, 6);
    while (books.size() < count) {
      books.add(random.nextLong(1, items + 1));
    }
    for (long book : books) {
      lines.add(
          new OrderLine(
              book,
              title(book),
              subject(book),
              random.nextLong(1, 301),
              random.nextLong(100, 100_000),
              random.nextInt(0, 31),
              Vocabulary.text(20, 100, random)));
    }
    long quantity = lines.stream().mapToLong(OrderLine::quantity).sum();
    return new Order(
        id,
        random.nextLong(1, customers + 1),
        placed,
        "",
        Price.ofSubtotal(random.nextLong(1_000, 1_000_000), quantity),
        one(ShipType.values(), random),
        placed.plus(Duration.ofDays(random.nextLong(0, 8))),
        random.nextLong(1, addresses() + 1),
        random.nextLong(1, addresses() + 1),
        one(Order.Status.values(), random),
        List.copyOf(lines));
  }

  /** What was taken for an order. */
  public CardTransaction card(Order order) {
    RandomGenerator random = random(Kind.CARD, order.id());
    return new CardTransaction(
        order.id(),
        one(CardType.values(), random),
        digits(16, random),
        Vocabulary.firstName(random) + " " + Vocabulary.lastName(random),
        today().plusDays(random.nextLong(10, 731)),
        digits(15, random),
        order.price().total(),
        order.placed(),
        random.nextInt(1, Countries.count() + 1));
  }

  private static <T> T one(T[] of, RandomGenerator random) {
    return of[random.nextInt(of.length)];
  }
}
