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
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.Holdings;
import org.ecstore.replication.copy.Pruner;
import org.ecstore.replication.copy.SplitPoints;
import org.ecstore.replication.hotspot.SlaveHost;
import org.ecstore.replication.hotspot.SlaveMessage;
import org.ecstore.replication.hotspot.SlaveStreams;
import org.ecstore.replication.hotspot.Slaves;
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
import org.ecstore.txn.steward.Decision;
import org.ecstore.txn.steward.Steward;

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
  private final NodeContext lane;
  private final LedgerView knowledge;
  private final EngineWriter writer;
  private final SequencerLink sequencerLink;
  private final Participant participant;
  private final CopyTable copies;
  private final CopySource source;
  private final CopyStreams streams;
  private final CopyFollower follower;
  private final SplitPoints landmarks;
  private final Slaves slaves;
  private final LoadMeter meter;
  private final CopyBuilder builder;
  private final Pruner pruner;
  private final Quorums quorums;
  private final Coordinator coordinator;
  private final Sequencer sequencer;
  private final Steward steward;
  private final LeaderWatch leaderWatch;
  private final KeyLocator lookup;
  private final Departure departure;
  private final Gateway gateway;
  private final NodeViews views;
  private final Operators operators;
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
    lane = new NodeContext(self, ports);
    knowledge = parts.knowledge(lane, settings);
    writer = new EngineWriter(lane);
    sequencerLink = new SequencerLink(lane, settings.askNanos());
    participant = parts.participant(lane, knowledge, writer, sequencerLink, settings);
    copies = parts.copies(lane, knowledge, writer, participant, new CopyEvents());
    participant.copies(copies);
    source = parts.source(lane, copies, settings);
    streams = parts.streams(lane, knowledge, copies, settings);
    follower = parts.follower(lane, copies, writer, settings);
    landmarks = new SplitPoints(lane);
    slaves = parts.slaves(lane, knowledge, copies, landmarks, settings, this::present);
    follower.listen(slaves);
    meter = new LoadMeter(lane, copies, settings.balance(), sequencerLink::leader);
    participant.onReadable(
        (copy, number, writes) -> {
          streams.applied(copy, number, writes);
          slaves.applied(copy, number, writes);
          meter.updated(copy, writes);
        });
    builder = new CopyBuilder(lane, copies, writer, settings.askNanos());
    pruner = parts.pruner(lane, copies, writer, settings);
    ReadBarrier positions = new ReadBarrier(lane, knowledge, sequencerLink);
    quorums =
        new Quorums(
            lane,
            knowledge,
            positions,
            parts.quorumCopies(lane, knowledge, copies, streams, settings),
            parts.quorumReads(lane, knowledge, settings),
            settings);
    coordinator = parts.coordinator(lane, knowledge, sequencerLink, settings);
    lookup = new KeyLocator(lane, knowledge, copies, settings.coldRouting());
    sequencer =
        parts.sequencer(lane, knowledge, settings, lookup::members, this::sequencerActivated);
    leaderWatch = parts.leaderWatch(lane);
    steward = parts.steward(lane, sequencer, lookup::members, settings);
    standingBack = new StandingBack(lane);
    departure = parts.departure(lane, knowledge, copies, builder, coordinator, lookup::members);
    SnapshotReads reads = parts.reads(lane, knowledge, copies, participant);
    gateway =
        new Gateway(
            lane,
            settings,
            knowledge,
            sequencerLink,
            positions,
            parts.starts(lane, knowledge, copies, sequencerLink, positions, settings),
            new ReadHandler(
                lane, settings, reads, positions, lookup, slaves, landmarks, meter::read),
            coordinator,
            lookup,
            departure);
    views = new NodeViews(lane, sequencerLink, lookup, slaves, parts);
    operators = new Operators(lane, sequencerLink, steward, settings.askNanos());
    lane.pointFrom(knowledge::adopted);
    knowledge.onMapChange(copies::reconcile);
    knowledge.onMapChange(slaves::reconcile);
    knowledge.onMapChange(lookup::watchLinks);
    knowledge.onMapChange(this::reportSoon);
    knowledge.onMapChange(this::askForEpochs);
    knowledge.onMapChange(meter::changed);
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
      slaves.retired(copy);
      landmarks.retired(copy);
    }

    @Override
    public void interrupted(Copy copy) {
      slaves.interrupted(copy);
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
    lane.coordination(
        token ->
            lane.ports()
                .coordination()
                .join(token, lane.self(), new MemberInfo(settings.address(), settings.host())),
        result -> {
          if (result instanceof CoordinationResult.Joined joined) {
            lane.incarnation(joined.incarnation());
            recover();
          } else {
            lane.after(settings.askNanos(), this::announce);
          }
        });
  }

  private void recover() {
    lane.engine(
        token -> lane.ports().engine().notes(token),
        result -> {
          if (result instanceof EngineResult.Notes notes) {
            recovered(notes);
          } else {
            lane.after(settings.askNanos(), this::recover);
          }
        });
  }

  private void recovered(EngineResult.Notes notes) {
    Holdings held = Holdings.of(notes.notes());
    if (held.incarnation() >= lane.incarnation()) {
      throw new WrongPartsException(
          ("coordination is older than the engine of %s: it gives incarnation %d, which the engine"
                  + " was used in before (it has had %d). Nothing was served. Restore coordination"
                  + " together with the engine; or take the engine's directory away, to be filled from"
                  + " the other copies")
              .formatted(lane.self(), lane.incarnation(), held.incarnation()));
    }
    copies.load(notes.notes());
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
    lane.ledger(
        token -> lane.ports().ledger().read(token, through, 1),
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
      lane.after(settings.askNanos(), () -> findInLedger(through));
    } else if (through.isAtOrBelow(durable.get().position())) {
      begin();
    } else {
      throw Sequencer.ledgerTooShort(lane.self(), through, durable.get().position());
    }
  }

  private void begin() {
    if (ready) {
      return;
    }
    ready = true;
    writer.apply(List.of(), List.of(Holdings.incarnationNote(lane.incarnation())), () -> {});
    lookup.watchLinks();
    lane.every(settings.tickNanos(), this::tick);
    lane.every(settings.heartbeatNanos(), sequencer::heartbeat);
    lane.every(settings.persistNanos(), () -> copies.persist(this::report));
    lane.every(settings.housekeepNanos(), sequencer::housekeep);
    lane.every(settings.askNanos(), this::askForPlace);
    lane.every(settings.askNanos(), this::standBack);
    lane.every(settings.tickNanos(), streams::heartbeat);
    lane.every(settings.tickNanos(), slaves::tick);
    slaves.start();
    meter.start();
    lane.every(settings.askNanos(), steward::tend);
    lead();
    askForPlace();
  }

  private List<NodeId> present() {
    return lookup.members().stream().map(Member::node).toList();
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
        .anyMatch(lane.self()::equals);
  }

  private void sequencerActivated() {
    steward.start();
  }

  private void tick() {
    knowledge.expire();
    copies.expire();
    participant.tick();
    quorums.tick();
    lookup.expire();
    gateway.leases().expire(lane.nanos());
    leaderWatch.look(standsBy() ? sequencerLink.leader() : Optional.empty(), lookup.members());
  }

  private void standBack() {
    standingBack.tend(departure.isDrained(), leading, present().equals(List.of(lane.self())));
  }

  /** Whatever this node still lacks: the map, epochs for its ranges, a place in the overlay. */
  private void askForPlace() {
    Optional<NodeId> leader = sequencerLink.leader();
    if (!ready || leader.isEmpty()) {
      return;
    }
    if (knowledge.map().version().equals(MapVersion.ZERO)) {
      if (!leader.get().equals(lane.self())) {
        lane.send(leader.get(), new ReplicationMessage.MapRequest(MapVersion.ZERO));
      }
    } else if (copies.wantsEpochs()) {
      lane.send(leader.get(), new EpochsWanted(lane.incarnation()));
    } else if (departure.wanted()) {
      lane.send(leader.get(), new LeaveWanted(lane.incarnation()));
    } else if (!departure.ownsAny(knowledge.map()) || lookup.isOutside()) {
      lane.send(leader.get(), new JoinWanted(lane.incarnation()));
    }
    for (RangeId id : builder.built()) {
      lane.send(leader.get(), new BuiltHeld(id));
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
    lane.after(1, this::askForPlace);
  }

  /** The node stays after all; what it has handed over by now it does not get back. */
  public void stay() {
    departure.callOff();
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

  /** Who leads may wait for it: it promotes nobody who has not reported under the epoch. */
  private void reportSoon() {
    if (ready && !reporting) {
      reporting = true;
      lane.after(
          settings.tickNanos(),
          () -> {
            reporting = false;
            copies.persist(this::report);
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
    lane.send(leader.get(), new Report(++reports, held, pin, gateway.leases().least()));
  }

  @Override
  public void on(Event event) {
    if (!lane.complete(event)) {
      handle(event);
    }
    deliverLocal();
  }

  private void deliverLocal() {
    for (Envelope own = lane.nextLocal(); own != null; own = lane.nextLocal()) {
      deliver(own);
    }
  }

  private void handle(Event event) {
    switch (event) {
      case Event.Delivered(var envelope) -> {
        if (envelope.to().equals(lane.self())) {
          if (ready) {
            deliver(envelope);
          } else if (envelope.body() instanceof Reply reply) {
            lane.replied(envelope.from(), reply);
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
        lookup.members(members);
        succession = order;
        steward.tend();
        // Who stands by may be another now; who leads is not news of members.
        if (!leading) {
          lead();
        }
      }
      case Event.LeaderHinted(var leader) -> {
        sequencerLink.leader(leader);
        leading = leader.equals(Optional.of(lane.self()));
        if (leading && recovered) {
          begin();
        }
        lead();
        askForPlace();
        reportSoon();
      }
      case Event.KeyChanged(var key) -> {
        if (ready && key.equals(Steward.KEY)) {
          lookup.watchLinks();
        }
      }
      // Whatever it leads or has promised ends here: whoever came after it stands for the node.
      case Event.Displaced(var by) -> throw new DisplacedException(lane.self(), by);
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
      case ReplicationMessage.MapNews news -> knowledge.learn(from, news, envelope.point());
      case ReplicationMessage message -> {
        learn(envelope);
        replicate(from, message);
      }
      case QuorumMessage message -> {
        learn(envelope);
        quorums.delivered(from, message);
      }
      case SlaveMessage message -> {
        learn(envelope);
        slaves.take(from, message);
      }
      case TxnMessage message -> {
        learn(envelope);
        transact(envelope, message);
      }
      default -> throw new IllegalStateException("a message of no stratum: " + envelope.body());
    }
    if (envelope.body() instanceof Reply reply) {
      lane.replied(from, reply);
    }
  }

  private void learn(Envelope envelope) {
    if (!envelope.from().equals(lane.self())) {
      knowledge.offer(envelope.from(), envelope.point());
    }
  }

  private void replicate(NodeId from, ReplicationMessage message) {
    switch (message) {
      case ReplicationMessage.MapRequest(var have) -> lane.send(from, knowledge.newsSince(have));
      case ReplicationMessage.CopyFetch fetch -> source.fetch(from, fetch);
      case ReplicationMessage.CopyDone(var transfer) -> source.done(from, transfer);
      case ReplicationMessage.MiddleRequest request -> source.middle(from, request, slaves::middle);
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
        slaves.floor(beat.versionFloor());
        // One above D is learned from a later heartbeat, when D has come.
        if (beat.checkpoint().isAtOrBelow(knowledge.adopted().position())) {
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
        if (incarnation == lane.incarnation()) {
          departure.drain();
          lane.after(1, this::askForPlace);
        }
      }
      case TxnMessage.LeaveAnswer answer -> departure.answered(answer);
      case TxnMessage.WishRequest request -> operators.wished(from, request);
      case TxnMessage.DecisionsRequest request -> operators.asked(from, request);
      case TxnMessage.BuiltHeld(var id) -> steward.builtHeld(from, id);
      case TxnMessage.BuiltUnused(var id) -> afterMap(envelope, () -> builder.dropUnused(id));
      case TxnMessage.BuildRequest request -> afterMap(envelope, () -> build(from, request));
      case TxnMessage.LocateRequest request -> lookup.locate(from, request);
      case TxnMessage.LocateReply reply -> lookup.located(reply);
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
    knowledge.await(point, lane.nanos() + settings.requestNanos(), action, () -> {});
  }

  private void build(NodeId from, TxnMessage.BuildRequest request) {
    if (departure.wanted()) {
      lane.send(from, new BuildReply(request.call(), Optional.empty()));
      return;
    }
    builder.build(
        new CopyBuilder.Plan(
            request.id(),
            request.keys(),
            request.source(),
            request.sourceRange(),
            request.sourceEpoch()),
        stamp -> lane.send(from, new BuildReply(request.call(), stamp)));
  }

  @Override
  public void flush() {
    quorums.flush();
    // What it has sent to this node itself is handled in this step.
    deliverLocal();
    lane.flush();
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
    ReadPoint adopted = knowledge.adopted();
    return new NodeInspection(
        ready,
        !sequencer.active() || steward.isReady(),
        lookup.hasPlace(),
        lane.incarnation(),
        adopted,
        sequencer.state(),
        views,
        participant.marked(),
        participant.parked() + knowledge.parked() + copies.parked() + quorums.parked(),
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
  public Decision wish(AdminRequest wish) {
    return wish(wish, 0);
  }

  /** As above, of a wish that is known by its id when it is told again. */
  public Decision wish(AdminRequest wish, long id) {
    lane.after(1, () -> {});
    return steward.wish(wish, id);
  }

  /** The slaves that this node holds for copies of others, for checkers and operators. */
  public List<SlaveHost.View> slavesHeld() {
    return slaves.host().views();
  }

  /** The slaves of this node's copies, for checkers and operators. */
  public List<SlaveStreams.View> slavesFed() {
    return slaves.fed();
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
