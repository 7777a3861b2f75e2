package org.ecstore.bookstore;

import org.ecstore.bookstore.mariadb.MariaDbBookstore;
import org.ecstore.bookstore.mariadb.MariaDbFiller;
import org.ecstore.bookstore.mariadb.MariaDbSettings;
import org.ecstore.bookstore.population.TpcwPopulation;

final class MariaDbBookstoreLimitsTest extends BookstoreLimitsContract {
  @Override
  protected Bookstore filled(TpcwPopulation population) throws Exception {
    MariaDbSettings settings = BookstoreMariaDb.get().database();
    MariaDbFiller.fill(settings, population, records -> {});
    return MariaDbBookstore.open(settings);
  }
}
