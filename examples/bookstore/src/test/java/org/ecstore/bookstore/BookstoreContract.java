package org.ecstore.bookstore;

import java.util.Objects;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/**
 * What each implementation of the shop does, as {@link Bookstore} says it. One small shop is shared
 * by all tests of a class, each of which has books and customers of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BookstoreContract
    implements CatalogContract,
        SearchContract,
        CartContract,
        CustomerContract,
        PurchaseContract,
        ItemChangeContract,
        LedgerContract {
  private static final TpcwPopulation POPULATION = new TpcwPopulation(100, 60, OPENED);

  private @Nullable Bookstore shop;

  /** A shop of its own that is filled. */
  protected abstract Bookstore filled(TpcwPopulation population) throws Exception;

  @BeforeAll
  void open() throws Exception {
    shop = filled(POPULATION);
  }

  @AfterAll
  void close() {
    shop().close();
  }

  @Override
  public Bookstore shop() {
    return Objects.requireNonNull(shop);
  }

  @Override
  public TpcwPopulation population() {
    return POPULATION;
  }
}
