package org.ecstore.bookstore.ecstore;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.LongConsumer;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.model.Countries;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.population.BatchedFill;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.client.EcStore;
import org.ecstore.client.Transaction;
import org.ecstore.key.Tuple;

/** Fills a store with a new shop: in transactions of some hundred records, by several threads. */
public final class EcStoreFiller {
  private static final int BATCH = 200;

  private final EcStore store;
  private final TpcwPopulation population;
  private final LongConsumer progress;

  private EcStoreFiller(EcStore store, TpcwPopulation population, LongConsumer progress) {
    this.store = store;
    this.population = population;
    this.progress = progress;
  }

  /** Writes what belongs to a number. */
  private interface Writer {
    void write(Transaction tx, long id);
  }

  /**
   * A table, or two with the same numbers.
   *
   * @param records that are written for each number
   */
  private record Part(long count, long records, Writer writer) {}

  /**
   * Fills it; what an earlier call that was broken off had written is written again.
   *
   * @param progress is told how many records were written since it was told last, of {@link
   *     TpcwPopulation#records()}
   * @throws IllegalStateException if there is a shop
   */
  public static void fill(EcStore store, TpcwPopulation population, LongConsumer progress)
      throws InterruptedException {
    if (store.<Boolean, RuntimeException>read(
        at -> at.exists(ShopTables.SHOP, ShopTables.SHOP_KEY))) {
      throw new IllegalStateException("the store has a shop already: fill another one");
    }
    ShopTables.open(store);
    new EcStoreFiller(store, population, progress).fill();
  }

  private void fill() throws InterruptedException {
    store.execute(
        tx -> {
          for (int number = 1; number <= Countries.count(); number++) {
            tx.put(ShopTables.COUNTRIES, Tuple.of(number), Countries.name(number));
          }
        });
    for (Part part : parts()) {
      write(part);
    }
    store.execute(
        tx ->
            tx.put(
                ShopTables.SHOP,
                ShopTables.SHOP_KEY,
                new Bookstore.Size(
                    population.items(), population.customers(), population.orders())));
  }

  private List<Part> parts() {
    return List.of(
        new Part(
            population.items(),
            2,
            (tx, id) -> {
              tx.put(ShopTables.ITEMS, Tuple.of(id), population.item(id));
              tx.put(ShopTables.STOCK, Tuple.of(id), population.stock(id));
            }),
        new Part(
            population.authors(),
            1,
            (tx, id) -> tx.put(ShopTables.AUTHORS, Tuple.of(id), population.author(id))),
        new Part(
            population.addresses(),
            1,
            (tx, id) -> tx.put(ShopTables.ADDRESSES, Tuple.of(id), population.address(id))),
        new Part(
            population.customers(),
            1,
            (tx, id) -> tx.put(ShopTables.CUSTOMERS, Tuple.of(id), population.customer(id))),
        new Part(
            population.orders(),
            2,
            (tx, id) -> {
              Order order = population.order(id);
              tx.put(ShopTables.ORDERS, Tuple.of(id), order);
              tx.put(ShopTables.CARDS, Tuple.of(id), population.card(order));
            }));
  }

  private void write(Part part) throws InterruptedException {
    try {
      BatchedFill.run(
          part.count(),
          BATCH,
          () -> (from, to) -> write(part.writer(), from, to),
          numbers -> progress.accept(numbers * part.records()));
    } catch (ExecutionException e) {
      throw new IllegalStateException("the shop cannot be filled: " + e.getCause(), e);
    }
  }

  private void write(Writer writer, long from, long to) {
    store.execute(
        tx -> {
          for (long id = from; id <= to; id++) {
            writer.write(tx, id);
          }
        });
  }
}
