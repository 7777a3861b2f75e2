package org.ecstore.bookstore;

import java.nio.file.Path;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.junit.jupiter.api.io.TempDir;

final class EcStoreBookstoreLimitsTest extends BookstoreLimitsContract {
  @TempDir private static Path directory = Path.of("");

  @Override
  protected Bookstore filled(TpcwPopulation population) throws Exception {
    return EcStoreBookstoreTest.filled(directory, population);
  }
}
