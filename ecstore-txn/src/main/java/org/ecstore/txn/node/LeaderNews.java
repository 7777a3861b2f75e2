package org.ecstore.txn.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.message.ReplicationMessage;
import org.ecstore.txn.message.TxnMessage.BuiltHeld;
import org.ecstore.txn.message.TxnMessage.CopyReport;
import org.ecstore.txn.message.TxnMessage.EpochsWanted;
import org.ecstore.txn.message.TxnMessage.JoinWanted;
import org.ecstore.txn.message.TxnMessage.LeaveWanted;
import org.ecstore.txn.message.TxnMessage.LostCopy;
import org.ecstore.txn.message.TxnMessage.Report;

/**
 * What a node tells the one that leads: which copies it has, and what it lacks. It begins to once
 * it is ready.
 */
final class LeaderNews {
  /** A sequencer, as it made itself heard. */
  private record Heard(NodeId node, long incarnation) {}

  private final NodeContext context;
  private final NodeWiring wired;
  private final long reportNanos;
  private boolean ready;
  private boolean reporting;
  private long reports;
  private Heard sequencerHeard = new Heard(new NodeId(0), 0);

  /**
   * Of a node that is not ready.
   *
   * @param reportNanos how long changes are gathered before they are reported
   */
  LeaderNews(NodeWiring wired, long reportNanos) {
    this.context = wired.context;
    this.wired = wired;
    this.reportNanos = reportNanos;
  }

  /** The node is ready. */
  void start() {
    ready = true;
  }

  /** Whatever this node still lacks: the map, epochs for its ranges, a place in the overlay. */
  void askForPlace() {
    Optional<NodeId> leader = wired.sequencerLink.leader();
    if (!ready || leader.isEmpty()) {
      return;
    }
    if (wired.ledgerView.map().version().equals(MapVersion.ZERO)) {
      if (!leader.get().equals(context.self())) {
        context.send(leader.get(), new ReplicationMessage.MapRequest(MapVersion.ZERO));
      }
    } else if (wired.copies.wantsEpochs()) {
      context.send(leader.get(), new EpochsWanted(context.incarnation()));
    } else if (wired.departure.wanted()) {
      context.send(leader.get(), new LeaveWanted(context.incarnation()));
    } else if (!wired.departure.ownsAny(wired.ledgerView.map()) || wired.locator.isOutside()) {
      context.send(leader.get(), new JoinWanted(context.incarnation()));
    }
    for (RangeId id : wired.builder.built()) {
      context.send(leader.get(), new BuiltHeld(id));
    }
  }

  /** A node that was started again has its copies, and learns only now that they are its own. */
  void askForEpochs() {
    if (wired.copies.wantsEpochs()) {
      askForPlace();
    }
  }

  /** A sequencer that has just taken over knows of no copies yet. */
  void heardOf(NodeId node, long incarnation) {
    Heard sequencing = new Heard(node, incarnation);
    if (!sequencing.equals(sequencerHeard)) {
      sequencerHeard = sequencing;
      reportSoon();
      wired.meter.tellAll();
      wired.quotaMeter.changed();
    }
  }

  /** The steward may wait for it: it promotes no node that has not reported under the epoch. */
  void reportSoon() {
    if (ready && !reporting) {
      reporting = true;
      context.after(
          reportNanos,
          () -> {
            reporting = false;
            tell();
          });
    }
  }

  /** Makes durable what is reported then. Called at intervals. */
  void persist() {
    wired.persistence.look();
    tell();
  }

  /** With a store that is stuck nothing becomes durable: that is reported (decision 0094). */
  private void tell() {
    if (wired.persistence.isStuck()) {
      report();
    } else {
      wired.persistence.persist(this::report);
    }
  }

  /**
   * Says which copies this node has, and what the ledger and old versions are kept for. Copies in a
   * store that is stuck are not reckoned with.
   */
  private void report() {
    Optional<NodeId> leader = wired.sequencerLink.leader();
    if (leader.isEmpty()) {
      return;
    }
    List<CopyReport> held = new ArrayList<>();
    List<LostCopy> lost = new ArrayList<>();
    Optional<Position> pin = wired.source.leastPin();
    for (Copy copy : wired.persistence.isStuck() ? List.<Copy>of() : wired.copies.all()) {
      switch (copy.state()) {
        case SERVING, FOLLOWING, REPLAYING ->
            held.add(
                new CopyReport(
                    copy.id(), copy.epoch(), copy.durableFolded(), wired.copies.closed(copy)));
        case BUILT, BUILDING -> {
          // What it has read above is in memory: a restart goes on from there.
          Position stamp = copy.folded();
          pin = Optional.of(pin.map(least -> Position.min(least, stamp)).orElse(stamp));
        }
        case LOST -> lost.add(new LostCopy(copy.id(), copy.epoch()));
        case WAITING, RETIRED -> {}
      }
    }
    context.send(
        leader.get(),
        new Report(
            ++reports,
            held,
            pin,
            wired.gateway.leases().least(wired.pruner.recordedFloor()),
            lost,
            wired.persistence.stuckSeconds()));
  }
}
