package org.ecstore.bench.changes;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.store.EcStoreDb;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.client.ChangeReader;
import org.ecstore.client.ChangedCommit;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Clients that write, each record with the time at which its write began, and readers that follow
 * all commits, each by a store of its own. All are in this process, so that there is one clock.
 */
public final class FollowedLoad implements AutoCloseable {
  private static final Table<Bytes> TABLE = Table.of("followed", Codec.bytes());
  private static final int VALUE_BYTES = 200;
  private static final Duration WAIT = Duration.ofMillis(200);
  private static final Duration CATCH_UP = Duration.ofSeconds(60);
  private static final String TITLE = "write";

  private final String addresses;
  private final long count;
  private final EcStore store;
  private final AtomicLong inserted = new AtomicLong();
  private final AtomicLong written = new AtomicLong();
  private final List<Follower> followers = new ArrayList<>();

  /**
   * On a store.
   *
   * @param count how many records there are
   * @throws IllegalArgumentException if it is another than ecStore
   */
  public FollowedLoad(Target target, long count) {
    if (!(target instanceof EcStoreTarget ecstore)) {
      throw new IllegalArgumentException("changes are measured of ecstore, not " + target.name());
    }
    this.count = count;
    this.addresses = ecstore.properties().getProperty(EcStoreDb.ADDRESSES);
    this.store = EcStore.connect(addresses);
  }

  /** A reader on a thread of its own. Safe for use by several threads. */
  private static final class Follower {
    private final EcStore store;
    private final Histogram lagMicros = new ConcurrentHistogram(3);
    private final AtomicLong commits = new AtomicLong();
    private final Thread thread;
    private volatile boolean ending;
    private volatile Optional<String> failure = Optional.empty();

    Follower(String addresses, int number) {
      store = EcStore.connect(addresses);
      ChangeReader<Bytes> reader = store.changes(TABLE).open();
      thread = Thread.ofPlatform().name("follower-" + number).daemon().start(() -> follow(reader));
    }

    private void follow(ChangeReader<Bytes> reader) {
      try (reader) {
        while (!ending) {
          reader.next(WAIT).ifPresent(this::take);
        }
      } catch (EcStoreException e) {
        failure = Optional.of(String.valueOf(e.getMessage()));
      }
    }

    private void take(ChangedCommit<Bytes> commit) {
      long now = System.nanoTime();
      commit
          .changes()
          .forEach(
              change ->
                  change
                      .value()
                      .ifPresent(
                          value ->
                              lagMicros.recordValue(
                                  TimeUnit.NANOSECONDS.toMicros(Math.max(0, now - begun(value))))));
      commits.incrementAndGet();
    }

    void end() throws InterruptedException {
      ending = true;
      thread.join(TimeUnit.SECONDS.toMillis(30));
      store.close();
    }
  }

  private static Bytes value() {
    return Bytes.wrap(ByteBuffer.allocate(VALUE_BYTES).putLong(System.nanoTime()).array());
  }

  private static long begun(Bytes value) {
    return ByteBuffer.wrap(value.array()).getLong();
  }

  /** Inserts records until all are there; to be called by several threads. */
  public void insert(Runnable done) {
    for (long i = inserted.getAndIncrement(); i < count; i = inserted.getAndIncrement()) {
      long number = i;
      store.execute(tx -> tx.put(TABLE, Tuple.of(number), value()));
      done.run();
    }
  }

  /** Clients that write, followed by so many readers. */
  public Load followedBy(int readers) {
    return (number, clients) -> {
      if (number == 0) {
        begin(readers);
      }
      SplittableRandom random = new SplittableRandom();
      return () -> write(random.nextLong(count));
    };
  }

  private void begin(int readers) {
    written.set(0);
    for (int i = 0; i < readers; i++) {
      followers.add(new Follower(addresses, i));
    }
  }

  private LoadOutcome write(long number) {
    try {
      store.execute(tx -> tx.put(TABLE, Tuple.of(number), value()));
      written.incrementAndGet();
      return LoadOutcome.done(TITLE, 1);
    } catch (EcStoreException e) {
      return LoadOutcome.failed(TITLE, e.code().name());
    }
  }

  /**
   * What came of the readers of the last workload.
   *
   * @param written commits that were acknowledged, those of the warm-up among them
   * @param leastFollowed of the reader that was told fewest
   * @param caughtUpMillis after the last write until all had been told all
   * @param failures of readers that ended before their time
   */
  public record Followed(
      int readers,
      long written,
      long leastFollowed,
      long caughtUpMillis,
      Histogram lagMicros,
      List<String> failures) {}

  /** Waits until all is told, ends the readers, and says what came of them. */
  public Followed end() {
    long begun = System.nanoTime();
    long wanted = written.get();
    try {
      while (followers.stream().anyMatch(one -> isBehind(one, wanted))
          && System.nanoTime() - begun < CATCH_UP.toNanos()) {
        Thread.sleep(1);
      }
      long caughtUp = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      Histogram lag = new Histogram(3);
      List<String> failures = new ArrayList<>();
      long least = wanted;
      for (Follower each : followers) {
        each.end();
        lag.add(each.lagMicros);
        each.failure.ifPresent(failures::add);
        least = Math.min(least, each.commits.get());
      }
      int readers = followers.size();
      followers.clear();
      return new Followed(readers, wanted, least, caughtUp, lag, failures);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while readers caught up", e);
    }
  }

  private static boolean isBehind(Follower one, long wanted) {
    return one.commits.get() < wanted && one.failure.isEmpty();
  }

  @Override
  public void close() {
    var _ = end();
    store.close();
  }
}
