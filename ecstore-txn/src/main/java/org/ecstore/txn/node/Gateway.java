package org.ecstore.txn.node;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.TaggedInstrument;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.NodeRole;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.KeyOrder;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.message.Outcome;
import org.ecstore.txn.message.TxnMessage.Asker;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.wire.Limits;

/** Answers clients: snapshots, reads, commits, outcomes, routes (rules 5, 9, 10, 18). */
final class Gateway {
  private static final int COMMIT_MILLIS_MAX = 60_000;
  private static final int ASKING_MAX = 2_000;
  private static final List<NodeRole> FOLLOWING = List.of(NodeRole.STORAGE, NodeRole.COORDINATOR);
  private static final List<NodeRole> LEADING =
      List.of(NodeRole.STORAGE, NodeRole.COORDINATOR, NodeRole.SEQUENCER, NodeRole.STEWARD);

  private final NodeContext context;
  private final NodeSettings settings;
  private final LedgerView ledgerView;
  private final SequencerLink sequencer;
  private final ReadHandler reading;
  private final Coordinator coordinator;
  private final ReadBarrier positions;
  private final SnapshotBegins begins;
  private final KeyLocator locator;
  private final Departure departure;
  private final Supplier<Position> versionFloor;
  private final Leases leases;
  private final TaggedInstrument<ReadLevel.Kind> snapshots;
  private int asking;

  Gateway(
      NodeContext context,
      NodeSettings settings,
      LedgerView ledgerView,
      SequencerLink sequencer,
      ReadBarrier positions,
      SnapshotBegins begins,
      ReadHandler reading,
      Coordinator coordinator,
      KeyLocator locator,
      Departure departure,
      Supplier<Position> versionFloor) {
    this.context = context;
    this.settings = settings;
    this.ledgerView = ledgerView;
    this.sequencer = sequencer;
    this.coordinator = coordinator;
    this.positions = positions;
    this.begins = begins;
    this.reading = reading;
    this.locator = locator;
    this.departure = departure;
    this.versionFloor = versionFloor;
    this.leases = new Leases(settings.leaseNanos(), settings.leasesMax());
    this.snapshots =
        new TaggedInstrument<>(context.metrics(), NodeMetrics.SNAPSHOTS, ReadLevel.Kind.class);
  }

  Leases leases() {
    return leases;
  }

  void called(ClientCall call, ClientRequest request) {
    if (departure.takesNothing() && sentElsewhere(call, request)) {
      return;
    }
    switch (request) {
      case ClientRequest.Hello hello -> hello(call, hello);
      case ClientRequest.Locate(var key) ->
          locator.locate(
              key,
              until(),
              (route, hops) -> located(call, route, hops),
              () -> refuse(call, RefusalCode.UNAVAILABLE, "no node is known to own the key yet"));
      case ClientRequest.Begin(var level, var token) -> begin(call, level, token);
      case ClientRequest.BeginWith begin -> beginWith(call, begin);
      case ClientRequest.BeginAt(var position) -> beginAt(call, position);
      case ClientRequest.RenewSnapshot(var lease) -> renew(call, lease);
      case ClientRequest.EndSnapshot(var lease) -> leases.end(call.connection(), lease);
      case ClientRequest.Read read -> reading.read(read, reply -> reply(call, reply));
      case ClientRequest.Commit commit -> commit(call, commit);
      case ClientRequest.AskOutcome(var txn, var point) -> askOutcome(call, txn, point.position());
      case ClientRequest.Status(var keys, var rangesMax) -> status(call, keys, rangesMax);
      // What needs one is asked by a port, which answers this itself.
      case ClientRequest.AskChallenge _ ->
          refuse(call, RefusalCode.BAD_REQUEST, "requests need no proof here");
      case ClientRequest.Inspect _,
          ClientRequest.Explain _,
          ClientRequest.Administer _,
          ClientRequest.AskDecisions _,
          ClientRequest.ExplainBalance _,
          ClientRequest.AskObjectives _,
          ClientRequest.AskControl _,
          ClientRequest.AskTables _,
          ClientRequest.AskWholeTable _,
          ClientRequest.QuorumGet _,
          ClientRequest.QuorumWait _,
          ClientRequest.ReadChanges _ ->
          throw new IllegalStateException("the node answers for itself: " + request);
    }
  }

  /** Of a node that leaves nothing new may be begun; what others know as well is still answered. */
  private boolean sentElsewhere(ClientCall call, ClientRequest request) {
    return switch (request) {
      case ClientRequest.Begin _,
          ClientRequest.BeginWith _,
          ClientRequest.BeginAt _,
          ClientRequest.RenewSnapshot _ -> {
        refuse(call, RefusalCode.UNAVAILABLE, "the node leaves");
        yield true;
      }
      case ClientRequest.Commit commit -> {
        List<Bytes> keys = commit.writes().stream().map(KeyWrite::key).toList();
        reply(call, new ClientReply.WrongRange(locator.routes(keys)));
        yield true;
      }
      case ClientRequest.Hello _,
          ClientRequest.Locate _,
          ClientRequest.EndSnapshot _,
          ClientRequest.Read _,
          ClientRequest.AskOutcome _,
          ClientRequest.Status _,
          ClientRequest.AskChallenge _,
          ClientRequest.Inspect _,
          ClientRequest.Explain _,
          ClientRequest.Administer _,
          ClientRequest.AskDecisions _,
          ClientRequest.ExplainBalance _,
          ClientRequest.AskObjectives _,
          ClientRequest.AskControl _,
          ClientRequest.AskTables _,
          ClientRequest.AskWholeTable _,
          ClientRequest.QuorumGet _,
          ClientRequest.QuorumWait _,
          ClientRequest.ReadChanges _ ->
          false;
    };
  }

  private void located(ClientCall call, Route route, int hops) {
    Optional<String> gone = locator.allGone(route);
    if (gone.isPresent()) {
      refuse(call, RefusalCode.UNAVAILABLE, gone.get());
    } else {
      reply(call, new ClientReply.Located(route, hops));
    }
  }

  private long until() {
    return context.nanos() + settings.requestNanos();
  }

  private void reply(ClientCall call, ClientReply reply) {
    context.ports().network().reply(call, reply);
  }

  void refuse(ClientCall call, RefusalCode code, String detail) {
    reply(call, new ClientReply.Refused(code, detail));
  }

  private void hello(ClientCall call, ClientRequest.Hello hello) {
    ProtocolVersions spoken = ProtocolVersions.SPOKEN;
    spoken
        .highestCommon(hello.versions())
        .ifPresentOrElse(
            version -> welcome(call, version),
            () -> refuse(call, RefusalCode.BAD_REQUEST, spoken.refusalOf(hello.versions())));
  }

  private void welcome(ClientCall call, int version) {
    reply(
        call,
        new ClientReply.Welcome(
            version,
            settings.clusterId(),
            context.self(),
            settings.transactionMax(),
            settings.traits().engineTraits().readRank()));
  }

  private void begin(ClientCall call, ReadLevel level, ReadPoint token) {
    snapshots.of(level.kind()).count();
    begins.start(
        level,
        token,
        until(),
        point -> reply(call, unleased(point)),
        refused -> reply(call, refused));
  }

  /** A snapshot is young at first, and its versions are kept for a while at any rate (rule 14). */
  private ClientReply.Begun unleased(ReadPoint point) {
    return new ClientReply.Begun(point, 0, settings.keptMillis());
  }

  /**
   * Begins and reads in one step. A copy that follows is read where it is closed, if the session
   * has seen no more: as consistent as any other point, and one that this copy can answer at
   * (decision 0022).
   */
  private void beginWith(ClientCall call, ClientRequest.BeginWith begin) {
    snapshots.of(begin.level().kind()).count();
    begins.startNear(
        begin.level(),
        begin.token(),
        reading.closedHere(begin.read()),
        until(),
        point -> readAt(call, begin.read(), point),
        refused -> reply(call, refused));
  }

  private void readAt(ClientCall call, ClientRequest.Read read, ReadPoint point) {
    reading.read(
        read.at(point),
        answer ->
            reply(
                call,
                answer instanceof ClientReply.Answered answered
                    ? new ClientReply.BegunWith(unleased(point), answered)
                    : answer));
  }

  private void begun(ClientCall call, ReadPoint point) {
    Optional<Long> lease = leases.grant(call.connection(), point, context.nanos());
    if (lease.isEmpty()) {
      refuse(call, RefusalCode.OVERLOADED, "too many snapshots are open on this node");
    } else {
      reply(call, new ClientReply.Begun(point, lease.get(), leases.millis()));
    }
  }

  /** Nothing is read below the floor any more: a lease there would keep no version (rule 14). */
  private void beginAt(ClientCall call, Position position) {
    Position floor = versionFloor.get();
    if (floor.isAfter(position)) {
      refuse(
          call,
          RefusalCode.SNAPSHOT_TOO_OLD,
          "nothing is read below position " + floor + " any more");
      return;
    }
    ReadPoint point = new ReadPoint(position, MapVersion.ZERO);
    positions.reach(
        point,
        until(),
        () -> begun(call, new ReadPoint(position, ledgerView.adopted().mapVersion())),
        refused -> reply(call, refused));
  }

  private void renew(ClientCall call, long lease) {
    Optional<ReadPoint> point = leases.renew(call.connection(), lease, context.nanos());
    if (point.isPresent()) {
      reply(call, new ClientReply.Begun(point.get(), lease, leases.millis()));
    } else {
      refuse(call, RefusalCode.SNAPSHOT_TOO_OLD, "the snapshot's lease has ended");
    }
  }

  private void commit(ClientCall call, ClientRequest.Commit commit) {
    Optional<String> wrong = tooLarge(commit);
    if (wrong.isPresent()) {
      refuse(call, RefusalCode.TOO_LARGE, wrong.get());
      return;
    }
    if (commit.writes().isEmpty() && commit.catalog().filter(CatalogStamp::changes).isPresent()) {
      refuse(call, RefusalCode.BAD_REQUEST, "a change of the catalog writes what it changes");
      return;
    }
    Optional<String> disorder = KeyOrder.faultOf(commit);
    if (disorder.isPresent()) {
      refuse(call, RefusalCode.BAD_REQUEST, disorder.get());
      return;
    }
    long timeout = Math.max(1, Math.min(commit.timeoutMillis(), COMMIT_MILLIS_MAX));
    long until = context.nanos() + timeout * 1_000_000L;
    // While the client still listens: what is not begun by then is known not to be. And no longer
    // than a read waits: it takes room of requests, and a position may be made up.
    long begunUntil = Math.min(until - timeout * 1_000_000L / 4, until());
    positions.reach(
        commit.point(),
        begunUntil,
        () -> coordinator.commit(commit, until, reply -> reply(call, reply)),
        refused -> reply(call, refused));
  }

  private static Optional<String> tooLarge(ClientRequest.Commit commit) {
    int items = commit.reads().size() + commit.intervals().size() + commit.writes().size();
    if (items > Limits.TRANSACTION_ITEMS_MAX) {
      return Optional.of(
          items + " keys and intervals, " + Limits.TRANSACTION_ITEMS_MAX + " are allowed");
    }
    long total = 0;
    for (KeyWrite write : commit.writes()) {
      int value = write.mutation().length();
      if (write.key().length() > Limits.KEY_BYTES_MAX || value > Limits.VALUE_BYTES_MAX) {
        return Optional.of("key or value over the limit");
      }
      total += write.key().length() + value;
    }
    for (Bytes key : commit.reads()) {
      total += key.length();
    }
    return total > Limits.TRANSACTION_BYTES_MAX
        ? Optional.of("transaction over the limit")
        : Optional.empty();
  }

  private void askOutcome(ClientCall call, TxnId txn, Position snapshot) {
    if (asking >= ASKING_MAX) {
      refuse(call, RefusalCode.OVERLOADED, "too many ask for outcomes on this node");
      return;
    }
    asking++;
    sequencer.ask(
        txn,
        snapshot,
        Asker.CLIENT,
        outcome -> {
          asking--;
          outcome(call, outcome);
        });
  }

  private void outcome(ClientCall call, Outcome outcome) {
    switch (outcome) {
      case Outcome.Committed(var number) ->
          ledgerView.await(
              new ReadPoint(number, MapVersion.ZERO),
              until(),
              () -> reply(call, new ClientReply.Committed(number, ledgerView.adopted())),
              () -> reply(call, new ClientReply.OutcomeUnknown("this node lags behind")));
      case Outcome.Aborted(var changed) ->
          reply(
              call,
              new ClientReply.Aborted(new AbortReason.SettledByAsker(), ledgerView.adopted()));
      case Outcome.CatalogChanged(var version) ->
          reply(
              call,
              new ClientReply.Aborted(
                  new AbortReason.CatalogChanged(version), ledgerView.adopted()));
      case Outcome.Expired(var floor) -> reply(call, new ClientReply.OutcomeExpired(floor));
      case Outcome.NotNow(var detail) -> reply(call, new ClientReply.OutcomeUnknown(detail));
    }
  }

  private void status(ClientCall call, Optional<KeyRange> keys, int rangesMax) {
    int most = rangesMax == 0 ? Limits.STATUS_RANGES_MAX + 1 : rangesMax;
    List<RangeDescriptor> ranges = ledgerView.map().overlapping(keys.orElse(KeyRange.ALL), most);
    if (ranges.size() > Limits.STATUS_RANGES_MAX) {
      refuse(
          call,
          RefusalCode.TOO_LARGE,
          "there are more ranges than one answer has, %d: they are told in parts, as clients of"
                  .formatted(Limits.STATUS_RANGES_MAX)
              + " this release ask, or for one table");
      return;
    }
    List<ClientReply.NodeLine> nodes =
        locator.members().stream()
            .map(
                member ->
                    new ClientReply.NodeLine(
                        member.node(),
                        member.info().address(),
                        sequencer.leader().equals(Optional.of(member.node()))
                            ? LEADING
                            : FOLLOWING))
            .toList();
    reply(
        call,
        new ClientReply.StatusReport(
            ledgerView.adopted(),
            nodes,
            locator.routesOf(ranges),
            locator.holders(ranges),
            traits()));
  }

  private List<ClientReply.TraitsLine> traits() {
    return locator.members().stream()
        .map(
            member ->
                new ClientReply.TraitsLine(
                    member.node(), member.info().host(), member.info().traits()))
        .toList();
  }
}
