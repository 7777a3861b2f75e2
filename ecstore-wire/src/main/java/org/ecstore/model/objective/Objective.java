package org.ecstore.model.objective;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A service-level objective: what an application states of its load, and how fast it needs answers.
 * Paper: Cassandra QoS, §II.
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

  /** The same with a quota. */
  public Objective within(long bytes) {
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
