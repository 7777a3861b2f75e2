package org.ecstore.core.metrics;

import java.util.List;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.objective.ServiceVerdict;

/** Every metric that a node has. {@code docs/metrics.md} is written from these. */
public final class NodeMetrics {
  public static final Metric COMMITS =
      counter(
          "ecstore.commits",
          "Commits that this node coordinated, by how they ended.",
          new MetricTag("end", CommitEnd.class));

  public static final Metric COMMIT_TIME =
      histogram(
          "ecstore.commit.time",
          MetricUnit.NANOSECONDS,
          "What commits took that committed, by stage.",
          new MetricTag("stage", CommitStage.class));

  public static final Metric COMMITS_RUNNING =
      gauge(
          "ecstore.commits.running",
          MetricUnit.COUNT,
          "Commits that this node coordinates at the moment.");

  public static final Metric SNAPSHOTS =
      counter(
          "ecstore.snapshots",
          "Snapshots that clients asked this node to begin, by read level.",
          new MetricTag("level", ReadLevel.Kind.class));

  public static final Metric READS =
      counter(
          "ecstore.reads",
          "Gets and scans that a copy on this node answered, by its role.",
          new MetricTag("role", CopyRole.class));

  public static final Metric READS_BEHIND =
      counter(
          "ecstore.reads.behind",
          "Gets and scans that a copy on this node could not answer, as it was not closed so far.");

  public static final Metric REFUSALS =
      counter(
          "ecstore.refusals",
          "Requests of clients that this node refused, by code; overloaded is what admission"
              + " refuses.",
          new MetricTag("code", RefusalCode.class));

  public static final Metric DURABLE =
      gauge(
          "ecstore.durable",
          MetricUnit.POSITIONS,
          "D, the newest position that this node knows to be durable.");

  public static final Metric MAP_VERSION =
      gauge(
          "ecstore.map.version", MetricUnit.COUNT, "M, the version of the map that this node has.");

  public static final Metric COPIES =
      gauge(
          "ecstore.copies",
          MetricUnit.COUNT,
          "Copies on this node that answer reads, by role.",
          new MetricTag("role", CopyRole.class));

  public static final Metric COPIES_LAG =
      gauge(
          "ecstore.copies.lag",
          MetricUnit.POSITIONS,
          "How far the copy that is furthest behind is closed below D, of those on this node that"
              + " answer reads, by role.",
          new MetricTag("role", CopyRole.class));

  public static final Metric FOLD_LAG =
      gauge(
          "ecstore.fold.lag",
          MetricUnit.POSITIONS,
          "How far the copy that is furthest behind is folded below D, of those on this node that"
              + " have a store: what a restart would read of the ledger again.");

  public static final Metric WINDOW =
      gauge(
          "ecstore.window",
          MetricUnit.BYTES,
          "Memory of versions that are not in the engine's store yet, or that snapshots read.");

  public static final Metric CACHE_LOOKUPS =
      counter(
          "ecstore.cache.lookups",
          "Records, and pages that lead to them, that the engine looked up in its cache, of an"
              + " engine that counts them: je.");

  public static final Metric CACHE_MISSES =
      counter("ecstore.cache.misses", "Those of these lookups that went to the disk.");

  public static final Metric SEQUENCING =
      gauge(
          "ecstore.sequencing",
          MetricUnit.COUNT,
          "1 on the node that is the sequencer, 0 elsewhere.");

  public static final Metric TAKE_OVERS =
      counter("ecstore.takeovers", "Times that this node took the ledger over.");

  public static final Metric FAIL_OVERS =
      counter(
          "ecstore.failovers",
          "Changes of the map by which this node, as steward, replaced primaries that were gone.");

  public static final Metric LEDGER_APPEND =
      histogram(
          "ecstore.ledger.append",
          MetricUnit.NANOSECONDS,
          "From handing an entry to the ledger until it is durable, on the sequencer.");

  public static final Metric LEDGER_ENTRY =
      histogram(
          "ecstore.ledger.entry",
          MetricUnit.COUNT,
          "Records that group commit put into one entry of the ledger.");

  public static final Metric LEDGER_TRIMMED =
      gauge(
          "ecstore.ledger.trimmed",
          MetricUnit.POSITIONS,
          "The position below which this node, as sequencer, has last trimmed the ledger; 0 if it"
              + " has not.");

  public static final Metric REPLAY_TIME =
      histogram(
          "ecstore.replay.time",
          MetricUnit.NANOSECONDS,
          "What it took copies on this node to go on from the ledger, for each part of the ledger"
              + " that was read for them, by stage.",
          new MetricTag("stage", ReplayStage.class));

  public static final Metric LOOP_LONG =
      counter(
          "ecstore.loop.long",
          "Times that the node's event loop was busy with one thing for 10 ms or more, while"
              + " nothing else on the node went on, by what it was.",
          new MetricTag("work", LoopWork.class));

  public static final Metric OBJECTIVES =
      gauge(
          "ecstore.objectives",
          MetricUnit.COUNT,
          "Objectives of applications by what the controller's last check found of them, on the"
              + " node that leads; 0 elsewhere.",
          new MetricTag("verdict", ServiceVerdict.class));

  public static final Metric CAPACITY_USED =
      gauge(
          "ecstore.capacity.used",
          MetricUnit.COUNT,
          "How much of its processors (node.capacity, else all of the machine) the node's process"
              + " has used in the last second or more, in thousandths of them; 0 where that is not"
              + " known.");

  public static final Metric REQUESTS_WAIT =
      gauge(
          "ecstore.requests.wait",
          MetricUnit.NANOSECONDS,
          "How long requests of clients that the node took in that time had waited for their turn,"
              + " in the mean; 0 if there were none.");

  public static final Metric CAPACITY_HELD =
      counter(
          "ecstore.capacity.held",
          "Times that requests began to wait as the node had used up the processor time of its"
              + " capacity (node.capacity), where the node itself keeps to it.");

  public static final Metric CAPACITY_OVERDRAWN =
      counter(
          "ecstore.capacity.overdrawn",
          "Times that requests went on though the node had used up more than a quarter of a second"
              + " brings: what it does beside them takes more than its capacity.");

  /** All of them, in the order of the documents. */
  public static final List<Metric> ALL =
      List.of(
          COMMITS,
          COMMIT_TIME,
          COMMITS_RUNNING,
          SNAPSHOTS,
          READS,
          READS_BEHIND,
          REFUSALS,
          DURABLE,
          MAP_VERSION,
          COPIES,
          COPIES_LAG,
          FOLD_LAG,
          WINDOW,
          CACHE_LOOKUPS,
          CACHE_MISSES,
          SEQUENCING,
          TAKE_OVERS,
          FAIL_OVERS,
          LEDGER_APPEND,
          LEDGER_ENTRY,
          LEDGER_TRIMMED,
          REPLAY_TIME,
          LOOP_LONG,
          OBJECTIVES,
          CAPACITY_USED,
          REQUESTS_WAIT,
          CAPACITY_HELD,
          CAPACITY_OVERDRAWN);

  private NodeMetrics() {}

  private static Metric counter(String name, String help, MetricTag... tags) {
    return new Metric(name, MetricKind.COUNTER, MetricUnit.COUNT, help, List.of(tags));
  }

  private static Metric gauge(String name, MetricUnit unit, String help, MetricTag... tags) {
    return new Metric(name, MetricKind.GAUGE, unit, help, List.of(tags));
  }

  private static Metric histogram(String name, MetricUnit unit, String help, MetricTag... tags) {
    return new Metric(name, MetricKind.HISTOGRAM, unit, help, List.of(tags));
  }
}
