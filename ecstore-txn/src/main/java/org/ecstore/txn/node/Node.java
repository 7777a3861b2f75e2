package org.ecstore.txn.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.Reply;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.DisplacedException;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.NodeEndsException;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.StateMachine;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.Holdings;
import org.ecstore.replication.hotspot.HotReplicaHost;
import org.ecstore.replication.hotspot.HotReplicaMessage;
import org.ecstore.replication.hotspot.HotReplicaStreams;
import org.ecstore.replication.message.ReplicationMessage;
import org.ecstore.replication.placement.PrimaryRule;
import org.ecstore.replication.quorum.QuorumMessage;
import org.ecstore.txn.message.TxnMessage;
import org.ecstore.txn.message.TxnMessage.BuildReply;
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
  private final NodeWiring wired;
  private final NodeStart start;
  private List<NodeId> succession = List.of();
  private boolean leading;

  /** Whether the engine has not answered yet whether all is there. */
  private boolean asking;

  public Node(NodeId self, NodeSettings settings, NodeParts parts, Ports ports) {
    this.settings = settings;
    wired = new NodeWiring(self, settings, parts, ports);
    context = wired.context;
    start = new NodeStart(wired, settings, this::begin);
  }

  @Override
  public void start() {
    start.announce();
  }

  private void begin() {
    wired.leaderNews.start();
    wired.writer.apply(
        List.of(), List.of(Holdings.incarnationEntry(context.incarnation())), () -> {});
    wired.locator.watchLinks();
    context.every(settings.tickNanos(), this::tick);
    beat();
    context.every(settings.persistNanos(), wired.leaderNews::persist);
    if (!context.ports().engine().profile().persists()) {
      context.every(settings.persistNanos(), this::askWhetherAllIsThere);
    }
    context.every(settings.housekeepNanos(), wired.sequencer::housekeep);
    context.every(settings.askNanos(), wired.leaderNews::askForPlace);
    context.every(settings.askNanos(), this::lookAround);
    wired.hotReplicas.start();
    wired.meter.start();
    wired.quotaMeter.start();
    context.every(settings.askNanos(), wired.steward::tend);
    lead();
    wired.leaderNews.askForPlace();
  }

  /** A node that does not lead has nothing to say, and need not wake for it as often. */
  private void beat() {
    wired.sequencer.heartbeat();
    context.after(
        wired.sequencer.active() ? settings.heartbeatNanos() : settings.tickNanos(), this::beat);
  }

  private void lead() {
    if (!start.isReady()) {
      return;
    }
    if (leading) {
      wired.sequencer.lead();
    } else {
      wired.sequencer.follow(standsBy());
    }
  }

  /** Whether this is one of the nodes that would lead next (rule 6). */
  private boolean standsBy() {
    Optional<NodeId> leader = wired.sequencerLink.leader();
    return succession.stream()
        .filter(node -> leader.isPresent() && !node.equals(leader.get()))
        .limit(STANDBYS)
        .anyMatch(context.self()::equals);
  }

  private void tick() {
    wired.ledgerView.expire();
    wired.copies.waits().expire();
    wired.participant.tick();
    wired.quorums.tick();
    wired.changes.tick();
    wired.locator.expire();
    wired.gateway.leases().expire(context.nanos());
    wired.leaderWatch.look(
        standsBy() ? wired.sequencerLink.leader() : Optional.empty(), wired.locator.members());
    wired.streams.heartbeat();
    wired.hotReplicas.tick();
  }

  /**
   * A store that forgets is asked as often as positions are made durable: of one that no request
   * reads it would not be noticed that it has lost what it had (decision 0056).
   */
  private void askWhetherAllIsThere() {
    if (!asking) {
      asking = true;
      wired.writer.sync(() -> asking = false);
    }
  }

  private void lookAround() {
    standBack();
    wired.gauges.look();
    wired.gate.look();
    wired.steward.serviceLevels().tick();
  }

  private void standBack() {
    wired.standingBack.tend(
        wired.departure.isDrained(), leading, wired.present().equals(List.of(context.self())));
  }

  /**
   * Folds and notes all that its copies have, for a clean stop (rule W11); then runs the action.
   * Snapshots of this node end.
   */
  public void fold(Runnable then) {
    wired.pruner.stop(() -> wired.persistence.persistLast(then));
  }

  /**
   * The node is to leave (ecStore §5.4): it hands its ranges over, then {@link #departure} says
   * that it may be stopped. Called between two events, as an event would be.
   */
  public void depart() {
    wired.departure.begin();
    context.after(1, wired.leaderNews::askForPlace);
  }

  /** The node stays after all; what it has handed over by now it does not get back. */
  public void stay() {
    wired.departure.cancel();
  }

  /** How the departure stands. */
  public Departure.Progress departure() {
    return wired.departure.progress();
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
          if (start.isReady()) {
            deliver(envelope);
          } else if (envelope.body() instanceof Reply reply) {
            context.replied(envelope.from(), reply);
          } else if (envelope.body() instanceof TxnMessage.QuotaNews news) {
            // Known before the first commit is taken.
            limited(envelope.from(), news);
          }
        }
      }
      case Event.Called(var call, ClientRequest.Inspect _) ->
          wired.views.inspected(call, inspect());
      case Event.Called(var call, ClientRequest.Explain explain) ->
          wired.views.explain(call, explain, inspect());
      case Event.Called(var call, ClientRequest.Administer adminRequest) ->
          wired.operators.operate(call, adminRequest);
      case Event.Called(var call, ClientRequest.ExplainBalance _) -> wired.operators.balance(call);
      case Event.Called(var call, ClientRequest.AskObjectives _) ->
          wired.operators.objectives(call);
      case Event.Called(var call, ClientRequest.AskControl _) -> wired.operators.control(call);
      case Event.Called(var call, ClientRequest.AskTables _) -> wired.operators.tables(call);
      case Event.Called(var call, ClientRequest.AskWholeTable(var name)) ->
          wired.operators.table(call, name);
      case Event.Called(var call, ClientRequest.AskDecisions ask) ->
          wired.operators.decisions(call, ask);
      case Event.Called called -> {
        ClientCall call = called.call();
        ClientRequest request = called.request();
        if (start.isReady()) {
          if (!wired.gate.refused(called)) {
            called(call, request);
          }
        } else if (!(request instanceof ClientRequest.EndSnapshot)) {
          wired.gateway.refuse(call, RefusalCode.UNAVAILABLE, "the node is starting");
        }
      }
      case Event.Greeted greeted -> wired.gate.greeted(greeted);
      case Event.Reported(_, var application, var report) ->
          wired.services.take(application, report);
      case Event.ClientGone(var connection) -> {
        wired.gateway.leases().endAll(connection);
        wired.changes.clientGone(connection);
        wired.gate.gone(connection);
      }
      case Event.MembersChanged(var members, var order) -> {
        wired.locator.members(members);
        wired.streams.members(members);
        succession = order;
        wired.steward.tend();
        wired.steward.serviceLevels().membersChanged();
        // Who stands by may be another now; who leads is not news of members.
        if (!leading) {
          lead();
        }
      }
      case Event.LeaderHinted(var leader) -> {
        wired.sequencerLink.leader(leader);
        leading = leader.equals(Optional.of(context.self()));
        start.leads(leading);
        lead();
        wired.leaderNews.askForPlace();
        wired.leaderNews.reportSoon();
      }
      case Event.KeyChanged(var key) -> {
        if (start.isReady() && key.equals(Steward.KEY)) {
          wired.locator.watchLinks();
        } else {
          wired.steward.serviceLevels().changed(key);
        }
      }
      // Whatever it leads or has promised ends here: the process that came after it is the node.
      case Event.Displaced(var by) -> throw new DisplacedException(context.self(), by);
      case Event.PartFailed failed ->
          throw new NodeEndsException.PartFailedException(context.self(), failed);
      case Event.TimerFired _ -> {}
      case Event.EngineDone _ -> {}
      case Event.LedgerDone _ -> {}
      case Event.CoordinationDone _ -> {}
    }
  }

  private void called(ClientCall call, ClientRequest request) {
    if (request instanceof ClientRequest.ReadChanges read) {
      wired.changes.read(call, read);
    } else if (!wired.quorums.called(call, request)) {
      wired.gateway.called(call, request);
    }
  }

  private void limited(NodeId from, TxnMessage.QuotaNews news) {
    long before = wired.quotaLimits.version();
    if (wired.gate.take(from, news)) {
      wired.quotaMeter.ordered(before);
    }
  }

  private void deliver(Envelope envelope) {
    NodeId from = envelope.from();
    wired.leaderWatch.heard(from, envelope.fromIncarnation());
    switch (envelope.body()) {
      case ReplicationMessage.MapNews news -> wired.ledgerView.learn(from, news, envelope.point());
      case ReplicationMessage message -> {
        learn(envelope);
        replicate(from, envelope.fromIncarnation(), message);
      }
      case QuorumMessage message -> {
        learn(envelope);
        wired.quorums.delivered(from, message);
      }
      case HotReplicaMessage message -> {
        learn(envelope);
        wired.hotReplicas.take(from, message);
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
      wired.ledgerView.offer(envelope.from(), envelope.point());
    }
  }

  private void replicate(NodeId from, long incarnation, ReplicationMessage message) {
    switch (message) {
      case ReplicationMessage.MapRequest(var have) ->
          context.send(from, wired.ledgerView.newsSince(have));
      case ReplicationMessage.CopyFetch fetch -> wired.source.fetch(from, fetch);
      case ReplicationMessage.CopyDone(var transfer) -> wired.source.done(from, transfer);
      case ReplicationMessage.MiddleRequest request ->
          wired.source.middle(from, request, wired.hotReplicas::middle);
      case ReplicationMessage.StreamUpdate update -> wired.follower.update(from, update);
      case ReplicationMessage.StreamAck ack -> wired.streams.acknowledged(from, incarnation, ack);
      case ReplicationMessage.MapNews _ -> {}
      case ReplicationMessage.CopyChunk _ -> {}
      case ReplicationMessage.CopyRefused _ -> {}
      case ReplicationMessage.MiddleReply _ -> {}
    }
  }

  private void transact(Envelope envelope, TxnMessage message) {
    NodeId from = envelope.from();
    switch (message) {
      case TxnMessage.VoteRequest vote -> wired.participant.vote(from, vote);
      case TxnMessage.Release release -> wired.participant.release(from, release);
      case TxnMessage.Decided decided -> wired.participant.decided(from, decided);
      case TxnMessage.Submit submit -> wired.sequencer.submit(from, submit);
      case TxnMessage.Ask ask -> wired.sequencer.ask(from, ask);
      case TxnMessage.StrongRequest request -> wired.sequencer.strong(from, request);
      case TxnMessage.ConfirmRequest request -> wired.sequencer.confirm(from, request);
      case TxnMessage.Heartbeat beat -> {
        wired.pruner.floor(beat.versionFloor());
        wired.hotReplicas.floor(beat.versionFloor());
        // One above D is learned from a later heartbeat, when D has come.
        if (beat.checkpoint().isAtOrBelow(wired.ledgerView.adopted().position())) {
          wired.sequencer.checkpointAt(beat.checkpoint());
        }
        wired.leaderNews.heardOf(from, envelope.fromIncarnation());
        wired.leaderWatch.heardLeading(from, envelope.fromIncarnation());
      }
      case TxnMessage.Report report -> {
        wired.sequencer.report(from, envelope.fromIncarnation(), report);
        wired.steward.reported();
        wired.steward.serviceLevels().heard(from, envelope.fromIncarnation());
      }
      case TxnMessage.LoadReport(var loads) -> wired.steward.loads(from, loads);
      case TxnMessage.BalanceRequest request -> wired.operators.asked(from, request);
      case TxnMessage.BalanceReply _ -> {}
      case TxnMessage.ObjectivesRequest request -> wired.operators.asked(from, request);
      case TxnMessage.ObjectivesReply _ -> {}
      case TxnMessage.ControlRequest request -> wired.operators.asked(from, request);
      case TxnMessage.ControlReply _ -> {}
      case TxnMessage.TablesRequest request -> wired.operators.asked(from, request);
      case TxnMessage.TablesReply _ -> {}
      case TxnMessage.WholeTableRequest request -> wired.operators.asked(from, request);
      case TxnMessage.WholeTableReply _ -> {}
      case TxnMessage.NodeLoadNews news -> wired.steward.serviceLevels().told(from, news);
      case TxnMessage.LimitNews news -> {
        if (wired.gate.take(news)) {
          wired.hotReplicas.startAt(news.hotThreshold());
        }
      }
      case TxnMessage.QuotaNews news -> limited(from, news);
      case TxnMessage.QuotaReport report -> wired.steward.serviceLevels().told(from, report);
      case TxnMessage.ServiceNews(var samples) -> wired.steward.serviceLevels().served(samples);
      case TxnMessage.EpochsWanted(var incarnation) ->
          wired.steward.epochsWanted(from, incarnation);
      case TxnMessage.JoinWanted(var incarnation) -> wired.steward.joinWanted(from, incarnation);
      case TxnMessage.LeaveWanted(var incarnation) -> wired.steward.leaveWanted(from, incarnation);
      case TxnMessage.DepartWanted(var incarnation) -> {
        if (incarnation == context.incarnation()) {
          wired.departure.drain();
          context.after(1, wired.leaderNews::askForPlace);
        }
      }
      case TxnMessage.LeaveAnswer answer -> wired.departure.answered(answer);
      case TxnMessage.AdminRequestTold request -> wired.operators.adminRequested(from, request);
      case TxnMessage.DecisionsRequest request -> wired.operators.asked(from, request);
      case TxnMessage.BuiltHeld(var id) -> wired.steward.builtHeld(from, id);
      case TxnMessage.BuiltUnused(var id) -> afterMap(envelope, () -> wired.builder.dropUnused(id));
      case TxnMessage.BuildRequest request -> afterMap(envelope, () -> build(from, request));
      case TxnMessage.LocateRequest request -> wired.locator.locate(from, request);
      case TxnMessage.LocateReply reply -> wired.locator.located(reply);
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
    wired.ledgerView.await(point, context.nanos() + settings.requestNanos(), action, () -> {});
  }

  private void build(NodeId from, TxnMessage.BuildRequest request) {
    if (wired.departure.wanted()) {
      context.send(from, new BuildReply(request.call(), Optional.empty(), false));
      return;
    }
    wired.builder.build(
        new CopyBuilder.Plan(
            request.id(),
            request.keys(),
            request.source(),
            request.sourceRange(),
            request.sourceEpoch()),
        result ->
            context.send(from, new BuildReply(request.call(), result.stamp(), result.noRoom())));
  }

  @Override
  public void flush() {
    wired.quorums.flush();
    // What it has sent to this node itself is handled in this step.
    deliverLocal();
    context.flush();
  }

  /** The node's state, for checkers and operators. */
  public NodeInspection inspect() {
    List<NodeInspection.CopyView> views = new ArrayList<>();
    for (Copy copy : wired.copies.all()) {
      views.add(
          new NodeInspection.CopyView(
              copy.id(),
              copy.epoch(),
              copy.keys(),
              copy.state(),
              copy.base(),
              copy.rows(),
              wired.copies.closed(copy),
              copy.durableFolded()));
    }
    ReadPoint adopted = wired.ledgerView.adopted();
    return new NodeInspection(
        start.isReady(),
        !wired.sequencer.active() || wired.steward.isReady(),
        wired.locator.hasPlace() || needsNoPlace(),
        context.incarnation(),
        adopted,
        wired.sequencer.state(),
        views,
        wired.participant.holders(),
        wired.participant.parked()
            + wired.ledgerView.parked()
            + wired.copies.waits().size()
            + wired.quorums.parked(),
        wired.coordinator.running(),
        wired.writer.waitingWrites(),
        wired.pruner.pruned(),
        wired.sequencer.batches(),
        wired.leaderWatch.falseAlarms(),
        wired.departure.progress(),
        wired.persistence.trouble(),
        wired.steward.placement());
  }

  /** Whether it knows the cluster, and its engine is not fit for primaries (rule 23). */
  private boolean needsNoPlace() {
    List<EngineTraits> engines =
        wired.locator.members().stream()
            .map(member -> member.info().traits().engineTraits())
            .toList();
    return wired.locator.isOutside()
        && !PrimaryRule.mayServe(
            settings.traits().engineTraits(), engines, settings.steward().relaxed());
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
    return wired.steward.adminRequest(adminRequest, id);
  }

  /**
   * The hot-spot replicas that this node holds for copies of others, for checkers and operators.
   */
  public List<HotReplicaHost.View> hotReplicasHeld() {
    return wired.hotReplicas.host().views();
  }

  /** The hot-spot replicas of this node's copies, for checkers and operators. */
  public List<HotReplicaStreams.View> hotReplicasFed() {
    return wired.hotReplicas.fed();
  }

  /**
   * From how many reads a second of a copy on its busiest keys get hot-spot replicas, as the node
   * that leads has told; 0 if it has told nothing of that (decision 0090).
   */
  public long hotThreshold() {
    return wired.hotReplicas.threshold();
  }

  /** How the cluster is balanced, if this node's steward knows. */
  public Optional<ClientReply.Balance> balance() {
    return wired.steward.balance();
  }

  /** What the controller here may do, does and has done; absent while that is not known here. */
  public Optional<ClientReply.Control> control() {
    return wired.steward.serviceLevels().controlLines();
  }

  /** What the steward of this node decided and why. */
  public List<Decision> decisions() {
    return wired.steward.decisions();
  }
}
