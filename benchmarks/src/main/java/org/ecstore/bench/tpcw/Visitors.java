package org.ecstore.bench.tpcw;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.NewCustomer;
import org.ecstore.bookstore.Purchase;
import org.ecstore.bookstore.SearchWords;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.CardTransaction.CardType;
import org.ecstore.bookstore.model.CartLine;
import org.ecstore.bookstore.model.ShipType;
import org.ecstore.bookstore.population.TpcwNames;
import org.ecstore.bookstore.population.TpcwPopulation;

/** What emulated browsers choose and type (TPC-W 1.8, 2 and 5.3): for one thread. */
final class Visitors {
  private static final double KNOWN = 0.8;
  private static final double OTHER_ADDRESS = 0.05;
  private static final int QUANTITY_MAX = 10;

  private final RandomGenerator random;
  private final TpcwPopulation population;
  private final Bookstore.Size size;

  /**
   * For a shop that was filled by a population.
   *
   * @param population whose titles and names are searched for
   */
  Visitors(RandomGenerator random, TpcwPopulation population) {
    this.random = random;
    this.population = population;
    this.size = new Bookstore.Size(population.items(), population.customers(), population.orders());
  }

  RandomGenerator random() {
    return random;
  }

  /** Four of five come as a customer that the shop was filled with. */
  Optional<Browsing.Who> who() {
    return random.nextDouble() < KNOWN ? Optional.of(customer()) : Optional.empty();
  }

  /** A customer that the shop was filled with. */
  Browsing.Who customer() {
    long id = TpcwNames.customer(size.customers(), random);
    String userName = TpcwNames.digSyl(id);
    return new Browsing.Who(id, userName, userName.toLowerCase(Locale.ROOT));
  }

  long item() {
    return TpcwNames.item(size.items(), random);
  }

  /** One of the books on a page; any if there are none. */
  long oneOf(List<Long> listed) {
    return listed.isEmpty() ? item() : listed.get(random.nextInt(listed.size()));
  }

  /** The book that is looked at; any if none was. */
  long looked(Browsing browsing) {
    return browsing.book() == 0 ? item() : browsing.book();
  }

  /**
   * What is done with a cart; only looked at if neither is there.
   *
   * @param quantities of its books from now on; empty for no change
   */
  record CartStep(OptionalLong add, Map<Long, Long> quantities) {}

  /** From a book that is put into it, from the cart it is changed, and an empty one gets a book. */
  CartStep cartStep(Interaction from, Browsing browsing) {
    if (from == Interaction.PRODUCT_DETAIL) {
      return new CartStep(OptionalLong.of(looked(browsing)), Map.of());
    } else if (browsing.lines().isEmpty()) {
      return new CartStep(OptionalLong.of(item()), Map.of());
    } else if (from == Interaction.SHOPPING_CART) {
      return new CartStep(OptionalLong.empty(), quantities(browsing.lines()));
    }
    return new CartStep(OptionalLong.empty(), Map.of());
  }

  BookSubject subject() {
    return one(BookSubject.values());
  }

  /** A word of some book's title. */
  String titleWord() {
    List<String> words = new ArrayList<>(SearchWords.of(population.title(item())));
    return words.get(random.nextInt(words.size()));
  }

  /** The last name of some author. */
  String lastName() {
    return population.author(random.nextLong(1, population.authors() + 1)).lastName();
  }

  /**
   * Other quantities for some books of a cart that has some: from 1 to 10 if it has one, else of
   * some of them from 0 to 9, so that something is left.
   */
  Map<Long, Long> quantities(List<CartLine> lines) {
    Map<Long, Long> changed = new HashMap<>();
    if (lines.size() == 1) {
      changed.put(lines.getFirst().item(), random.nextLong(1, QUANTITY_MAX + 1));
      return changed;
    }
    int kept = random.nextInt(lines.size());
    for (int line = 0; line < lines.size(); line++) {
      if (random.nextBoolean()) {
        long least = line == kept ? 1 : 0;
        changed.put(lines.get(line).item(), random.nextLong(least, QUANTITY_MAX));
      }
    }
    return changed;
  }

  private Address address() {
    return population.address(random.nextLong());
  }

  NewCustomer newCustomer() {
    var like = population.customer(random.nextLong(1L << 40));
    return new NewCustomer(
        like.firstName(),
        like.lastName(),
        address(),
        like.phone(),
        like.email(),
        like.born(),
        like.data());
  }

  Purchase purchase(Browsing browsing, long customer, LocalDate today) {
    return new Purchase(
        browsing.submission(),
        browsing.cart(),
        customer,
        one(CardType.values()),
        "%016d".formatted(random.nextLong(10_000_000_000_000_000L)),
        "A Reader",
        today.plusDays(random.nextLong(10, 731)),
        one(ShipType.values()),
        random.nextDouble() < OTHER_ADDRESS ? Optional.of(address()) : Optional.empty(),
        OptionalLong.of(browsing.total()));
  }

  /** A price, in cents. */
  long price() {
    return random.nextLong(100, 100_000);
  }

  private <T> T one(T[] of) {
    return of[random.nextInt(of.length)];
  }
}
