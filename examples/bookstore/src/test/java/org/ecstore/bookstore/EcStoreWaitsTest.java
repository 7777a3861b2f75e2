package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.bookstore.ecstore.EcStoreBookstore;
import org.ecstore.bookstore.ecstore.EcStoreFiller;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.observe.Observed;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.model.Isolation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often each page waits for the store, where one range has all: docs/bookstore.md says it. */
final class EcStoreWaitsTest {
  private static final TpcwPopulation POPULATION =
      new TpcwPopulation(200, 100, ShopUnderTest.OPENED);

  private static final int TIMES = 4;

  @TempDir private Path directory = Path.of("");

  private final AtomicInteger waits = new AtomicInteger();
  private final Map<String, Integer> found = new LinkedHashMap<>();

  private final StoreObserver counting =
      new StoreObserver() {
        @Override
        public Observed begin(OperationKind kind, Optional<String> table) {
          if (kind.isRequest()) {
            waits.incrementAndGet();
          }
          return Observed.IGNORED;
        }
      };

  /**
   * The fewest of some times: now and again a page also waits for what is not its own, a block of
   * numbers or a commit that is tried again.
   */
  private void page(String name, Runnable page) {
    int fewest = Integer.MAX_VALUE;
    for (int time = 0; time < TIMES; time++) {
      waits.set(0);
      page.run();
      fewest = Math.min(fewest, waits.get());
    }
    found.put(name, fewest);
  }

  @Test
  void pagesWaitAsOftenAsTheirDocumentSays() throws InterruptedException {
    EcStore store = EcStore.open(directory, EcStoreOptions.DEFAULT.observer(counting));
    EcStoreFiller.fill(store, POPULATION, records -> {});
    try (Bookstore shop = EcStoreBookstore.owning(store, Isolation.SERIALIZABLE)) {
      Customer customer = POPULATION.customer(POPULATION.order(1).customer());
      UUID cart = UUID.randomUUID();
      page("home", () -> shop.home(OptionalLong.of(customer.id()), 7));
      page("new products", () -> shop.newProducts(BookSubject.ARTS));
      page("book", () -> shop.product(7));
      page("search", () -> shop.search(BookSubject.ARTS));
      page("first book in a cart", () -> add(shop, UUID.randomUUID(), 7));
      add(shop, cart, 9);
      page("another book in a cart", () -> add(shop, cart, 8));
      page("log-in", () -> shop.logIn(cart, customer.userName(), customer.password()));
      page(
          "registration",
          () -> shop.register(cart, ShopUnderTest.newCustomer(ShopUnderTest.place())));
      page("buy request", () -> shop.checkout(cart, customer.id()));
      page(
          "buy confirm and a cart for it",
          () -> {
            add(shop, cart, 9);
            shop.buy(ShopUnderTest.purchase(cart, customer.id()));
          });
      page("order display", () -> shop.lastOrder(customer.userName(), customer.password()));
    }
    assertEquals(
        Map.ofEntries(
            Map.entry("home", 2),
            Map.entry("new products", 1),
            Map.entry("book", 2),
            Map.entry("search", 1),
            Map.entry("first book in a cart", 2),
            Map.entry("another book in a cart", 3),
            Map.entry("log-in", 4),
            Map.entry("registration", 4),
            Map.entry("buy request", 2),
            Map.entry("buy confirm and a cart for it", 6),
            Map.entry("order display", 5)),
        found);
  }

  private static void add(Bookstore shop, UUID cart, long item) {
    var _ = shop.changeCart(cart, OptionalLong.of(item), Map.of());
  }
}
