package org.ecstore.client.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.observe.Observed;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.key.Bytes;
import org.ecstore.model.objective.ServiceFields;
import org.ecstore.model.objective.ServiceSample;

/**
 * Measures the requests of a store, by table, and makes a report of them at intervals, to go with
 * the next request: one node is told, and no message more is sent. A report whose request gets lost
 * is lost with it. Thread-safe.
 *
 * <p>What counts are reads of keys, pages of scans and commits, with all their tries; not the
 * application's own work between them. Paper: Cassandra QoS, §IV.
 */
public final class ServiceMeter implements StoreObserver, ReportSource {
  /** Tables that are told apart; operations of others count as of none. */
  private static final int TABLES_MAX = ServiceFields.SAMPLES_MAX - 1;

  private final long everyNanos;
  private final LongSupplier clock;
  private final AtomicLong dueNanos;
  private final Map<String, TableTimes> tables = new ConcurrentHashMap<>();

  /** Operations of the thread that are under way: those within another one are not counted. */
  private final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);

  /**
   * Begins to measure.
   *
   * @param every how long a report is about
   * @param clock nanoseconds of a clock that goes on
   */
  public ServiceMeter(Duration every, LongSupplier clock) {
    this.everyNanos = every.toNanos();
    this.clock = clock;
    this.dueNanos = new AtomicLong(clock.getAsLong() + everyNanos);
  }

  @Override
  public Observed begin(OperationKind kind, Optional<String> table) {
    if (!kind.isRequest()) {
      return Observed.IGNORED;
    }
    int[] under = depth.get();
    under[0]++;
    long begun = clock.getAsLong();
    return failure -> {
      under[0]--;
      if (under[0] == 0) {
        of(table.orElse(""))
            .add(isRead(kind), isAnswered(failure), Math.max(0, clock.getAsLong() - begun));
      }
    };
  }

  private static boolean isRead(OperationKind kind) {
    return kind == OperationKind.GET
        || kind == OperationKind.SCAN
        || kind == OperationKind.QUORUM_GET;
  }

  /**
   * Whether the store has answered: also that another transaction came first, that the application
   * holds all that it may, or that it asked for something that makes no sense.
   */
  private static boolean isAnswered(Optional<Throwable> failure) {
    return failure.isEmpty()
        || (failure.get() instanceof EcStoreException known && isAnswer(known.code()));
  }

  private static boolean isAnswer(ErrorCode code) {
    return switch (code) {
      case UNAVAILABLE, OVERLOADED, UNKNOWN_OUTCOME, PROTOCOL -> false;
      case CONFLICT,
          SNAPSHOT_TOO_OLD,
          CHANGES_LOST,
          TOO_LARGE,
          OVER_QUOTA,
          ALREADY_EXISTS,
          WRONG_ARGUMENT,
          CLOSED ->
          true;
    };
  }

  private TableTimes of(String table) {
    TableTimes known = tables.get(table);
    if (known != null) {
      return known;
    }
    boolean isFull = tables.size() >= TABLES_MAX;
    return tables.computeIfAbsent(isFull ? "" : table, name -> new TableTimes());
  }

  @Override
  public Optional<Bytes> due() {
    long now = clock.getAsLong();
    long due = dueNanos.get();
    if (now - due < 0 || !dueNanos.compareAndSet(due, now + everyNanos)) {
      return Optional.empty();
    }
    List<ServiceSample> samples = new ArrayList<>();
    tables.forEach((table, times) -> samples.add(times.take(table)));
    samples.removeIf(sample -> sample.operations() == 0);
    samples.sort(Comparator.comparingLong(ServiceSample::operations).reversed());
    return samples.isEmpty() ? Optional.empty() : Optional.of(ServiceFields.report(samples));
  }
}
