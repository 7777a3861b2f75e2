package org.ecstore.txn.node;

import org.ecstore.core.metrics.Instrument;
import org.ecstore.core.metrics.MetricSeries;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.TaggedInstrument;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Engine.CacheUse;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.CopyRole;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.hotspot.HotReplicaHost;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.sequencer.Sequencer;

/** What a node is at a moment, in numbers: told again and again, as a gauge keeps the last. */
final class NodeGauges {
  /** The copies of one role, as they are counted. */
  private static final class Seen {
    private int copies;
    private long lag;

    void add(Position closed, Position durable) {
      copies++;
      lag = Math.max(lag, durable.value() - closed.value());
    }
  }

  private final Engine engine;
  private final LedgerView ledgerView;
  private final CopyTable copies;
  private final HotReplicaHost hotReplicas;
  private final Coordinator coordinator;
  private final Sequencer sequencer;
  private final Instrument durable;
  private final Instrument mapVersion;
  private final Instrument running;
  private final Instrument sequencing;
  private final Instrument foldLag;
  private final Instrument window;

  /** An engine counts only where its numbers are taken. */
  private final boolean wanted;

  private final Instrument lookups;
  private final Instrument misses;
  private CacheUse told = CacheUse.NONE;
  private final TaggedInstrument<CopyRole> held;
  private final TaggedInstrument<CopyRole> lags;

  NodeGauges(
      Metrics metrics,
      Engine engine,
      LedgerView ledgerView,
      CopyTable copies,
      HotReplicaHost hotReplicas,
      Coordinator coordinator,
      Sequencer sequencer) {
    this.engine = engine;
    this.ledgerView = ledgerView;
    this.copies = copies;
    this.hotReplicas = hotReplicas;
    this.coordinator = coordinator;
    this.sequencer = sequencer;
    durable = metrics.of(new MetricSeries(NodeMetrics.DURABLE));
    mapVersion = metrics.of(new MetricSeries(NodeMetrics.MAP_VERSION));
    running = metrics.of(new MetricSeries(NodeMetrics.COMMITS_RUNNING));
    sequencing = metrics.of(new MetricSeries(NodeMetrics.SEQUENCING));
    foldLag = metrics.of(new MetricSeries(NodeMetrics.FOLD_LAG));
    window = metrics.of(new MetricSeries(NodeMetrics.WINDOW));
    wanted = !metrics.equals(Metrics.NONE);
    lookups = metrics.of(new MetricSeries(NodeMetrics.CACHE_LOOKUPS));
    misses = metrics.of(new MetricSeries(NodeMetrics.CACHE_MISSES));
    held = new TaggedInstrument<>(metrics, NodeMetrics.COPIES, CopyRole.class);
    lags = new TaggedInstrument<>(metrics, NodeMetrics.COPIES_LAG, CopyRole.class);
  }

  /** Looks and tells. */
  void look() {
    ReadPoint adopted = ledgerView.adopted();
    durable.record(adopted.position().value());
    mapVersion.record(adopted.mapVersion().value());
    running.record(coordinator.running());
    sequencing.record(sequencer.active() ? 1 : 0);
    foldLag.record(foldLag(adopted.position()));
    window.record(engine.windowBytes());
    if (wanted) {
      engine.cacheUse().ifPresent(this::tellCache);
    }
    tellCopies(adopted.position());
  }

  private void tellCache(CacheUse use) {
    CacheUse since = use.since(told);
    lookups.record(since.lookups());
    misses.record(since.misses());
    told = use;
  }

  /** How many commits the copy that is furthest behind has not folded. */
  long foldLag() {
    return foldLag(ledgerView.adopted().position());
  }

  private long foldLag(Position newest) {
    return copies.all().stream()
        .mapToLong(copy -> newest.value() - copy.folded().value())
        .max()
        .orElse(0);
  }

  private void tellCopies(Position newest) {
    Seen primaries = new Seen();
    Seen secondaries = new Seen();
    Seen inMemory = new Seen();
    for (Copy copy : copies.all()) {
      if (copy.serving()) {
        primaries.add(copies.closed(copy), newest);
      } else if (copy.following()) {
        secondaries.add(copy.closed(), newest);
      }
    }
    hotReplicas.closed().forEach(closed -> inMemory.add(closed, newest));
    tell(CopyRole.PRIMARY, primaries);
    tell(CopyRole.SECONDARY, secondaries);
    tell(CopyRole.HOT_REPLICA, inMemory);
  }

  private void tell(CopyRole role, Seen seen) {
    held.of(role).record(seen.copies);
    lags.of(role).record(seen.lag);
  }
}
