package org.ecstore.txn.sequencer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.LedgerRecord.CoordinatorLife;
import org.ecstore.core.ledger.LedgerRecord.Settled;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.limit.RateBucket;
import org.ecstore.txn.message.Outcome;
import org.ecstore.txn.message.TxnMessage.Ask;
import org.ecstore.txn.message.TxnMessage.Asker;
import org.ecstore.txn.message.TxnMessage.ConfirmRequest;
import org.ecstore.txn.message.TxnMessage.OutcomeReply;
import org.ecstore.txn.message.TxnMessage.PositionReply;
import org.ecstore.txn.message.TxnMessage.StrongRequest;
import org.ecstore.txn.message.TxnMessage.Submit;

/**
 * Where a commit gets its number: takes submissions, decides each id once, appends, and answers
 * from durable records only (rules 1, 4, 5). Changes of the map are numbered in the same way (rule
 * 15).
 */
final class Submissions {
  /** Each ends the commits of all clients that are on their way. */
  private static final RateBucket.Rate CATALOG_CHANGES = new RateBucket.Rate(100, 10);

  private record ChangeAt(Position position, MapChange change) {}

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final SequencerState sequencer;
  private final SequencerRules rules;
  private final long outcomesMax;
  private final Questions questions = new Questions();
  private final RateBucket catalogChanges = new RateBucket(CATALOG_CHANGES);

  /** Changes of the map that are appended and not known to be durable, in order. */
  private final Deque<ChangeAt> changesInFlight = new ArrayDeque<>();

  Submissions(
      NodeContext context,
      LedgerView ledgerView,
      SequencerState sequencer,
      SequencerRules rules,
      long outcomesMax) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.sequencer = sequencer;
    this.rules = rules;
    this.outcomesMax = outcomesMax;
  }

  /** What an earlier term has left is void. */
  void clear() {
    changesInFlight.clear();
  }

  /** Records became durable: this node learns of the changes of the map among them. */
  void advanced() {
    Position durable = sequencer.appender().durable();
    List<MapChange> recorded = new ArrayList<>();
    MapVersion version = ledgerView.map().version();
    while (!changesInFlight.isEmpty() && changesInFlight.peek().position().isAtOrBelow(durable)) {
      MapChange change = changesInFlight.remove().change();
      recorded.add(change);
      version = change.version();
    }
    ledgerView.learn(
        context.self(), new MapNews(recorded, Optional.empty()), new ReadPoint(durable, version));
  }

  /** Takes a submission (rules 1, 4, 5, 27). */
  void submit(NodeId from, Submit submit) {
    Consumer<Outcome> reply =
        outcome -> context.send(from, new OutcomeReply(submit.call(), outcome));
    if (!sequencer.active()) {
      reply.accept(Outcome.NotNow.NOT_LEADING);
      return;
    }
    Optional<Settled> decided = rules.decided(submit.txn());
    if (decided.isPresent()) {
      whenSettled(decided.get(), submit, reply);
    } else if (submit.point().position().value() < rules.outcomeFloor().value()) {
      reply.accept(new Outcome.Expired(rules.outcomeFloor()));
    } else if (takesNothing()) {
      sequencer.refused().add(submit.txn(), context.nanos());
      reply.accept(new Outcome.NotNow(overload()));
    } else {
      Optional<RangeId> changed = rules.changedRange(submit.votes());
      if (changed.isPresent()) {
        abort(submit.txn(), submit.point().position(), new Outcome.Aborted(changed), reply);
      } else if (!rules.isUnderNewestCatalog(submit.catalog())) {
        abort(submit.txn(), submit.point().position(), catalogChanged(), reply);
      } else if (submit.catalog().changes() && !catalogChanges.admits(context.nanos())) {
        reply.accept(new Outcome.NotNow("the catalog is changed all the time"));
      } else {
        commit(submit, reply);
      }
    }
  }

  private Outcome catalogChanged() {
    return new Outcome.CatalogChanged(sequencer.memory().catalogVersion());
  }

  /** One that was aborted would be so again under another id, if the catalog has changed. */
  private void whenSettled(Settled decided, Submit submit, Consumer<Outcome> reply) {
    if (decided.committed() && !rules.isOfSubmitter(decided, submit)) {
      whenUsedElsewhere(decided, submit, reply);
      return;
    }
    if (decided.committed() || rules.isUnderNewestCatalog(submit.catalog())) {
      whenSettled(decided, reply);
      return;
    }
    Outcome changed = catalogChanged();
    sequencer
        .appender()
        .whenDurable(
            new Position(sequencer.appender().next().value() - 1),
            () -> reply.accept(changed),
            detail -> reply.accept(rules.lost(detail)));
  }

  /**
   * What was committed under the id is not what is submitted. That is final once the record is
   * durable: until then it may get lost, and a submission of this coordinator's that is late be the
   * first after all.
   */
  private void whenUsedElsewhere(Settled decided, Submit submit, Consumer<Outcome> reply) {
    // Its own number is above its snapshot.
    boolean isAnothers =
        !decided.by().equals(CoordinatorLife.UNKNOWN)
            || decided.number().isAtOrBelow(submit.point().position());
    Outcome elsewhere =
        isAnothers
            ? Outcome.NotNow.USED_ELSEWHERE
            : new Outcome.NotNow("whose commit it is, is not known since the sequencer took over");
    sequencer
        .appender()
        .whenDurable(
            decided.number(),
            () -> reply.accept(elsewhere),
            detail -> reply.accept(rules.lost(detail)));
  }

  private void commit(Submit submit, Consumer<Outcome> reply) {
    LedgerRecord.Commit record =
        new LedgerRecord.Commit(
            submit.txn(),
            submit.coordinator(),
            submit.coordinatorIncarnation(),
            submit.point().position(),
            submit.point().mapVersion(),
            submit.isolation(),
            submit.votes(),
            submit.writes(),
            submit.catalog().begins());
    Position number = sequencer.appender().append(record);
    Settled settled = sequencer.memory().committed(record, number);
    sequencer.memory().catalogBegins(submit.catalog().begins());
    whenSettled(settled, reply);
  }

  private void abort(TxnId txn, Position snapshot, Outcome outcome, Consumer<Outcome> reply) {
    Position number = sequencer.appender().append(new LedgerRecord.Abort(txn, snapshot));
    sequencer.memory().settle(new Settled(txn, number, false));
    sequencer
        .appender()
        .whenDurable(
            number, () -> reply.accept(outcome), detail -> reply.accept(rules.lost(detail)));
  }

  private void whenSettled(Settled settled, Consumer<Outcome> reply) {
    sequencer
        .appender()
        .whenDurable(
            settled.number(),
            () ->
                reply.accept(
                    settled.committed()
                        ? new Outcome.Committed(settled.number())
                        : new Outcome.Aborted(Optional.empty())),
            detail -> reply.accept(rules.lost(detail)));
  }

  /**
   * A node is in doubt: what is in flight is waited for; absent a record, one is made (rule 5). Not
   * for a participant whose transaction waits for room: the records of such would take that room.
   */
  void ask(NodeId from, Ask ask) {
    Consumer<Outcome> reply = outcome -> context.send(from, new OutcomeReply(ask.call(), outcome));
    Optional<Settled> decided = Optional.ofNullable(sequencer.memory().outcomes().get(ask.txn()));
    if (!sequencer.active()) {
      reply.accept(Outcome.NotNow.NOT_LEADING);
    } else if (decided.isPresent()) {
      whenSettled(decided.get(), reply);
    } else if (ask.snapshot().value() < rules.outcomeFloor().value()) {
      reply.accept(new Outcome.Expired(rules.outcomeFloor()));
    } else if (ask.asker() == Asker.PARTICIPANT && rules.mayComeAgain(ask.txn())) {
      reply.accept(new Outcome.NotNow("it was refused for want of room a moment ago"));
    } else if (isTooMuch(ask.asker()) || !questions.admits(ask.asker(), from, context.nanos())) {
      reply.accept(new Outcome.NotNow(overload()));
    } else {
      abort(ask.txn(), ask.snapshot(), new Outcome.Aborted(Optional.empty()), reply);
    }
  }

  /** D, after an append that begins now (rule 9). */
  void strong(NodeId from, StrongRequest request) {
    if (!sequencer.active() || sequencer.appender().isFull()) {
      context.send(from, new PositionReply(request.call(), false, ledgerView.adopted()));
      return;
    }
    sequencer
        .appender()
        .whenNextDurable(
            () -> context.send(from, new PositionReply(request.call(), true, ledgerView.adopted())),
            detail ->
                context.send(from, new PositionReply(request.call(), false, ledgerView.adopted())));
  }

  /** Whether a position is durable. */
  void confirm(NodeId from, ConfirmRequest request) {
    boolean granted =
        sequencer.active() && request.position().isAtOrBelow(sequencer.appender().durable());
    context.send(from, new PositionReply(request.call(), granted, ledgerView.adopted()));
  }

  /**
   * Records a map change (rule 15): only the version after the latest; one that is there already
   * counts as done once it is durable.
   */
  void record(MapChange change, Runnable recorded, Consumer<String> lost) {
    Appender appender = sequencer.appender();
    LedgerState memory = sequencer.memory();
    if (!sequencer.active()) {
      lost.accept("no sequencer here");
    } else if (change.version().isAtOrBelow(memory.map().version())) {
      appender.whenDurable(new Position(appender.next().value() - 1), recorded, lost);
    } else {
      memory.map(memory.map().apply(change));
      Position at = appender.append(new LedgerRecord.EpochChange(change));
      changesInFlight.add(new ChangeAt(at, change));
      appender.whenDurable(at, recorded, lost);
    }
  }

  private String overload() {
    return !remembersTooMuch()
        ? "the sequencer is overloaded"
        : "the sequencer remembers %d outcomes, and may forget none before copies that lag have read on"
            .formatted(outcomesMax);
  }

  private boolean takesNothing() {
    return sequencer.appender().isFull() || remembersTooMuch();
  }

  /** An intent in doubt holds back the ledger's trim: its outcome is what makes room for others. */
  private boolean isTooMuch(Asker asker) {
    return asker == Asker.PARTICIPANT ? sequencer.appender().isFull() : takesNothing();
  }

  private boolean remembersTooMuch() {
    return sequencer.memory().outcomes().size() >= outcomesMax;
  }
}
