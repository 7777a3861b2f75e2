package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.ecstore.bookstore.audit.Books;
import org.ecstore.bookstore.mariadb.MariaDbBookstore;
import org.ecstore.bookstore.mariadb.MariaDbException;
import org.ecstore.bookstore.mariadb.MariaDbFiller;
import org.ecstore.bookstore.mariadb.MariaDbSettings;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.junit.jupiter.api.Test;

final class MariaDbFillerTest {
  private static final TpcwPopulation POPULATION =
      new TpcwPopulation(700, 20, ShopUnderTest.OPENED);

  private static void fill(MariaDbSettings settings) throws Exception {
    MariaDbFiller.fill(settings, POPULATION, records -> {});
  }

  private static void assertSays(String expected, Exception refused) {
    String said = String.valueOf(refused.getMessage());
    assertTrue(said.contains(expected), said);
  }

  @Test
  void allRecordsAreReported() throws Exception {
    MariaDbSettings settings = BookstoreMariaDb.get().database();
    LongAdder reported = new LongAdder();
    MariaDbFiller.fill(settings, POPULATION, reported::add);
    assertEquals(POPULATION.records(), reported.sum());
    assertEquals(2 * 700 + 175 + 40 + 20 + 2 * 18, reported.sum());
    try (MariaDbBookstore shop = MariaDbBookstore.open(settings)) {
      assertEquals(new Bookstore.Size(700, 20, 18), shop.size());
      assertTrue(
          Books.check(shop.ledger(), item -> POPULATION.stock(item).onHand(), Map.of()).right());
    }
  }

  @Test
  void aShopIsNotFilledTwice() throws Exception {
    MariaDbSettings settings = BookstoreMariaDb.get().database();
    fill(settings);
    IllegalStateException refused = assertThrows(IllegalStateException.class, () -> fill(settings));
    assertSays("there is a shop in this database", refused);
    try (MariaDbBookstore shop = MariaDbBookstore.open(settings)) {
      assertTrue(shop.product(700).isPresent());
    }
  }

  @Test
  void aFillingThatWasBrokenOffIsSeen() throws Exception {
    MariaDbSettings settings = BookstoreMariaDb.get().database();
    assertThrows(
        MariaDbException.class,
        () ->
            MariaDbFiller.fill(
                settings,
                POPULATION,
                records -> {
                  throw new IllegalStateException("it is broken off");
                }));
    IllegalStateException refused = assertThrows(IllegalStateException.class, () -> fill(settings));
    assertSays("drop its tables", refused);
    assertThrows(IllegalStateException.class, () -> MariaDbBookstore.open(settings));
    MariaDbFiller.drop(settings);
    fill(settings);
    MariaDbBookstore.open(settings).close();
  }

  @Test
  void anEmptyDatabaseHasNoShop() throws Exception {
    MariaDbSettings settings = BookstoreMariaDb.get().database();
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> MariaDbBookstore.open(settings));
    assertSays("fill it first", refused);
    MariaDbFiller.drop(settings);
  }

  @Test
  void aDatabaseThatCannotBeReachedIsAnError() throws Exception {
    MariaDbSettings settings = BookstoreMariaDb.get().database();
    MariaDbSettings other = MariaDbSettings.of(settings.url(), settings.user(), "wrong", 1);
    assertThrows(MariaDbException.class, () -> MariaDbBookstore.open(other));
    assertThrows(MariaDbException.class, () -> fill(other));
    assertThrows(
        IllegalArgumentException.class,
        () -> MariaDbSettings.of(settings.url(), settings.user(), "secret", 0));
  }
}
