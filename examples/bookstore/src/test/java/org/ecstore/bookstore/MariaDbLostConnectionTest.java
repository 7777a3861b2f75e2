package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.ecstore.bookstore.audit.BookLedger;
import org.ecstore.bookstore.audit.Books;
import org.ecstore.bookstore.mariadb.MariaDbBookstore;
import org.ecstore.bookstore.mariadb.MariaDbException;
import org.ecstore.bookstore.mariadb.MariaDbFiller;
import org.ecstore.bookstore.mariadb.MariaDbSettings;
import org.ecstore.bookstore.mariadb.MariaDbSettings.Isolation;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a transaction whose connection is lost where it is committed. */
final class MariaDbLostConnectionTest {
  private static final TpcwPopulation POPULATION = new TpcwPopulation(20, 10, ShopUnderTest.OPENED);

  /** What is done to a shop whose connections can be cut. */
  private interface Work {
    void run(Bookstore shop, CommitCutter cutter) throws Exception;
  }

  private static void inShop(Isolation isolation, Work work) throws Exception {
    MariaDbSettings settings = BookstoreMariaDb.get().database();
    MariaDbFiller.fill(settings, POPULATION, records -> {});
    URI server = URI.create(settings.url().substring("jdbc:".length()));
    try (CommitCutter cutter = new CommitCutter(server.getPort())) {
      String url = "jdbc:mariadb://127.0.0.1:" + cutter.port() + server.getPath();
      MariaDbSettings cut =
          new MariaDbSettings(url, settings.user(), settings.password(), 2, isolation);
      try (MariaDbBookstore shop = MariaDbBookstore.open(cut)) {
        work.run(shop, cutter);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void aPurchaseIsSettled(Isolation isolation) throws Exception {
    inShop(
        isolation,
        (shop, cutter) -> {
          for (CommitCutter.Cut cut : CommitCutter.Cut.values()) {
            UUID cart = UUID.randomUUID();
            shop.changeCart(cart, OptionalLong.of(7), Map.of());
            Purchase purchase = ShopUnderTest.purchase(cart, 3);
            int before = shop.ledger().orders().size();
            cutter.cut(cut);
            long number = shop.buy(purchase);
            BookLedger ledger = shop.ledger();
            assertEquals(before + 1, ledger.orders().size(), cut::name);
            Books.Verdict verdict =
                Books.check(
                    ledger,
                    item -> POPULATION.stock(item).onHand(),
                    Map.of(purchase.submission(), number));
            assertTrue(verdict.right(), () -> cut + ": " + verdict.first());
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Isolation.class)
  void whatIsNotSettledIsAnError(Isolation isolation) throws Exception {
    inShop(
        isolation,
        (shop, cutter) -> {
          UUID cart = UUID.randomUUID();
          for (CommitCutter.Cut cut :
              new CommitCutter.Cut[] {CommitCutter.Cut.BEFORE, CommitCutter.Cut.AFTER}) {
            long before = shop.cart(cart).books();
            cutter.cut(cut);
            assertThrows(
                MariaDbException.class, () -> shop.changeCart(cart, OptionalLong.of(7), Map.of()));
            assertEquals(before + (cut == CommitCutter.Cut.AFTER ? 1 : 0), shop.cart(cart).books());
          }
          assertEquals(0, shop.tries().conflicts());
        });
  }
}
