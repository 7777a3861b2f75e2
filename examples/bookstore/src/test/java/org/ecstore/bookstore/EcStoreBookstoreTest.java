package org.ecstore.bookstore;

import java.nio.file.Path;
import org.ecstore.bookstore.ecstore.EcStoreBookstore;
import org.ecstore.bookstore.ecstore.EcStoreFiller;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.client.EcStore;
import org.ecstore.model.Isolation;
import org.junit.jupiter.api.io.TempDir;

final class EcStoreBookstoreTest extends BookstoreContract {
  @TempDir private static Path directory = Path.of("");

  @Override
  protected Bookstore filled(TpcwPopulation population) throws Exception {
    return filled(directory, population);
  }

  static Bookstore filled(Path directory, TpcwPopulation population) throws InterruptedException {
    EcStore store = EcStore.open(directory);
    EcStoreFiller.fill(store, population, records -> {});
    return EcStoreBookstore.owning(store, Isolation.SERIALIZABLE);
  }
}
