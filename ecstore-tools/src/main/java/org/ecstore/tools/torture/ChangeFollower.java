package org.ecstore.tools.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.ecstore.client.ChangeReader;
import org.ecstore.client.ChangedCommit;
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
 * A program that follows what the clients commit (rule 29), through one store and then another: it
 * notes the numbers of some commits in a table of its own, and in the same transaction the token to
 * go on with. So each commit that a client knows of is noted once, and in order, wherever the
 * program stops. Safe for use by several threads.
 */
public final class ChangeFollower implements AutoCloseable {
  private static final Table<Nothing> NOTED = Table.of("torture-changes", Codec.nothing());
  private static final Table<String> TOKENS = Table.of("torture-tokens", Codec.utf8());
  private static final Tuple TOKEN = Tuple.of("follower");

  /** Below those of all clients. */
  private static final Tuple LAST_KEY = Tuple.of(0L, -1_000_000L);

  private static final Duration WAIT = Duration.ofMillis(500);
  private static final long PAUSE_MILLIS = 200;
  private static final long CATCH_UP_MILLIS = 120_000;
  private static final int COMMITS_AT_ONCE = 200;

  /** Then another goes on, as where a process is started again elsewhere. */
  private static final int BATCHES_AT_ONCE = 20;

  private final List<EcStore> stores;
  private final Thread thread;
  private final Queue<Anomaly> anomalies = new ConcurrentLinkedQueue<>();
  private final List<String> undecided = new ArrayList<>();
  private Set<Long> noted = Set.of();
  private final AtomicLong applied = new AtomicLong();
  private final AtomicLong opened = new AtomicLong();

  /** The number of the last commit that it follows. */
  private volatile long until = Long.MAX_VALUE;

  private long last;

  /** What it did: commits noted, and how often a reader went on where another had stopped. */
  public record Counts(long applied, long opened) {}

  /** Begins before the first commit. */
  ChangeFollower(List<EcStore> stores) {
    this.stores = List.copyOf(stores);
    EcStore first = this.stores.getFirst();
    try (ChangeReader<String> reader = first.changes(Workload.TABLE).open()) {
      String begin = reader.token();
      first.execute(tx -> tx.put(TOKENS, TOKEN, begin));
    }
    this.thread = Thread.ofPlatform().name("torture-follower").daemon().start(this::run);
  }

  private void run() {
    try {
      while (last < until) {
        EcStore store = stores.get((int) (opened.getAndIncrement() % stores.size()));
        try {
          follow(store);
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

  /** Goes on where the store says that it was, for a while. */
  private void follow(EcStore store) {
    String token =
        store
            .session()
            .with(ReadLevel.STRONG)
            .<String, RuntimeException>read(
                at -> {
                  last =
                      at.scan(NOTED).reverse().first().map(one -> one.key().number(0)).orElse(0L);
                  return at.get(TOKENS, TOKEN).orElseThrow();
                });
    try (ChangeReader<String> reader = store.changes(Workload.TABLE).from(token).open()) {
      for (int batch = 0; batch < BATCHES_AT_ONCE && last < until; batch++) {
        List<Long> numbers = some(reader);
        if (!numbers.isEmpty() && !note(store, token, numbers, reader.token())) {
          return;
        }
        token = reader.token();
      }
    }
  }

  private static List<Long> some(ChangeReader<String> reader) {
    List<Long> numbers = new ArrayList<>();
    Optional<ChangedCommit<String>> commit = reader.next(WAIT);
    while (commit.isPresent()) {
      numbers.add(commit.get().number().value());
      commit = numbers.size() < COMMITS_AT_ONCE ? reader.next(Duration.ZERO) : Optional.empty();
    }
    return numbers;
  }

  /** False if a batch before, whose outcome was not known, was noted after all. */
  private boolean note(EcStore store, String before, List<Long> numbers, String token) {
    boolean isNext =
        store.<Boolean, RuntimeException>transact(
            tx -> {
              if (!tx.get(TOKENS, TOKEN).equals(Optional.of(before))) {
                return false;
              }
              numbers.forEach(number -> tx.insert(NOTED, Tuple.of(number), Nothing.NOTHING));
              tx.put(TOKENS, TOKEN, token);
              return true;
            });
    if (!isNext) {
      return false;
    }
    for (long number : numbers) {
      if (number <= last) {
        anomalies.add(new Anomaly("changes-out-of-order", number + " was told after " + last));
      }
      last = number;
    }
    applied.addAndGet(numbers.size());
    return true;
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
  }
}
