package org.ecstore.txn.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.Reply;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.DisplacedException;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.StateMachine;
import org.ecstore.core.port.WrongPartsException;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopyFollower;
import org.ecstore.replication.copy.CopyPersistence;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.Holdings;
import org.ecstore.replication.copy.Pruner;
import org.ecstore.replication.copy.SplitPoints;
import org.ecstore.replication.hotspot.HotReplicaHost;
import org.ecstore.replication.hotspot.HotReplicaMessage;
import org.ecstore.replication.hotspot.HotReplicaStreams;
import org.ecstore.replication.hotspot.HotReplicas;
import org.ecstore.replication.message.ReplicationMessage;
import org.ecstore.replication.quorum.QuorumMessage;
import org.ecstore.replication.read.SnapshotReads;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.balance.LoadMeter;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.commit.Participant;
import org.ecstore.txn.message.TxnMessage;
import org.ecstore.txn.message.TxnMessage.BuildReply;
import org.ecstore.txn.message.TxnMessage.BuiltHeld;
import org.ecstore.txn.message.TxnMessage.CopyReport;
import org.ecstore.txn.message.TxnMessage.EpochsWanted;
import org.ecstore.txn.message.TxnMessage.JoinWanted;
import org.ecstore.txn.message.TxnMessage.LeaveWanted;
import org.ecstore.txn.message.TxnMessage.Report;
import org.ecstore.txn.sequencer.LeaderWatch;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.txn.steward.Steward;
import org.ecstore.txn.steward.decision.Decision;

/**
 * One node: a deterministic state machine over its ports. It starts by announcing itself, which
 * gives its incarnation, and by reading what its engine has noted; then it learns the map, asks for
 * new epochs or for a place in the overlay, and serves. If it is said to lead it takes the ledger
 * over and is sequencer and steward.
 */
public final class Node implements StateMachine {
  /** Rule 6. */
  private static final int STANDBYS = 2;

  private final NodeSettings settings;
  private final NodeContext context;
  private final LedgerView ledgerView;
  private final EngineWriter writer;
  private final SequencerLink sequencerLink;
  private final Participant participant;
  private final CopyTable copies;
  private final CopyPersistence persistence;
  private final CopySource source;
  private final CopyStreams streams;
  private final CopyFollower follower;
  private final SplitPoints splitPoints;
  private final HotReplicas hotReplicas;
  private final LoadMeter meter;
  private final CopyBuilder builder;
  private final Pruner pruner;
  private final Quorums quorums;
  private final Coordinator coordinator;
  private final Sequencer sequencer;
  private final Steward steward;
  private final LeaderWatch leaderWatch;
  private final KeyLocator locator;
  private final Departure departure;
  private final Gateway gateway;
  private final NodeViews views;
  private final Operators operators;
  private final NodeGauges gauges;
  private boolean recovered;
  private boolean ready;
  private final StandingBack standingBack;
  private List<NodeId> succession = List.of();
  private boolean leading;
  private boolean reporting;
  private long reports;
  private Heard sequencerHeard = new Heard(new NodeId(0), 0);

  public Node(NodeId self, NodeSettings settings, NodeParts parts, Ports ports) {
    this.settings = settings;
    context = new NodeContext(self, ports);
    ledgerView = parts.ledgerView(context, settings);
    writer = new EngineWriter(context);
    sequencerLink = new SequencerLink(context, settings.askNanos());
    participant = parts.participant(context, ledgerView, writer, sequencerLink, settings);
    copies = parts.copies(context, ledgerView, writer, participant, new CopyEvents());
    participant.copies(copies);
    persistence = new CopyPersistence(copies, writer);
    source = parts.source(context, copies, settings);
    streams = parts.streams(context, ledgerView, copies, settings);
    follower = parts.follower(context, copies, writer, settings);
    splitPoints = new SplitPoints(context);
    hotReplicas =
        parts.hotReplicas(context, ledgerView, copies, splitPoints, settings, this::present);
    follower.listen(hotReplicas);
    meter = new LoadMeter(context, copies, settings.balance(), sequencerLink::leader);
    participant.onReadable(
        (copy, number, writes) -> {
          streams.applied(copy, number, writes);
          hotReplicas.applied(copy, number, writes);
          meter.updated(copy, writes);
        });
    builder = new CopyBuilder(context, copies, writer, settings.askNanos());
    pruner = parts.pruner(context, copies, persistence, writer, settings);
    ReadBarrier positions = new ReadBarrier(context, ledgerView, sequencerLink);
    quorums =
        new Quorums(
            context,
            ledgerView,
            positions,
            parts.quorumCopies(context, ledgerView, copies, streams, settings),
            parts.quorumReads(context, ledgerView, settings),
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
            parts.begins(context, ledgerView, copies, sequencerLink, positions, settings),
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
            departure);
    views = new NodeViews(context, sequencerLink, locator, hotReplicas, parts);
    operators = new Operators(context, sequencerLink, steward, settings.askNanos());
    gauges =
        new NodeGauges(
            context.metrics(), ledgerView, copies, hotReplicas.host(), coordinator, sequencer);
    context.pointFrom(ledgerView::adopted);
    ledgerView.onMapChange(copies::reconcile);
    ledgerView.onMapChange(hotReplicas::reconcile);
    ledgerView.onMapChange(locator::watchLinks);
    ledgerView.onMapChange(this::reportSoon);
    ledgerView.onMapChange(this::askForEpochs);
    ledgerView.onMapChange(meter::changed);
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
      askForPlace();
    }
  }

  @Override
  public void start() {
    announce();
  }

  private void announce() {
    context.coordination(
        token ->
            context
                .ports()
                .coordination()
                .join(
                    token,
                    context.self(),
                    new MemberInfo(settings.address(), settings.host(), settings.traits())),
        result -> {
          if (result instanceof CoordinationResult.Joined joined) {
            context.incarnation(joined.incarnation());
            recover();
          } else {
            context.after(settings.askNanos(), this::announce);
          }
        });
  }

  private void recover() {
    context.engine(
        token -> context.ports().engine().metadata(token),
        result -> {
          if (result instanceof EngineResult.Metadata metadata) {
            recovered(metadata);
          } else {
            context.after(settings.askNanos(), this::recover);
          }
        });
  }

  private void recovered(EngineResult.Metadata metadata) {
    Holdings held = Holdings.of(metadata.metadata());
    if (held.incarnation() >= context.incarnation()) {
      throw new WrongPartsException(
          ("coordination is older than the engine of %s: it gives incarnation %d, which the engine"
                  + " was used in before (it has had %d). Nothing was served. Restore coordination"
                  + " together with the engine; or take the engine's directory away, to be filled from"
                  + " the other copies")
              .formatted(context.self(), context.incarnation(), held.incarnation()));
    }
    copies.load(metadata.metadata());
    writer.load(held);
    sequencer.mustReach(held.through());
    // What a killed process had written is there, but perhaps not on the disk yet: notes are
    // promises to others only once they are.
    writer.sync(
        () -> {
          recovered = true;
          findInLedger(held.through());
        });
  }

  /**
   * The engine got what it holds from the ledger: what is not found there any more was lost, or the
   * ledger is another one. A ledger on bookies does not say at once how far it reaches, so the
   * sequencer is asked, which can tell only after an append begun then (rule 9). The node that
   * leads finds out by its fence.
   */
  private void findInLedger(Position through) {
    if (ready || leading || through.equals(Position.ZERO)) {
      begin();
      return;
    }
    context.ledger(
        token -> context.ports().ledger().read(token, through, 1),
        result -> {
          boolean found =
              result instanceof LedgerResult.Trimmed
                  || (result instanceof LedgerResult.Entries(var entries, var end)
                      && (!entries.isEmpty() || through.isAtOrBelow(end)));
          if (found) {
            begin();
          } else {
            sequencerLink.strong(point -> foundOut(through, point));
          }
        });
  }

  private void foundOut(Position through, Optional<ReadPoint> durable) {
    if (ready || durable.isEmpty()) {
      context.after(settings.askNanos(), () -> findInLedger(through));
    } else if (through.isAtOrBelow(durable.get().position())) {
      begin();
    } else {
      throw Sequencer.ledgerTooShort(context.self(), through, durable.get().position());
    }
  }

  private void begin() {
    if (ready) {
      return;
    }
    ready = true;
    writer.apply(List.of(), List.of(Holdings.incarnationEntry(context.incarnation())), () -> {});
    locator.watchLinks();
    context.every(settings.tickNanos(), this::tick);
    context.every(settings.heartbeatNanos(), sequencer::heartbeat);
    context.every(settings.persistNanos(), () -> persistence.persist(this::report));
    context.every(settings.housekeepNanos(), sequencer::housekeep);
    context.every(settings.askNanos(), this::askForPlace);
    context.every(settings.askNanos(), this::lookAround);
    context.every(settings.tickNanos(), streams::heartbeat);
    context.every(settings.tickNanos(), hotReplicas::tick);
    hotReplicas.start();
    meter.start();
    context.every(settings.askNanos(), steward::tend);
    lead();
    askForPlace();
  }

  private List<NodeId> present() {
    return locator.members().stream().map(Member::node).toList();
  }

  private void lead() {
    if (!ready) {
      return;
    }
    if (leading) {
      sequencer.lead();
    } else {
      sequencer.follow(standsBy());
    }
  }

  /** Whether this is one of the nodes that would lead next (rule 6). */
  private boolean standsBy() {
    Optional<NodeId> leader = sequencerLink.leader();
    return succession.stream()
        .filter(node -> leader.isPresent() && !node.equals(leader.get()))
        .limit(STANDBYS)
        .anyMatch(context.self()::equals);
  }

  private void sequencerActivated() {
    steward.start();
  }

  private void tick() {
    ledgerView.expire();
    copies.waits().expire();
    participant.tick();
    quorums.tick();
    locator.expire();
    gateway.leases().expire(context.nanos());
    leaderWatch.look(standsBy() ? sequencerLink.leader() : Optional.empty(), locator.members());
  }

  private void lookAround() {
    standBack();
    gauges.look();
  }

  private void standBack() {
    standingBack.tend(departure.isDrained(), leading, present().equals(List.of(context.self())));
  }

  /** Whatever this node still lacks: the map, epochs for its ranges, a place in the overlay. */
  private void askForPlace() {
    Optional<NodeId> leader = sequencerLink.leader();
    if (!ready || leader.isEmpty()) {
      return;
    }
    if (ledgerView.map().version().equals(MapVersion.ZERO)) {
      if (!leader.get().equals(context.self())) {
        context.send(leader.get(), new ReplicationMessage.MapRequest(MapVersion.ZERO));
      }
    } else if (copies.wantsEpochs()) {
      context.send(leader.get(), new EpochsWanted(context.incarnation()));
    } else if (departure.wanted()) {
      context.send(leader.get(), new LeaveWanted(context.incarnation()));
    } else if (!departure.ownsAny(ledgerView.map()) || locator.isOutside()) {
      context.send(leader.get(), new JoinWanted(context.incarnation()));
    }
    for (RangeId id : builder.built()) {
      context.send(leader.get(), new BuiltHeld(id));
    }
  }

  /** A node that was started again has its copies, and learns only now that they are its own. */
  private void askForEpochs() {
    if (copies.wantsEpochs()) {
      askForPlace();
    }
  }

  /**
   * The node is to leave (ecStore §5.4): it hands its ranges over, then {@link #departure} says
   * that it may be stopped. Called between two events, as an event would be.
   */
  public void depart() {
    departure.begin();
    context.after(1, this::askForPlace);
  }

  /** The node stays after all; what it has handed over by now it does not get back. */
  public void stay() {
    departure.cancel();
  }

  /** How the departure stands. */
  public Departure.Progress departure() {
    return departure.progress();
  }

  private record Heard(NodeId node, long incarnation) {}

  /** A sequencer that has just taken over knows of no copies yet. */
  private void heardOf(Heard sequencing) {
    if (!sequencing.equals(sequencerHeard)) {
      sequencerHeard = sequencing;
      reportSoon();
      meter.tellAll();
    }
  }

  /** The steward may wait for it: it promotes no node that has not reported under the epoch. */
  private void reportSoon() {
    if (ready && !reporting) {
      reporting = true;
      context.after(
          settings.tickNanos(),
          () -> {
            reporting = false;
            persistence.persist(this::report);
          });
    }
  }

  private void report() {
    Optional<NodeId> leader = sequencerLink.leader();
    if (leader.isEmpty()) {
      return;
    }
    List<CopyReport> held = new ArrayList<>();
    Optional<Position> pin = source.leastPin();
    for (Copy copy : copies.all()) {
      switch (copy.state()) {
        case SERVING, FOLLOWING, REPLAYING ->
            held.add(new CopyReport(copy.id(), copy.epoch(), copy.durableClosed()));
        case BUILT, BUILDING -> {
          Position stamp = copy.closed();
          pin = Optional.of(pin.map(least -> Position.min(least, stamp)).orElse(stamp));
        }
        case WAITING, RETIRED, LOST -> {}
      }
    }
    context.send(leader.get(), new Report(++reports, held, pin, gateway.leases().least()));
  }

  @Override
  public void on(Event event) {
    if (!context.complete(event)) {
      handle(event);
    }
    deliverLocal();
  }

  private void deliverLocal() {
    for (Envelope own = context.nextLocal(); own != null; own = context.nextLocal()) {
      deliver(own);
    }
  }

  private void handle(Event event) {
    switch (event) {
      case Event.Delivered(var envelope) -> {
        if (envelope.to().equals(context.self())) {
          if (ready) {
            deliver(envelope);
          } else if (envelope.body() instanceof Reply reply) {
            context.replied(envelope.from(), reply);
          }
        }
      }
      case Event.Called(var call, ClientRequest.Inspect _) -> views.inspected(call, inspect());
      case Event.Called(var call, ClientRequest.Explain explain) ->
          views.explain(call, explain, inspect());
      case Event.Called(var call, ClientRequest.Operate operate) ->
          operators.operate(call, operate);
      case Event.Called(var call, ClientRequest.ExplainBalance _) -> operators.balance(call);
      case Event.Called(var call, ClientRequest.AskDecisions ask) -> operators.decisions(call, ask);
      case Event.Called(var call, var request) -> {
        if (ready) {
          if (!quorums.called(call, request)) {
            gateway.called(call, request);
          }
        } else if (!(request instanceof ClientRequest.EndSnapshot)) {
          gateway.refuse(call, RefusalCode.UNAVAILABLE, "the node is starting");
        }
      }
      case Event.ClientGone(var connection) -> gateway.leases().endAll(connection);
      case Event.MembersChanged(var members, var order) -> {
        locator.members(members);
        succession = order;
        steward.tend();
        // Who stands by may be another now; who leads is not news of members.
        if (!leading) {
          lead();
        }
      }
      case Event.LeaderHinted(var leader) -> {
        sequencerLink.leader(leader);
        leading = leader.equals(Optional.of(context.self()));
        if (leading && recovered) {
          begin();
        }
        lead();
        askForPlace();
        reportSoon();
      }
      case Event.KeyChanged(var key) -> {
        if (ready && key.equals(Steward.KEY)) {
          locator.watchLinks();
        }
      }
      // Whatever it leads or has promised ends here: the process that came after it is the node.
      case Event.Displaced(var by) -> throw new DisplacedException(context.self(), by);
      case Event.TimerFired _ -> {}
      case Event.EngineDone _ -> {}
      case Event.LedgerDone _ -> {}
      case Event.CoordinationDone _ -> {}
    }
  }

  private void deliver(Envelope envelope) {
    NodeId from = envelope.from();
    leaderWatch.heard(from, envelope.fromIncarnation());
    switch (envelope.body()) {
      case ReplicationMessage.MapNews news -> ledgerView.learn(from, news, envelope.point());
      case ReplicationMessage message -> {
        learn(envelope);
        replicate(from, message);
      }
      case QuorumMessage message -> {
        learn(envelope);
        quorums.delivered(from, message);
      }
      case HotReplicaMessage message -> {
        learn(envelope);
        hotReplicas.take(from, message);
      }
      case TxnMessage message -> {
        learn(envelope);
        transact(envelope, message);
      }
      default -> throw new IllegalStateException("a message of no stratum: " + envelope.body());
    }
    if (envelope.body() instanceof Reply reply) {
      context.replied(from, reply);
    }
  }

  private void learn(Envelope envelope) {
    if (!envelope.from().equals(context.self())) {
      ledgerView.offer(envelope.from(), envelope.point());
    }
  }

  private void replicate(NodeId from, ReplicationMessage message) {
    switch (message) {
      case ReplicationMessage.MapRequest(var have) ->
          context.send(from, ledgerView.newsSince(have));
      case ReplicationMessage.CopyFetch fetch -> source.fetch(from, fetch);
      case ReplicationMessage.CopyDone(var transfer) -> source.done(from, transfer);
      case ReplicationMessage.MiddleRequest request ->
          source.middle(from, request, hotReplicas::middle);
      case ReplicationMessage.StreamUpdate update -> follower.update(from, update);
      case ReplicationMessage.StreamAck ack -> streams.acknowledged(from, ack);
      case ReplicationMessage.MapNews _ -> {}
      case ReplicationMessage.CopyChunk _ -> {}
      case ReplicationMessage.CopyRefused _ -> {}
      case ReplicationMessage.MiddleReply _ -> {}
    }
  }

  private void transact(Envelope envelope, TxnMessage message) {
    NodeId from = envelope.from();
    switch (message) {
      case TxnMessage.VoteRequest vote -> participant.vote(from, vote);
      case TxnMessage.Release release -> participant.release(from, release);
      case TxnMessage.Decided decided -> participant.decided(decided);
      case TxnMessage.Submit submit -> sequencer.submit(from, submit);
      case TxnMessage.Ask ask -> sequencer.ask(from, ask);
      case TxnMessage.StrongRequest request -> sequencer.strong(from, request);
      case TxnMessage.ConfirmRequest request -> sequencer.confirm(from, request);
      case TxnMessage.Heartbeat beat -> {
        pruner.floor(beat.versionFloor());
        hotReplicas.floor(beat.versionFloor());
        // One above D is learned from a later heartbeat, when D has come.
        if (beat.checkpoint().isAtOrBelow(ledgerView.adopted().position())) {
          sequencer.checkpointAt(beat.checkpoint());
        }
        heardOf(new Heard(from, envelope.fromIncarnation()));
      }
      case TxnMessage.Report report -> {
        sequencer.report(from, envelope.fromIncarnation(), report);
        steward.reported();
      }
      case TxnMessage.LoadReport(var loads) -> steward.loads(from, loads);
      case TxnMessage.BalanceRequest request -> operators.asked(from, request);
      case TxnMessage.BalanceReply _ -> {}
      case TxnMessage.EpochsWanted(var incarnation) -> steward.epochsWanted(from, incarnation);
      case TxnMessage.JoinWanted(var incarnation) -> steward.joinWanted(from, incarnation);
      case TxnMessage.LeaveWanted(var incarnation) -> steward.leaveWanted(from, incarnation);
      case TxnMessage.DepartWanted(var incarnation) -> {
        if (incarnation == context.incarnation()) {
          departure.drain();
          context.after(1, this::askForPlace);
        }
      }
      case TxnMessage.LeaveAnswer answer -> departure.answered(answer);
      case TxnMessage.AdminRequestTold request -> operators.adminRequested(from, request);
      case TxnMessage.DecisionsRequest request -> operators.asked(from, request);
      case TxnMessage.BuiltHeld(var id) -> steward.builtHeld(from, id);
      case TxnMessage.BuiltUnused(var id) -> afterMap(envelope, () -> builder.dropUnused(id));
      case TxnMessage.BuildRequest request -> afterMap(envelope, () -> build(from, request));
      case TxnMessage.LocateRequest request -> locator.locate(from, request);
      case TxnMessage.LocateReply reply -> locator.located(reply);
      case TxnMessage.VoteReply _ -> {}
      case TxnMessage.OutcomeReply _ -> {}
      case TxnMessage.PositionReply _ -> {}
      case TxnMessage.BuildReply _ -> {}
      case TxnMessage.DecisionsReply _ -> {}
    }
  }

  /**
   * Runs an action of the steward's once this node knows the map that the steward knows. To build a
   * copy, or to be told that one is of no use, is to drop what was built before: by the map that
   * was known here until now it is in no map, by the steward's it may have been placed.
   */
  private void afterMap(Envelope envelope, Runnable action) {
    ReadPoint point = new ReadPoint(Position.ZERO, envelope.point().mapVersion());
    ledgerView.await(point, context.nanos() + settings.requestNanos(), action, () -> {});
  }

  private void build(NodeId from, TxnMessage.BuildRequest request) {
    if (departure.wanted()) {
      context.send(from, new BuildReply(request.call(), Optional.empty()));
      return;
    }
    builder.build(
        new CopyBuilder.Plan(
            request.id(),
            request.keys(),
            request.source(),
            request.sourceRange(),
            request.sourceEpoch()),
        stamp -> context.send(from, new BuildReply(request.call(), stamp)));
  }

  @Override
  public void flush() {
    quorums.flush();
    // What it has sent to this node itself is handled in this step.
    deliverLocal();
    context.flush();
  }

  /** The node's state, for checkers and operators. */
  public NodeInspection inspect() {
    List<NodeInspection.CopyView> views = new ArrayList<>();
    for (Copy copy : copies.all()) {
      views.add(
          new NodeInspection.CopyView(
              copy.id(),
              copy.epoch(),
              copy.keys(),
              copy.state(),
              copy.base(),
              copies.closed(copy),
              copy.durableClosed()));
    }
    ReadPoint adopted = ledgerView.adopted();
    return new NodeInspection(
        ready,
        !sequencer.active() || steward.isReady(),
        locator.hasPlace(),
        context.incarnation(),
        adopted,
        sequencer.state(),
        views,
        participant.holders(),
        participant.parked() + ledgerView.parked() + copies.waits().size() + quorums.parked(),
        coordinator.running(),
        writer.waitingWrites(),
        pruner.pruned(),
        sequencer.batches(),
        leaderWatch.falseAlarms(),
        departure.progress(),
        writer.trouble());
  }

  /**
   * What an operator wants of the steward here, and what that has decided. Called between two
   * events, as an event would be.
   */
  public Decision adminRequest(AdminRequest adminRequest) {
    return adminRequest(adminRequest, 0);
  }

  /** As above, of a request that is known by its id when it is told again. */
  public Decision adminRequest(AdminRequest adminRequest, long id) {
    context.after(1, () -> {});
    return steward.adminRequest(adminRequest, id);
  }

  /**
   * The hot-spot replicas that this node holds for copies of others, for checkers and operators.
   */
  public List<HotReplicaHost.View> hotReplicasHeld() {
    return hotReplicas.host().views();
  }

  /** The hot-spot replicas of this node's copies, for checkers and operators. */
  public List<HotReplicaStreams.View> hotReplicasFed() {
    return hotReplicas.fed();
  }

  /** How the cluster is balanced, if this node's steward knows. */
  public Optional<ClientReply.Balance> balance() {
    return steward.balance();
  }

  /** What the steward of this node decided and why. */
  public List<Decision> decisions() {
    return steward.decisions();
  }
}
