package org.ecstore.tools.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.key.Tuple;

/**
 * Clients that move amounts between accounts and count what they did in the same transaction, and
 * at times add up all accounts. They notice whatever is lost, done twice or half, and how long each
 * of them got nothing done.
 */
final class HonestClients implements AutoCloseable {
  private static final Table<String> ACCOUNTS = Table.of("honest-accounts", Codec.utf8());
  private static final Table<String> COUNTS = Table.of("honest-counts", Codec.utf8());
  private static final int CLIENTS = 4;
  private static final int ACCOUNT_COUNT = 16;
  private static final long OPENING = 1_000;
  private static final int READS_OF = 4;
  private static final long PAUSE_MILLIS = 2;
  private static final long REFUSED_PAUSE_MILLIS = 20;

  private final EcStore store;
  private final Consumer<String> finding;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();

  /** When each of them last got something done. */
  private final AtomicLongArray lastNanos = new AtomicLongArray(CLIENTS);

  private final List<Thread> threads = new ArrayList<>();

  /** Makes the accounts and begins. */
  HonestClients(String addresses, long seed, Consumer<String> finding) {
    this.store = EcStore.connect(addresses, EcStoreOptions.DEFAULT.application("honest"));
    this.finding = finding;
    store.execute(
        tx -> {
          for (int i = 0; i < ACCOUNT_COUNT; i++) {
            put(tx, ACCOUNTS, i, OPENING);
          }
        });
    SplittableRandom seeds = new SplittableRandom(seed);
    for (int i = 0; i < CLIENTS; i++) {
      int number = i;
      SplittableRandom random = seeds.split();
      lastNanos.set(i, System.nanoTime());
      threads.add(
          Thread.ofPlatform().daemon().name("honest-" + i).start(() -> run(number, random)));
    }
  }

  private static void put(Transaction tx, Table<String> table, long key, long value) {
    tx.put(table, Tuple.of(key), Long.toString(value));
  }

  private static long get(Snapshot from, Table<String> table, long key) {
    return Long.parseLong(from.get(table, Tuple.of(key)).orElse("0"));
  }

  private void run(int number, SplittableRandom random) {
    long acknowledged = 0;
    long unknown = 0;
    try {
      while (!over.get()) {
        try {
          if (random.nextInt(READS_OF) == 0) {
            addUp();
          } else {
            transfer(number, random, acknowledged, acknowledged + unknown);
            acknowledged++;
          }
          succeeded(number);
          Thread.sleep(PAUSE_MILLIS);
        } catch (UnknownOutcomeException e) {
          unknown++;
          refused.incrementAndGet();
        } catch (EcStoreException e) {
          refused.incrementAndGet();
          Thread.sleep(REFUSED_PAUSE_MILLIS);
        }
      }
      last(number, acknowledged, unknown);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      finding.accept("an honest client failed: " + e);
    }
  }

  private void succeeded(int number) {
    long now = System.nanoTime();
    long gap = now - lastNanos.getAndSet(number, now);
    longestNanos.accumulateAndGet(gap, Math::max);
    done.incrementAndGet();
  }

  private void transfer(int number, SplittableRandom random, long least, long most) {
    int from = random.nextInt(ACCOUNT_COUNT);
    int to = (from + 1 + random.nextInt(ACCOUNT_COUNT - 1)) % ACCOUNT_COUNT;
    store.execute(
        tx -> {
          long count = get(tx, COUNTS, number);
          check(number, count, least, most);
          put(tx, ACCOUNTS, from, get(tx, ACCOUNTS, from) - 1);
          put(tx, ACCOUNTS, to, get(tx, ACCOUNTS, to) + 1);
          put(tx, COUNTS, number, count + 1);
        });
  }

  private void check(int number, long count, long least, long most) {
    if (count < least || count > most) {
      finding.accept(
          "honest client %d reads that it did %d transfers; it did %d to %d"
              .formatted(number, count, least, most));
    }
  }

  private void addUp() {
    long total =
        store.<Long, RuntimeException>read(
            from -> IntStream.range(0, ACCOUNT_COUNT).mapToLong(i -> get(from, ACCOUNTS, i)).sum());
    if (total != ACCOUNT_COUNT * OPENING) {
      finding.accept("the accounts add up to " + total);
    }
  }

  private void last(int number, long acknowledged, long unknown) {
    long count = store.<Long, RuntimeException>read(from -> get(from, COUNTS, number));
    check(number, count, acknowledged, acknowledged + unknown);
    addUp();
  }

  /** Transactions done so far. */
  long done() {
    return done.get();
  }

  /** Transactions that were refused, or whose outcome is not known. */
  long refused() {
    return refused.get();
  }

  /** The longest time for which one of them got nothing done, since this was last asked. */
  long longestMillis() {
    long now = System.nanoTime();
    long longest = longestNanos.getAndSet(0);
    for (int i = 0; i < CLIENTS; i++) {
      longest = Math.max(longest, now - lastNanos.get(i));
    }
    return TimeUnit.NANOSECONDS.toMillis(longest);
  }

  /** Ends them after a last look. */
  void end() throws InterruptedException {
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Override
  public void close() {
    over.set(true);
    store.close();
  }
}
