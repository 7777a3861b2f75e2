package org.ecstore.bench.process;

import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.transactions.PaperMix;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Session;
import org.ecstore.client.StoreStatus;
import org.ecstore.client.Table;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * A mix of the paper's simplified TPC-W on a store that runs, as {@link
 * org.ecstore.bench.transactions.ShopTransactions} has it for simulated nodes. Products, carts and
 * orders lie in one table, under keys that begin with a product's or a customer's number, so that
 * each range has as many of both.
 */
final class MixLoad implements Load {
  static final Table<Bytes> SHOP = Table.of("shop", Codec.bytes());

  private static final Bytes VALUE = Bytes.wrap(new byte[200]);
  private static final String PRODUCT = "product";
  private static final String CART = "cart";
  private static final String ORDER = "order";

  private final EcStore store;
  private final PaperMix mix;
  private final int size;
  private final AtomicLong orders;
  private final NavigableMap<Bytes, NodeId> primaries = new TreeMap<>();
  private final LongAdder done = new LongAdder();
  private final LongAdder onOneNode = new LongAdder();

  /**
   * A mix on what {@link #product} and {@link #cart} are the keys of.
   *
   * @param size how many products there are, and how many customers
   * @param orders numbers of orders, so that none is used twice
   */
  MixLoad(EcStore store, PaperMix mix, int size, AtomicLong orders) {
    this.store = store;
    this.mix = mix;
    this.size = size;
    this.orders = orders;
    for (StoreStatus.StoreRange range : store.status(SHOP).ranges()) {
      primaries.put(range.keys().start(), range.primary());
    }
  }

  static Tuple product(long number) {
    return Tuple.of(number, PRODUCT);
  }

  static Tuple cart(long customer) {
    return Tuple.of(customer, CART);
  }

  private static Tuple order(long customer, long number) {
    return Tuple.of(customer, ORDER, number);
  }

  /**
   * How many transactions have had keys of one primary only, as a part of all, by the ranges as
   * they were when this was made.
   */
  double onOneNode() {
    return onOneNode.doubleValue() / done.sum();
  }

  private NodeId primary(Tuple key) {
    return Objects.requireNonNull(primaries.floorEntry(key.encode(SHOP.keys().start()))).getValue();
  }

  private void count(Tuple... keys) {
    long nodes = Stream.of(keys).map(this::primary).distinct().count();
    done.increment();
    if (nodes == 1) {
      onOneNode.increment();
    }
  }

  @Override
  public Client client(int number, int clients) {
    Session session = store.session();
    SplittableRandom random = new SplittableRandom();
    return () -> {
      long one = random.nextInt(size);
      if (random.nextInt(100) >= mix.updates()) {
        return read(session, one);
      }
      return random.nextBoolean() ? put(session, one) : order(session, one);
    };
  }

  private LoadOutcome read(Session session, long product) {
    Tuple key = product(product);
    boolean there = session.read(snapshot -> snapshot.get(SHOP, key)).isPresent();
    count(key);
    return there ? LoadOutcome.done(PRODUCT, 1) : LoadOutcome.failed(PRODUCT, "not there");
  }

  private LoadOutcome put(Session session, long customer) {
    Tuple cart = cart(customer);
    int[] tries = {0};
    session.execute(
        tx -> {
          tries[0]++;
          tx.put(SHOP, cart, VALUE);
        });
    count(cart);
    return new LoadOutcome(CART, 1, tries[0] - 1L, Optional.empty());
  }

  private LoadOutcome order(Session session, long customer) {
    Tuple cart = cart(customer);
    Tuple order = order(customer, orders.incrementAndGet());
    int[] tries = {0};
    boolean[] there = {false};
    session.execute(
        tx -> {
          tries[0]++;
          there[0] = tx.get(SHOP, cart).isPresent();
          tx.put(SHOP, order, VALUE);
        });
    count(cart, order);
    return there[0]
        ? new LoadOutcome(ORDER, 2, tries[0] - 1L, Optional.empty())
        : LoadOutcome.failed(ORDER, "no cart");
  }
}
