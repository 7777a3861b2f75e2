package org.ecstore.txn.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.message.TxnMessage.Decided;
import org.ecstore.txn.message.TxnMessage.Release;
import org.ecstore.txn.message.TxnMessage.VoteReply;
import org.ecstore.txn.message.TxnMessage.VoteRequest;
import org.ecstore.txn.sequencer.SequencerLink;
import org.jspecify.annotations.Nullable;

/**
 * The primary's part in a commit: place intents, check, vote; then apply or forget (rules 2, 3, 5,
 * 10, 11).
 *
 * <p>Intents are placed in the step that tests for conflicting ones; versions are checked after. So
 * of two transactions in each other's way one always meets the other's intent, or its versions. A
 * write intent stays until its writes are readable, and keeps the closed position below its number.
 *
 * <p>Intents fall away when: the coordinator lets go before it submitted anything; the vote is no;
 * a durable record has decided and, for a commit, the writes are readable; the copy is retired,
 * whose successor replays the ledger through its own epoch record.
 */
public class Participant implements WriteHolds {
  private static final int WAITING_MAX = 10_000;

  /** Transactions that a read waits for at once: each pair of both takes some 100 bytes. */
  private static final int AWAITED_MAX = 32;

  private static final int INTENT_HOLDERS_MAX = 100_000;
  private static final long WRITES_WAITING_MAX = 200_000;

  /** Told of each commit's writes when they are readable, before their intents go. */
  @FunctionalInterface
  public interface ReadableWrites {
    void applied(Copy copy, Position number, List<VersionedWrite> writes);
  }

  /**
   * Timing and bounds of a participant; times in nanoseconds.
   *
   * @param stepItems keys that are marked, unmarked, or looked up in the engine in one step; a
   *     transaction of more goes on in the next one, behind what has come meanwhile
   * @param intentBytesMax what transactions with intents may weigh together; their values are not
   *     here before they are decided, but cannot be refused then
   */
  public record Timing(
      long voteWaitNanos, long settleNanos, long nudgeNanos, int stepItems, long intentBytesMax) {
    /** One without a bound of memory. */
    public Timing(long voteWaitNanos, long settleNanos, long nudgeNanos, int stepItems) {
      this(voteWaitNanos, settleNanos, nudgeNanos, stepItems, Long.MAX_VALUE);
    }

    /** The same with another bound of memory. */
    public Timing withIntentBytes(long bytesMax) {
      return new Timing(voteWaitNanos, settleNanos, nudgeNanos, stepItems, bytesMax);
    }
  }

  /** The intents on a copy that serves. */
  private final class Table implements IntentDoubts.Intents {
    final Copy copy;
    final IntentTable intents = new IntentTable();

    Table(Copy copy) {
      this.copy = copy;
    }

    @Override
    public IntentTable table() {
      return intents;
    }

    @Override
    public void committed(TransactionIntents holder, Position number, List<KeyWrite> writes) {
      Participant.this.committed(this, holder, number, writes);
    }

    @Override
    public void aborted(TransactionIntents holder) {
      dropIntents(this, holder);
    }
  }

  /** A vote under way, and what it knows its transaction by. */
  private record Voting(
      NodeId coordinator, VoteRequest request, Table table, TransactionIntents holder) {}

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final EngineWriter writer;
  private final Timing timing;
  private final IntentDoubts doubts;
  private final Map<RangeId, Table> tables = new TreeMap<>();
  private final SettledWaits waits = new SettledWaits(WAITING_MAX);
  private @Nullable CopyTable copyTable;
  private ReadableWrites readable = (_, _, _) -> {};
  private int holding;
  private long markedBytes;

  public Participant(
      NodeContext context,
      LedgerView ledgerView,
      EngineWriter writer,
      SequencerLink sequencer,
      Timing timing) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.writer = writer;
    this.timing = timing;
    this.doubts =
        new IntentDoubts(context, sequencer, new CommittedWrites(context), timing.settleNanos());
  }

  /** The copies, which in turn ask this participant for its write intents. */
  public void copies(CopyTable table) {
    copyTable = table;
  }

  /** Who is told of writes that are readable. */
  public void onReadable(ReadableWrites listener) {
    readable = listener;
  }

  private CopyTable copies() {
    return Objects.requireNonNull(copyTable, "wired before the first event");
  }

  /** A copy serves from now on, without intents. */
  public void acquired(Copy copy) {
    tables.put(copy.id(), new Table(copy));
  }

  /** A copy is retired: its intents go, its waiters try elsewhere. */
  public void retired(Copy copy) {
    Table table = tables.get(copy.id());
    if (table != null && table.copy == copy) {
      tables.remove(copy.id());
      table.intents.all().forEach(this::gone);
      waits.retired(table.intents);
    }
  }

  /** Takes a request to vote; the reply goes to the coordinator. */
  public void vote(NodeId coordinator, VoteRequest request) {
    long until = context.nanos() + timing.voteWaitNanos();
    ledgerView.await(
        request.point(),
        until,
        () -> voteAtPoint(coordinator, request, until),
        () -> no(coordinator, request, new AbortReason.NotReachable("primary lags behind")));
  }

  private void voteAtPoint(NodeId coordinator, VoteRequest request, long until) {
    Optional<Copy> found = copies().find(request.range(), request.epoch());
    if (found.isEmpty()) {
      no(coordinator, request, new AbortReason.RangeChanged(request.range()));
      return;
    }
    Copy copy = found.get();
    if (copy.following()) {
      no(coordinator, request, new AbortReason.RangeChanged(request.range()));
      return;
    }
    Table table = tables.get(request.range());
    if (table == null || table.copy != copy) {
      copies()
          .waits()
          .await(
              copy,
              until,
              () -> voteAtPoint(coordinator, request, until),
              () -> no(coordinator, request, new AbortReason.NotReachable("range is recovering")));
      return;
    }
    Optional<TransactionIntents> again = table.intents.find(request.txn());
    if (again.isPresent()) {
      if (isOfCoordinator(again.get(), coordinator, request.coordinatorIncarnation())) {
        voteAgain(coordinator, request, again.get());
      } else {
        usedElsewhere(coordinator, request, table, again.get());
      }
      return;
    }
    placeIntents(coordinator, request, table);
  }

  private void voteAgain(NodeId coordinator, VoteRequest request, TransactionIntents holder) {
    switch (holder.phase) {
      case CHECKING -> {}
      case VOTED, APPLYING ->
          context.send(coordinator, new VoteReply(request.call(), request.txn(), Optional.empty()));
      case DROPPING_INTENTS ->
          no(coordinator, request, new AbortReason.NotReachable("was released"));
    }
  }

  /**
   * Rule 5: an id has one coordinator incarnation. Intents of another one are on other keys, and go
   * when that one lets go of them (decision 0118).
   */
  @RuleSeam(5)
  protected boolean isOfCoordinator(
      TransactionIntents holder, NodeId coordinator, long incarnation) {
    return holder.coordinator.equals(coordinator) && holder.coordinatorIncarnation == incarnation;
  }

  /** It is in its own way: by that its coordinator sees that the id has another one. */
  private void usedElsewhere(
      NodeId coordinator, VoteRequest request, Table table, TransactionIntents holder) {
    no(
        coordinator,
        request,
        new AbortReason.Conflict(
            request.range(), table.copy.keys(), Optional.of(request.txn()), holder.number));
  }

  /** Why no more writes can be taken, if so (rule W9). */
  private Optional<String> full() {
    if (writer.trouble().isPresent()) {
      return writer.trouble();
    }
    if (writer.waitingWrites() > WRITES_WAITING_MAX) {
      return Optional.of("too many writes wait");
    }
    return context.ports().engine().fill() > 1
        ? Optional.of("the window of versions is full: the engine's store does not keep up")
        : Optional.empty();
  }

  private void placeIntents(NodeId coordinator, VoteRequest request, Table table) {
    if (isBelowBase(table.copy, request.point().position())) {
      no(coordinator, request, new AbortReason.TooOld(table.copy.base()));
      return;
    }
    Optional<String> full = full();
    if (full.isPresent()) {
      no(coordinator, request, new AbortReason.NotReachable(full.get()));
      return;
    }
    if (holding >= INTENT_HOLDERS_MAX) {
      no(coordinator, request, new AbortReason.NotReachable("too many transactions in doubt"));
      return;
    }
    Optional<AbortReason> noRoom = noRoom(request.room());
    if (noRoom.isPresent()) {
      no(coordinator, request, noRoom.get());
      return;
    }
    if (!withinCopy(request, table.copy)) {
      no(coordinator, request, new AbortReason.RangeChanged(request.range()));
      return;
    }
    table.intents.forgetSought(context.nanos());
    TransactionIntents holder =
        new TransactionIntents(
            request.txn(),
            coordinator,
            request.coordinatorIncarnation(),
            request.point(),
            guards(request),
            request.reads(),
            request.intervals(),
            request.writes(),
            request.operations(),
            ledgerView.adopted().position());
    holder.askAtNanos = context.nanos() + timing.settleNanos();
    holder.weight = request.room();
    table.intents.enter(holder);
    holding++;
    markedBytes += holder.weight;
    place(new Voting(coordinator, request, table, holder));
  }

  /**
   * Rule 3: each key is tested for conflicting intents and gets its own in one step, some keys at a
   * time.
   */
  private void place(Voting vote) {
    if (isOver(vote)) {
      no(vote, new AbortReason.RangeChanged(vote.request.range()));
      return;
    }
    Optional<IntentTable.Foreign> foreign = inTheWay(vote);
    if (foreign.isPresent()) {
      conflict(vote, foreign.get());
    } else if (isPlaced(vote.holder)) {
      check(vote, 0, 0);
    } else {
      context.after(1, () -> place(vote));
    }
  }

  /** Rule 3: versions are checked once every intent is placed. */
  @RuleSeam(3)
  protected boolean isPlaced(TransactionIntents holder) {
    return holder.isPlaced();
  }

  /** Whether the intents went, or the copy did, while the vote went on. */
  private boolean isOver(Voting vote) {
    return vote.holder.phase != TransactionIntents.Phase.CHECKING
        || vote.table.intents.find(vote.holder.txn).orElse(null) != vote.holder
        || tables.get(vote.request.range()) != vote.table;
  }

  private void conflict(Voting vote, IntentTable.Foreign foreign) {
    TransactionIntents other = foreign.holder();
    Bytes key = foreign.keys().start();
    IntentTable table = vote.table.intents;
    if (other.number.isEmpty()
        && table.isWrittenBy(key, other)
        && mustFindUnchanged(vote.request, key)) {
      table.seek(key, context.nanos());
    }
    other.askAtNanos = Math.min(other.askAtNanos, context.nanos() + timing.nudgeNanos());
    dropIntents(vote.table, vote.holder);
    no(
        vote,
        new AbortReason.Conflict(
            vote.request.range(), foreign.keys(), Optional.of(other.txn), other.number));
  }

  /** What is marked must be taken when it is decided: there must be room for it before. */
  private Optional<AbortReason> noRoom(long weight) {
    long max = timing.intentBytesMax();
    if (weight > max) {
      String detail =
          "a part of " + weight + " bytes, where " + context.self() + " has room for " + max;
      return Optional.of(new AbortReason.NoRoom(detail, false));
    }
    if (markedBytes + weight > max) {
      String detail = markedBytes + " bytes of transactions are under way on " + context.self();
      return Optional.of(new AbortReason.NoRoom(detail, true));
    }
    return Optional.empty();
  }

  /** Rule 3: intents that are not decided, and versions above S that are not readable yet. */
  private Optional<IntentTable.Foreign> inTheWay(Voting vote) {
    Position snapshot = seenBy(vote.request);
    return vote.table.intents.place(
        vote.holder,
        snapshot,
        vote.request.isolation() == Isolation.SNAPSHOT ? Optional.of(snapshot) : Optional.empty(),
        timing.stepItems());
  }

  /** Whether it is this key that the transaction must find as its snapshot had it. */
  private static boolean mustFindUnchanged(VoteRequest request, Bytes key) {
    return isIn(request.reads(), key)
        || (request.isolation() == Isolation.SNAPSHOT && isIn(request.writes(), key))
        || request.intervals().stream().anyMatch(interval -> interval.contains(key));
  }

  private static boolean isIn(List<Bytes> ascending, Bytes key) {
    return Collections.binarySearch(ascending, key) >= 0;
  }

  /** What the intents of a transaction keep others from. */
  @RuleSeam(3)
  protected Isolation guards(VoteRequest request) {
    return request.isolation();
  }

  /** Up to where a transaction has seen what was committed. */
  @RuleSeam(3)
  protected Position seenBy(VoteRequest request) {
    return request.point().position();
  }

  /** The lists ascend: what lies between two keys of a copy is the copy's. */
  private static boolean withinCopy(VoteRequest request, Copy copy) {
    return endsOf(request.reads()).allMatch(copy.keys()::contains)
        && endsOf(request.writes()).allMatch(copy.keys()::contains)
        && endsOf(request.operations()).allMatch(copy.keys()::contains)
        && endsOf(request.intervals()).allMatch(copy.keys()::contains);
  }

  private static <T> Stream<T> endsOf(List<T> ascending) {
    return ascending.isEmpty()
        ? Stream.empty()
        : Stream.of(ascending.getFirst(), ascending.getLast());
  }

  /** Looks the next keys and intervals up in the engine, some at a time. */
  private void check(Voting vote, int keysFrom, int intervalsFrom) {
    VoteRequest request = vote.request;
    List<Bytes> keys =
        request.isolation() == Isolation.SERIALIZABLE ? request.reads() : request.writes();
    List<KeyRange> intervals = intervalsToCheck(request);
    int keysTo = Math.min(keys.size(), keysFrom + timing.stepItems());
    int room = timing.stepItems() - (keysTo - keysFrom);
    int intervalsTo = Math.min(intervals.size(), intervalsFrom + room);
    if (keysTo == keysFrom && intervalsTo == intervalsFrom) {
      yes(vote);
      return;
    }
    context.engine(
        token ->
            context
                .ports()
                .engine()
                .newest(
                    token,
                    keys.subList(keysFrom, keysTo),
                    intervals.subList(intervalsFrom, intervalsTo),
                    request.point().position()),
        result -> checked(vote, result, () -> check(vote, keysTo, intervalsTo)));
  }

  /** Rule 3: intervals scanned have no version above S, which is what keeps phantoms out. */
  @RuleSeam(3)
  protected List<KeyRange> intervalsToCheck(VoteRequest request) {
    return request.isolation() == Isolation.SERIALIZABLE ? request.intervals() : List.of();
  }

  private void checked(Voting vote, EngineResult result, Runnable more) {
    if (isOver(vote)) {
      no(vote, new AbortReason.RangeChanged(vote.request.range()));
      return;
    }
    Optional<AbortReason> reason = Optional.empty();
    if (result instanceof EngineResult.Newer newer) {
      reason =
          newer
              .first()
              .map(
                  first ->
                      new AbortReason.Conflict(
                          vote.request.range(),
                          first.asked(),
                          Optional.empty(),
                          Optional.of(first.version())));
    } else if (result instanceof EngineResult.TooOld old) {
      reason = Optional.of(new AbortReason.TooOld(old.least()));
    } else {
      reason = Optional.of(new AbortReason.NotReachable("the engine does not answer"));
    }
    Copy copy = vote.table.copy;
    if (isBelowBase(copy, vote.request.point().position())) {
      reason = Optional.of(new AbortReason.TooOld(copy.base()));
    }
    if (reason.isPresent()) {
      dropIntents(vote.table, vote.holder);
      no(vote, reason.get());
    } else {
      more.run();
    }
  }

  /** Rule 10, W1: what was committed after a snapshot that is below the base may be forgotten. */
  @RuleSeam(10)
  protected boolean isBelowBase(Copy copy, Position snapshot) {
    return copy.base().isAfter(snapshot);
  }

  private void yes(Voting vote) {
    VoteRequest request = vote.request;
    vote.holder.phase = TransactionIntents.Phase.VOTED;
    voted(request.range(), request.txn());
    context.send(vote.coordinator, new VoteReply(request.call(), request.txn(), Optional.empty()));
  }

  /** Called in the step of a yes, which changes no intent. */
  @RuleSeam(2)
  protected void voted(RangeId range, org.ecstore.id.TxnId txn) {}

  private void no(Voting vote, AbortReason reason) {
    no(vote.coordinator, vote.request, reason);
  }

  private void no(NodeId coordinator, VoteRequest request, AbortReason reason) {
    context.send(coordinator, new VoteReply(request.call(), request.txn(), Optional.of(reason)));
  }

  /** The coordinator gave up before it submitted anything. */
  public void release(NodeId from, Release release) {
    Table table = tables.get(release.range());
    if (table == null) {
      return;
    }
    table
        .intents
        .find(release.txn())
        .filter(holder -> holder.coordinator.equals(from))
        .filter(holder -> holder.coordinatorIncarnation == release.coordinatorIncarnation())
        .filter(holder -> holder.phase != TransactionIntents.Phase.APPLYING)
        .ifPresent(holder -> dropIntents(table, holder));
  }

  /** A durable record has decided. */
  public void decided(NodeId from, Decided decided) {
    Table table = tables.get(decided.range());
    if (table == null) {
      return;
    }
    Optional<TransactionIntents> found =
        table.intents.find(decided.txn()).filter(holder -> holder.coordinator.equals(from));
    if (found.isPresent()) {
      if (decided.number().isPresent()) {
        committed(table, found.get(), decided.number().get(), decided.writes());
      } else if (found.get().phase != TransactionIntents.Phase.APPLYING) {
        dropIntents(table, found.get());
      }
    }
  }

  /**
   * Applies what a transaction has written to a copy, once. Where its writes were fetched from the
   * ledger the copy may be retired by now, and its keys be filled anew for another one: what came
   * in between would hide what is newer (rules 17, W6).
   */
  private void committed(
      Table table, TransactionIntents holder, Position number, List<KeyWrite> all) {
    if (isRetired(table)) {
      return;
    }
    if (holder.phase == TransactionIntents.Phase.APPLYING
        || holder.phase == TransactionIntents.Phase.DROPPING_INTENTS) {
      return;
    }
    List<VersionedWrite> writes = new ArrayList<>();
    for (KeyWrite write : all) {
      if (table.copy.keys().contains(write.key())) {
        writes.add(new VersionedWrite(write.key(), number, write.mutation()));
      }
    }
    if (writes.isEmpty() || number.isAtOrBelow(copies().closed(table.copy))) {
      dropIntents(table, holder);
      return;
    }
    holder.phase = TransactionIntents.Phase.APPLYING;
    table.intents.committed(holder, number);
    takeReads(table, holder);
    apply(
        writes,
        () -> {
          if (!isRetired(table)) {
            readable.applied(table.copy, number, writes);
          }
          dropIntents(table, holder);
        });
    waits.numbered(holder, number);
  }

  /** Whether a copy's intents have gone with it. */
  private boolean isRetired(Table table) {
    return tables.get(table.copy.id()) != table;
  }

  /** What a committed transaction read is in no other's way any more. */
  private void takeReads(Table table, TransactionIntents holder) {
    table.intents.takeReads(holder, timing.stepItems());
    if (table.intents.hasReads(holder)) {
      context.after(1, () -> takeReads(table, holder));
    }
  }

  /** Rule 2: the intent goes only when the writes are readable. */
  @RuleSeam(2)
  protected void apply(List<VersionedWrite> writes, Runnable dropIntents) {
    writer.apply(writes, List.of(), dropIntents);
  }

  private void dropIntents(Table table, TransactionIntents holder) {
    if (holder.phase != TransactionIntents.Phase.DROPPING_INTENTS) {
      holder.phase = TransactionIntents.Phase.DROPPING_INTENTS;
      takeAway(table, holder);
    }
  }

  private void takeAway(Table table, TransactionIntents holder) {
    if (table.intents.takeAway(holder, timing.stepItems())) {
      boolean isHere = !isRetired(table);
      if (table.intents.leave(holder) && isHere) {
        gone(holder);
      }
      waits.gone(holder);
    } else {
      context.after(1, () -> takeAway(table, holder));
    }
  }

  private void gone(TransactionIntents holder) {
    holding--;
    markedBytes -= holder.weight;
  }

  /** Drops a transaction's intents on a range; for tests that plant a bug. */
  protected final void dropIntents(RangeId range, org.ecstore.id.TxnId txn) {
    Table table = tables.get(range);
    if (table != null) {
      table.intents.find(txn).filter(table.intents::remove).ifPresent(this::gone);
    }
  }

  @Override
  public Optional<Position> leastNoted(Copy copy) {
    Table table = tables.get(copy.id());
    return table != null && table.copy == copy ? table.intents.leastNoted() : Optional.empty();
  }

  @Override
  public void awaitSettled(
      Copy copy,
      List<Bytes> keys,
      Optional<KeyRange> interval,
      Position position,
      long untilNanos,
      Runnable ready,
      Runnable late) {
    awaitSettled(copy, new IntentSearch(keys, interval, position), untilNanos, ready, late);
  }

  /** Waits for some intents at a time: what a read holds does not grow with all that there are. */
  private void awaitSettled(
      Copy copy, IntentSearch search, long untilNanos, Runnable ready, Runnable late) {
    Table table = tables.get(copy.id());
    if (table == null || table.copy != copy) {
      ready.run();
      return;
    }
    Set<TransactionIntents> inTheWay = table.intents.mayBeAtOrBelow(search, AWAITED_MAX);
    if (inTheWay.isEmpty()) {
      ready.run();
    } else {
      long askAt = context.nanos() + timing.nudgeNanos();
      inTheWay.forEach(holder -> holder.askAtNanos = Math.min(holder.askAtNanos, askAt));
      Runnable then =
          search.isOver() ? ready : () -> awaitSettled(copy, search, untilNanos, ready, late);
      waits.add(table.intents, inTheWay, search.position(), untilNanos, then, late);
    }
  }

  /** Ends reads that waited too long, and asks about intents left in doubt. Called each tick. */
  public void tick() {
    waits.expire(context.nanos());
    doubts.look(List.copyOf(tables.values()));
  }

  /** Transactions with intents on this node. */
  public int holders() {
    return tables.values().stream().mapToInt(table -> table.intents.all().size()).sum();
  }

  /** Reads that wait for an intent. */
  public int parked() {
    return waits.size();
  }
}
