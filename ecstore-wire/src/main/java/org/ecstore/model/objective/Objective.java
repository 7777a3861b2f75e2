package org.ecstore.model.objective;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * A service-level objective: what an application states of its load, and how fast it needs answers.
 * Immutable: each method that changes something gives another one. Paper: Cassandra QoS, §II.
 *
 * <pre>{@code
 * Objective.guaranteed("shop")
 *     .tables("users", "orders")
 *     .p99(Duration.ofMillis(20))
 *     .rate(4_000)
 *     .reads(95)
 * }</pre>
 *
 * <p>Any values can be held, as a message may bring any: {@link #faults} says what is wrong.
 *
 * @param application its name
 * @param tables whose operations count, ascending, each once; none: those of clients that say that
 *     they are this application
 * @param targets at most one of each statistic, in the order of these
 * @param weight its share beside other applications of best effort, from 1 to 1,000
 * @param quotaBytes what its tables may hold at most, from 1 to {@link #QUOTA_BYTES_MAX} bytes of
 *     keys and values, each counted once however many copies there are; no bound if absent
 */
public record Objective(
    String application,
    List<String> tables,
    ServiceClass serviceClass,
    int weight,
    List<ResponseTarget> targets,
    ObjectiveWorkload workload,
    OptionalLong quotaBytes) {
  /** Tables of one objective. */
  public static final int TABLES_MAX = 32;

  /** Bytes of a table's name, as far as objectives know it. */
  public static final int TABLE_BYTES_MAX = 128;

  /** The greatest weight. */
  public static final int WEIGHT_MAX = 1_000;

  /** The store's own table. */
  public static final String OWN_TABLE = "ecstore";

  /** The greatest quota: 1 PiB. */
  public static final long QUOTA_BYTES_MAX = 1L << 50;

  public Objective {
    tables = tables.stream().distinct().sorted().toList();
    targets =
        targets.stream()
            .sorted(
                Comparator.comparing(ResponseTarget::statistic)
                    .thenComparing(ResponseTarget::atMost))
            .toList();
  }

  /** One without a quota. */
  public Objective(
      String application,
      List<String> tables,
      ServiceClass serviceClass,
      int weight,
      List<ResponseTarget> targets,
      ObjectiveWorkload workload) {
    this(application, tables, serviceClass, weight, targets, workload, OptionalLong.empty());
  }

  /**
   * An objective whose response times are owed to an application while it is within its load. It
   * needs at least one of {@link #mean}, {@link #p95} and {@link #p99}, and {@link #rate} or {@link
   * #clients}.
   *
   * @param application its name: 1 to 64 bytes in UTF-8, without control characters
   */
  public static Objective guaranteed(String application) {
    return of(application, ServiceClass.GUARANTEED);
  }

  /**
   * An objective of an application that has what the others leave; of several each has a share by
   * its {@link #weight(int)}.
   *
   * @param application its name: 1 to 64 bytes in UTF-8, without control characters
   */
  public static Objective bestEffort(String application) {
    return of(application, ServiceClass.BEST_EFFORT);
  }

  private static Objective of(String application, ServiceClass serviceClass) {
    return new Objective(
        application, List.of(), serviceClass, 1, List.of(), ObjectiveWorkload.UNSTATED);
  }

  /**
   * The same of the operations on some tables, whichever client asks for them: {@link #TABLES_MAX}
   * names at most, each of 1 to {@link #TABLE_BYTES_MAX} bytes. Without any, those of clients count
   * that say that they are the application.
   */
  public Objective tables(String... names) {
    return new Objective(
        application, List.of(names), serviceClass, weight, targets, workload, quotaBytes);
  }

  /** The same with a share beside other applications of best effort, 1 to {@link #WEIGHT_MAX}. */
  public Objective weight(int share) {
    return new Objective(application, tables, serviceClass, share, targets, workload, quotaBytes);
  }

  /** The same with a mean response time, above 0 and an hour at most. */
  public Objective mean(Duration atMost) {
    return with(Statistic.MEAN, atMost);
  }

  /** The same with what 95 of 100 operations may take, above 0 and an hour at most. */
  public Objective p95(Duration atMost) {
    return with(Statistic.P95, atMost);
  }

  /** The same with what 99 of 100 operations may take, above 0 and an hour at most. */
  public Objective p99(Duration atMost) {
    return with(Statistic.P99, atMost);
  }

  private Objective with(Statistic statistic, Duration atMost) {
    List<ResponseTarget> others =
        targets.stream().filter(target -> target.statistic() != statistic).toList();
    return new Objective(
        application,
        tables,
        serviceClass,
        weight,
        Stream.concat(others.stream(), Stream.of(new ResponseTarget(statistic, atMost))).toList(),
        workload,
        quotaBytes);
  }

  private Objective with(ObjectiveWorkload other) {
    return new Objective(application, tables, serviceClass, weight, targets, other, quotaBytes);
  }

  /** The same for a load of so many operations a second, 1 to {@link OfferedLoad#RATE_MAX}. */
  public Objective rate(long perSecond) {
    return with(workload.with(new OfferedLoad.OperationRate(perSecond)));
  }

  /**
   * The same for so many clients that each wait for an answer before they ask again, in place of a
   * rate: 1 to {@link OfferedLoad#CLIENTS_MAX}.
   */
  public Objective clients(int count) {
    return with(workload.with(new OfferedLoad.ClientCount(count)));
  }

  /** The same of an application of whose operations so many of 100 only read. */
  public Objective reads(int percent) {
    return with(
        new ObjectiveWorkload(
            workload.dataBytes(),
            workload.recordBytes(),
            OptionalInt.of(percent),
            workload.locality(),
            workload.load()));
  }

  /** The same of an application whose requests are spread over its records like that. */
  public Objective locality(Locality spread) {
    return with(
        new ObjectiveWorkload(
            workload.dataBytes(),
            workload.recordBytes(),
            workload.readPercent(),
            Optional.of(spread),
            workload.load()));
  }

  /** The same of an application all of whose records have so many bytes, without their copies. */
  public Objective dataSize(long bytes) {
    return with(
        new ObjectiveWorkload(
            OptionalLong.of(bytes),
            workload.recordBytes(),
            workload.readPercent(),
            workload.locality(),
            workload.load()));
  }

  /** The same of an application whose records have so many bytes each, in the mean. */
  public Objective recordSize(int bytes) {
    return with(
        new ObjectiveWorkload(
            workload.dataBytes(),
            OptionalInt.of(bytes),
            workload.readPercent(),
            workload.locality(),
            workload.load()));
  }

  /**
   * The same with a quota: nodes refuse what adds to its tables once these hold so many bytes of
   * keys and values, 1 to {@link #QUOTA_BYTES_MAX}, each counted once however many copies there
   * are.
   */
  public Objective quota(long bytes) {
    return new Objective(
        application, tables, serviceClass, weight, targets, workload, OptionalLong.of(bytes));
  }

  /** The time of a statistic, if the objective has one. */
  public Optional<ResponseTarget> target(Statistic statistic) {
    return targets.stream().filter(target -> target.statistic() == statistic).findFirst();
  }

  /** A table that this and another one are about, if there is one. */
  public Optional<String> commonWith(Objective other) {
    return tables.stream().filter(other.tables::contains).findFirst();
  }

  /** All that is wrong with it, each in a sentence that says what to do; none if it can be kept. */
  public List<String> faults() {
    return ObjectiveFaults.of(this);
  }
}
