package org.ecstore.client.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.observe.Observed;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.model.CopyRole;

/**
 * A store's metrics in a registry of Micrometer:
 *
 * <pre>{@code
 * EcStoreOptions.DEFAULT.observer(MicrometerObserver.of(registry))
 * }</pre>
 *
 * <ul>
 *   <li>{@code ecstore.client.operations}, a timer by {@code operation} ({@link OperationKind}),
 *       {@code table} and {@code outcome}: {@code done}, an {@link
 *       org.ecstore.client.error.ErrorCode} in small letters, or {@code failed} where the
 *       application's own work threw something else;
 *   <li>{@code ecstore.client.reruns}, work that was run again, by {@code cause};
 *   <li>{@code ecstore.client.conflicts}, commits that another transaction was before, by {@code
 *       table} and {@code range};
 *   <li>{@code ecstore.client.reads}, answers of copies, by {@code copy}: what it is to its range;
 *   <li>{@code ecstore.client.behind}, how many positions of the ledger a copy was behind when it
 *       answered, by {@code copy}.
 * </ul>
 *
 * <p>No name is invented without end: of more than {@link #TABLES_MAX} tables, or {@link
 * #RANGES_MAX} ranges with conflicts, the others are told as {@code others}. Safe for use by
 * several threads.
 */
public final class MicrometerObserver implements StoreObserver {
  /** Tables that have metrics of their own. */
  public static final int TABLES_MAX = 200;

  /** Ranges whose conflicts are counted by themselves. */
  public static final int RANGES_MAX = 1_000;

  private static final String NAME = "ecstore.client.";
  private static final String NONE = "none";
  private static final String TABLE = "table";

  private final MeterRegistry registry;
  private final BoundedNames tables = new BoundedNames(TABLES_MAX);
  private final BoundedNames ranges = new BoundedNames(RANGES_MAX);
  private final Map<Operation, Timer> timers = new ConcurrentHashMap<>();
  private final Map<CopyRole, Copy> copies = new ConcurrentHashMap<>();

  private record Operation(OperationKind kind, String table, String outcome) {}

  /** What is told of copies with one role. */
  private record Copy(Counter reads, DistributionSummary behind) {}

  private MicrometerObserver(MeterRegistry registry) {
    this.registry = registry;
  }

  /** One that writes into a registry. */
  public static MicrometerObserver of(MeterRegistry registry) {
    return new MicrometerObserver(registry);
  }

  @Override
  public Observed begin(OperationKind kind, Optional<String> table) {
    String name = table.map(tables::name).orElse(NONE);
    Timer.Sample sample = Timer.start(registry);
    return failure -> {
      sample.stop(timer(new Operation(kind, name, outcome(failure))));
      if (kind == OperationKind.COMMIT
          && failure.isPresent()
          && failure.get() instanceof ConflictException conflict) {
        conflict(conflict);
      }
    };
  }

  private static String outcome(Optional<Throwable> failure) {
    return failure.isEmpty()
        ? "done"
        : failure.get() instanceof EcStoreException known ? text(known) : "failed";
  }

  private static String text(EcStoreException failure) {
    return failure.code().name().toLowerCase(Locale.ROOT);
  }

  private Timer timer(Operation operation) {
    return timers.computeIfAbsent(
        operation,
        made ->
            Timer.builder(NAME + "operations")
                .description("What the store was asked for, and how long that took")
                .tags("operation", made.kind.text(), TABLE, made.table, "outcome", made.outcome)
                .register(registry));
  }

  private void conflict(ConflictException conflict) {
    Counter.builder(NAME + "conflicts")
        .description("Commits that another transaction was before")
        .tags(
            TABLE,
            conflict.table().map(tables::name).orElse(NONE),
            "range",
            ranges.name(conflict.range().toString()))
        .register(registry)
        .increment();
  }

  @Override
  public void rerun(EcStoreException failure) {
    Counter.builder(NAME + "reruns")
        .description("Work that was run again from its beginning")
        .tag("cause", text(failure))
        .register(registry)
        .increment();
  }

  @Override
  public void answered(AnsweredBy by) {
    Copy copy = copies.computeIfAbsent(by.role(), this::copy);
    copy.reads.increment();
    copy.behind.record((double) by.behind());
  }

  private Copy copy(CopyRole role) {
    Tags tags = Tags.of("copy", role.name().toLowerCase(Locale.ROOT));
    return new Copy(
        Counter.builder(NAME + "reads")
            .description("Answers of copies")
            .tags(tags)
            .register(registry),
        DistributionSummary.builder(NAME + "behind")
            .description("How far copies were behind when they answered")
            .baseUnit("positions")
            .tags(tags)
            .register(registry));
  }
}
