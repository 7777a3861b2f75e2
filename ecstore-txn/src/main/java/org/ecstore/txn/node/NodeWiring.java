package org.ecstore.txn.node;

import java.util.List;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Ports;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopyFollower;
import org.ecstore.replication.copy.CopyPersistence;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.Pruner;
import org.ecstore.replication.copy.SplitPoints;
import org.ecstore.replication.hotspot.HotReplicas;
import org.ecstore.replication.quorum.QuorumReads;
import org.ecstore.replication.read.SnapshotReads;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.balance.LoadMeter;
import org.ecstore.txn.changes.ChangeReads;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.commit.Participant;
import org.ecstore.txn.limit.QuotaLimits;
import org.ecstore.txn.limit.ServiceGate;
import org.ecstore.txn.qos.monitor.ServiceReports;
import org.ecstore.txn.qos.quota.QuotaMeter;
import org.ecstore.txn.sequencer.LeaderWatch;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.txn.steward.Steward;

/**
 * The components of a node, made and told of one another. What {@link NodeParts} makes may be
 * another one in a test.
 */
final class NodeWiring {
  final NodeContext context;
  final LedgerView ledgerView;
  final EngineWriter writer;
  final SequencerLink sequencerLink;
  final Participant participant;
  final CopyTable copies;
  final CopyPersistence persistence;
  final CopySource source;
  final CopyStreams streams;
  final CopyFollower follower;
  final SplitPoints splitPoints;
  final HotReplicas hotReplicas;
  final LoadMeter meter;
  final QuotaLimits quotaLimits;
  final QuotaMeter quotaMeter;
  final CopyBuilder builder;
  final Pruner pruner;
  final Quorums quorums;
  final ChangeReads changes;
  final Coordinator coordinator;
  final KeyLocator locator;
  final Sequencer sequencer;
  final LeaderWatch leaderWatch;
  final Steward steward;
  final StandingBack standingBack;
  final Departure departure;
  final Gateway gateway;
  final NodeViews views;
  final Operators operators;
  final NodeGauges gauges;
  final LeaderNews leaderNews;
  final ServiceReports services;
  final ServiceGate gate;

  NodeWiring(NodeId self, NodeSettings settings, NodeParts parts, Ports ports) {
    context = new NodeContext(self, ports);
    ledgerView = parts.ledgerView(context, settings);
    writer = parts.writer(context);
    sequencerLink = new SequencerLink(context, settings.askNanos());
    participant = parts.participant(context, ledgerView, writer, sequencerLink, settings);
    copies = parts.copies(context, ledgerView, writer, participant, new CopyEvents());
    participant.copies(copies);
    persistence = parts.persistence(context, copies, writer, settings);
    source = parts.source(context, copies, settings);
    streams = parts.streams(context, ledgerView, copies, settings);
    follower = parts.follower(context, copies, writer, settings);
    splitPoints = new SplitPoints(context);
    hotReplicas =
        parts.hotReplicas(context, ledgerView, copies, splitPoints, settings, this::present);
    follower.listen(hotReplicas);
    meter = new LoadMeter(context, copies, settings.balance(), sequencerLink::leader);
    quotaLimits = parts.quotaLimits();
    quotaMeter =
        new QuotaMeter(
            context, copies, quotaLimits, settings.balance().periodNanos(), sequencerLink::leader);
    participant.onReadable(
        (copy, number, writes) -> {
          streams.applied(copy, number, writes);
          hotReplicas.applied(copy, number, writes);
          meter.updated(copy, writes);
          quotaMeter.updated(copy, writes);
        });
    builder = parts.builder(context, copies, writer, settings);
    pruner = parts.pruner(context, copies, persistence, writer, settings);
    ReadBarrier positions = new ReadBarrier(context, ledgerView, sequencerLink);
    SnapshotBegins begins =
        parts.begins(context, ledgerView, copies, sequencerLink, positions, settings);
    QuorumReads quorumReads = parts.quorumReads(context, ledgerView, settings);
    quorums =
        new Quorums(
            context,
            ledgerView,
            positions,
            begins,
            parts.quorumCopies(context, ledgerView, copies, streams, settings),
            quorumReads,
            settings);
    changes =
        parts.changes(
            context,
            ledgerView,
            (until, confirmed, refused) ->
                begins.start(
                    ReadLevel.STRONG,
                    ReadPoint.ZERO,
                    until,
                    point -> confirmed.accept(point.position()),
                    refused),
            settings);
    coordinator = parts.coordinator(context, ledgerView, sequencerLink, settings);
    locator = new KeyLocator(context, ledgerView, copies, settings.coldRouting());
    sequencer =
        parts.sequencer(context, ledgerView, settings, locator::members, this::sequencerActivated);
    leaderWatch = parts.leaderWatch(context);
    steward = parts.steward(context, sequencer, locator::members, settings);
    standingBack = new StandingBack(context);
    departure =
        parts.departure(context, ledgerView, copies, builder, coordinator, locator::members);
    SnapshotReads reads = parts.reads(context, ledgerView, copies, participant);
    gateway =
        new Gateway(
            context,
            settings,
            ledgerView,
            sequencerLink,
            positions,
            begins,
            new ReadHandler(
                context,
                settings,
                reads,
                positions,
                locator,
                hotReplicas,
                splitPoints,
                meter::read),
            coordinator,
            locator,
            departure,
            pruner::recordedFloor);
    views = new NodeViews(context, sequencerLink, locator, hotReplicas, builder, parts);
    operators =
        new Operators(context, sequencerLink, steward, locator::members, settings.askNanos());
    gauges =
        new NodeGauges(
            context.metrics(),
            context.ports().engine(),
            ledgerView,
            copies,
            hotReplicas.host(),
            coordinator,
            sequencer);
    leaderNews = new LeaderNews(this, settings.tickNanos());
    gate =
        new ServiceGate(context, parts::use, sequencerLink::leader, gauges::foldLag, quotaLimits);
    services = new ServiceReports(context, sequencerLink::leader, gate::limits);
    context.pointFrom(ledgerView::adopted);
    ledgerView.onMapChange(copies::reconcile);
    ledgerView.onMapChange(follower::mapChanged);
    ledgerView.onMapChange(hotReplicas::reconcile);
    ledgerView.onMapChange(locator::watchLinks);
    ledgerView.onMapChange(leaderNews::reportSoon);
    ledgerView.onMapChange(leaderNews::askForEpochs);
    ledgerView.onMapChange(meter::changed);
    ledgerView.onMapChange(quotaMeter::changed);
    quorumReads.prefer(locator::readRank);
  }

  /** The nodes that are there. */
  List<NodeId> present() {
    return locator.members().stream().map(Member::node).toList();
  }

  private void sequencerActivated() {
    steward.start();
  }

  private final class CopyEvents implements CopyTable.Listener {
    @Override
    public void acquired(Copy copy) {
      participant.acquired(copy);
      streams.acquired(copy);
    }

    @Override
    public void retired(Copy copy) {
      participant.retired(copy);
      streams.retired(copy);
      hotReplicas.retired(copy);
      splitPoints.retired(copy);
    }

    @Override
    public void interrupted(Copy copy) {
      hotReplicas.interrupted(copy);
    }

    @Override
    public void needsEpochs() {
      leaderNews.askForPlace();
    }
  }
}
