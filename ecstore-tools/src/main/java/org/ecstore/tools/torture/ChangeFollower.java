package org.ecstore.tools.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.ecstore.client.ChangeReader;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.Nothing;
import org.ecstore.client.Table;
import org.ecstore.client.error.AlreadyExistsException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.ecstore.tools.torture.workload.Workload;
import org.ecstore.verify.check.Anomaly;
import org.ecstore.verify.history.Attempt;

/**
 * A program that follows what the clients commit (rule 29), by a name, from one store and then from
 * another: it notes each commit's number in a table of its own, in the transaction by which the
 * feed remembers that it was applied. So each commit that a client knows of is noted once, and in
 * order. Safe for use by several threads.
 */
public final class ChangeFollower implements AutoCloseable {
  private static final Table<Nothing> NOTED = Table.of("torture-changes", Codec.nothing());
  private static final String NAME = "torture";

  /** Below those of all clients. */
  private static final Tuple LAST_KEY = Tuple.of(0L, -1_000_000L);

  private static final Duration WAIT = Duration.ofMillis(500);
  private static final Duration LAST_WAIT = Duration.ofSeconds(5);
  private static final long PAUSE_MILLIS = 200;
  private static final long CATCH_UP_MILLIS = 120_000;

  /** Then another takes the name over, as where a process is started again elsewhere. */
  private static final int COMMITS_AT_ONCE = 500;

  private final List<EcStore> stores;
  private final Thread thread;
  private final Queue<Anomaly> anomalies = new ConcurrentLinkedQueue<>();
  private final List<String> undecided = new ArrayList<>();
  private Set<Long> noted = Set.of();
  private final AtomicLong applied = new AtomicLong();
  private final AtomicLong opened = new AtomicLong();

  /** The number of the last commit that it follows. */
  private volatile long until = Long.MAX_VALUE;

  private ChangeReader<String> reader;
  private long last;

  /** What it did: commits applied, and how often another reader took over. */
  public record Counts(long applied, long opened) {}

  /** Begins before the first commit. */
  ChangeFollower(List<EcStore> stores) {
    this.stores = List.copyOf(stores);
    this.reader = open();
    this.thread = Thread.ofPlatform().name("torture-follower").daemon().start(this::run);
  }

  private ChangeReader<String> open() {
    EcStore store = stores.get((int) (opened.getAndIncrement() % stores.size()));
    return store.changes(Workload.TABLE).named(NAME).open();
  }

  private void run() {
    int inThisOne = 0;
    try {
      while (true) {
        try {
          boolean isLast = until < Long.MAX_VALUE;
          boolean found = apply(isLast ? LAST_WAIT : WAIT);
          inThisOne += found ? 1 : 0;
          if (last >= until || (isLast && !found)) {
            return;
          }
          if (inThisOne >= COMMITS_AT_ONCE) {
            ChangeReader<String> next = open();
            reader.close();
            reader = next;
            inThisOne = 0;
          }
        } catch (AlreadyExistsException e) {
          anomalies.add(new Anomaly("change-twice", String.valueOf(e.getMessage())));
          return;
        } catch (EcStoreException e) {
          if (!TortureClient.expected(e.code())) {
            anomalies.add(new Anomaly("client-error", "following: " + e));
            return;
          }
          Thread.sleep(PAUSE_MILLIS);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      anomalies.add(new Anomaly("client-error", "following: " + e));
    }
  }

  private boolean apply(Duration wait) {
    long[] number = {0};
    boolean found =
        reader.<RuntimeException>applyNext(
            wait,
            (tx, commit) -> {
              number[0] = commit.number().value();
              tx.insert(NOTED, Tuple.of(number[0]), Nothing.NOTHING);
            });
    // A commit whose answer was lost is found to be done by the next call, which has none then.
    if (found && number[0] > 0) {
      if (number[0] <= last) {
        anomalies.add(new Anomaly("changes-out-of-order", number[0] + " was told after " + last));
      }
      last = number[0];
      applied.incrementAndGet();
    }
    return found;
  }

  /** Follows all that is committed, and ends: all clients must have. */
  void finish() {
    try (ManualTransaction tx = stores.getFirst().begin()) {
      tx.put(Workload.TABLE, LAST_KEY, "the last one");
      tx.commit();
      until = tx.commitNumber().orElseThrow().value();
    } catch (EcStoreException e) {
      undecided.add("the last commit to follow was not possible: " + e.getMessage());
      return;
    }
    try {
      thread.join(CATCH_UP_MILLIS);
      if (thread.isAlive()) {
        undecided.add("the follower of changes has not caught up in time");
        return;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return;
    }
    try {
      noted =
          stores
              .getFirst()
              .session()
              .with(ReadLevel.STRONG)
              .<Set<Long>, RuntimeException>read(
                  at ->
                      at.scan(NOTED)
                          .keys()
                          .map(key -> key.number(0))
                          .collect(Collectors.toCollection(TreeSet::new)));
    } catch (EcStoreException e) {
      undecided.add("what the follower of changes noted could not be read: " + e.getMessage());
    }
  }

  /** Commits of a history that clients know of and that were not told. */
  List<Anomaly> missing(List<Attempt> attempts) {
    return undecided.isEmpty() ? missing(attempts, noted) : List.of();
  }

  static List<Anomaly> missing(List<Attempt> attempts, Set<Long> noted) {
    List<Anomaly> found = new ArrayList<>();
    for (Attempt attempt : attempts) {
      OptionalLong number = attempt.number();
      if (attempt.isOk()
          && attempt.writes()
          && number.isPresent()
          && !noted.contains(number.getAsLong())) {
        found.add(new Anomaly("change-missing", attempt.toString()));
      }
    }
    return found;
  }

  /** What must not be. */
  List<Anomaly> anomalies() {
    return List.copyOf(anomalies);
  }

  /** Why nothing can be said. */
  List<String> undecided() {
    return List.copyOf(undecided);
  }

  Counts counts() {
    return new Counts(applied.get(), opened.get());
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(5));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    reader.close();
  }
}
