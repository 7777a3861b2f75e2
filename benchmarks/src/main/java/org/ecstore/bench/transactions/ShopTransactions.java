package org.ecstore.bench.transactions;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.ecstore.bench.transactions.TransactionLoad.Transaction;
import org.ecstore.key.Bytes;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Route;
import org.ecstore.sim.world.SimRandom;

/**
 * What the paper's shop does: it reads a product, puts into a customer's cart (one write), or
 * orders (one read of the cart, one write of an order). Products and customers are drawn evenly.
 * Each range has as many of both: where nodes split when they joined does not matter. Paper:
 * ecStore, C.3.
 */
public final class ShopTransactions implements Supplier<Transaction> {
  private final PaperMix mix;
  private final ReadLevel level;
  private final int perRange;
  private final boolean together;
  private final List<Route> ranges;
  private final SimRandom random;
  private int orders;

  /**
   * Transactions of one run.
   *
   * @param level at which products are read; the others have {@link ReadLevel#SESSION}
   * @param perRange products of each range, and customers
   * @param together whether a customer's cart and orders are neighbours, under keys that begin with
   *     the customer; else they have keys of their own, as in a table for carts and one for orders
   */
  public ShopTransactions(
      PaperMix mix,
      ReadLevel level,
      int perRange,
      boolean together,
      List<Route> ranges,
      SimRandom random) {
    this.mix = mix;
    this.level = level;
    this.perRange = perRange;
    this.together = together;
    this.ranges = List.copyOf(ranges);
    this.random = random;
  }

  @Override
  public Transaction get() {
    boolean writes = random.between(1, 100) <= mix.updates();
    if (!writes) {
      return transaction(List.of(key(range(), "!item%05d".formatted(any()))), List.of(), level);
    }
    Route home = range();
    int customer = any();
    Bytes cart = key(home, "!user%05d/cart".formatted(customer));
    if (random.between(0, 1) == 0) {
      return transaction(List.of(), List.of(cart), ReadLevel.SESSION);
    }
    Route orders = together ? home : range();
    Bytes order = key(orders, "!user%05d/order%07d".formatted(customer, ++this.orders));
    return transaction(List.of(cart), List.of(order), ReadLevel.SESSION);
  }

  private static Transaction transaction(List<Bytes> reads, List<Bytes> writes, ReadLevel level) {
    return new Transaction(reads, Optional.empty(), writes, false, Optional.of(level));
  }

  private Route range() {
    return random.pick(ranges);
  }

  private int any() {
    return random.between(0, perRange - 1);
  }

  private static Bytes key(Route range, String rest) {
    Bytes key = range.keys().start().concat(Bytes.utf8(rest));
    if (!range.keys().contains(key)) {
      throw new IllegalStateException(key + " is not in " + range);
    }
    return key;
  }
}
