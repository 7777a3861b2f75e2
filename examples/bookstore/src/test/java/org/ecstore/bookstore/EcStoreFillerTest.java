package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.bookstore.audit.Books;
import org.ecstore.bookstore.ecstore.EcStoreBookstore;
import org.ecstore.bookstore.ecstore.EcStoreFiller;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.client.EcStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EcStoreFillerTest {
  private static final TpcwPopulation POPULATION =
      new TpcwPopulation(10, 20, Instant.parse("2026-06-01T00:00:00Z"));

  @Test
  void aShopIsFilledOnce(@TempDir Path directory) throws Exception {
    try (EcStore store = EcStore.open(directory)) {
      assertThrows(IllegalStateException.class, () -> EcStoreBookstore.open(store));
      AtomicLong records = new AtomicLong();
      EcStoreFiller.fill(store, POPULATION, records::addAndGet);
      assertEquals(POPULATION.records(), records.get());
      try (EcStoreBookstore shop = EcStoreBookstore.open(store)) {
        assertEquals(new Bookstore.Size(10, 20, 18), shop.size());
        assertTrue(
            Books.check(shop.ledger(), item -> POPULATION.stock(item).onHand(), Map.of()).right());
      }
      IllegalStateException e =
          assertThrows(
              IllegalStateException.class, () -> EcStoreFiller.fill(store, POPULATION, more -> {}));
      assertTrue(String.valueOf(e.getMessage()).contains("already"), e::toString);
    }
  }
}
