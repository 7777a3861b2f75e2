package org.ecstore.txn.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.lane.Lane;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.LedgerReplay;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.position.Knowledge;
import org.ecstore.txn.message.Outcome;
import org.ecstore.txn.message.TxnMessage.Decided;
import org.ecstore.txn.message.TxnMessage.Release;
import org.ecstore.txn.message.TxnMessage.VoteReply;
import org.ecstore.txn.message.TxnMessage.VoteRequest;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.wire.client.AbortReason;
import org.ecstore.wire.client.Isolation;
import org.ecstore.wire.client.KeyWrite;
import org.jspecify.annotations.Nullable;

/**
 * The primary's part in a commit: mark, check, vote; then apply or forget (rules 2, 3, 5, 10, 11).
 *
 * <p>Marks are placed in the step that tests for foreign ones; versions are checked after. So of
 * two transactions in each other's way one always meets the other's mark, or its versions. A write
 * mark stays until its writes are readable, and keeps the closed position below its number.
 *
 * <p>Marks fall away when: the coordinator lets go before it submitted anything; the vote is no; a
 * durable record has decided and, for a commit, the writes are readable; the copy is retired, whose
 * successor replays the ledger through its own epoch record.
 */
public class Participant implements WriteHolds {
  private static final int WAITING_MAX = 10_000;
  private static final int MARKS_MAX = 100_000;
  private static final int ASKING_MAX = 1_000;
  private static final long WRITES_WAITING_MAX = 200_000;

  /** Told of each commit's writes when they are readable, before their marks go. */
  @FunctionalInterface
  public interface ReadableWrites {
    void applied(Copy copy, Position number, List<VersionedWrite> writes);
  }

  /** Timing of a participant, in nanoseconds. */
  public record Timing(long voteWaitNanos, long settleNanos, long nudgeNanos) {}

  private static final class Table {
    final Copy copy;
    final MarkTable marks = new MarkTable();

    Table(Copy copy) {
      this.copy = copy;
    }
  }

  private record Waiting(
      Table table,
      List<Bytes> keys,
      Optional<KeyRange> interval,
      Position position,
      long untilNanos,
      Runnable ready,
      Runnable late) {}

  private final Lane lane;
  private final Knowledge knowledge;
  private final EngineWriter writer;
  private final SequencerLink sequencer;
  private final Timing timing;
  private final Map<RangeId, Table> tables = new TreeMap<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private @Nullable CopyTable copyTable;
  private ReadableWrites readable = (_, _, _) -> {};
  private int marks;
  private int asking;

  public Participant(
      Lane lane, Knowledge knowledge, EngineWriter writer, SequencerLink sequencer, Timing timing) {
    this.lane = lane;
    this.knowledge = knowledge;
    this.writer = writer;
    this.sequencer = sequencer;
    this.timing = timing;
  }

  /** The copies, which in turn ask this participant for its write marks. */
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

  /** A copy serves from now on, without marks. */
  public void acquired(Copy copy) {
    tables.put(copy.id(), new Table(copy));
  }

  /** A copy is retired: its marks go, its waiters try elsewhere. */
  public void retired(Copy copy) {
    Table table = tables.get(copy.id());
    if (table != null && table.copy == copy) {
      tables.remove(copy.id());
      marks -= table.marks.all().size();
      wake(table, true);
    }
  }

  /** Takes a request to vote; the reply goes to the coordinator. */
  public void vote(NodeId coordinator, VoteRequest request) {
    long until = lane.nanos() + timing.voteWaitNanos();
    knowledge.await(
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
          .awaitServing(
              copy,
              until,
              () -> voteAtPoint(coordinator, request, until),
              () -> no(coordinator, request, new AbortReason.NotReachable("range is recovering")));
      return;
    }
    Optional<Marked> again = table.marks.find(request.txn());
    if (again.isPresent()) {
      if (again.get().phase != Marked.Phase.CHECKING) {
        lane.send(coordinator, new VoteReply(request.call(), request.txn(), Optional.empty()));
      }
      return;
    }
    mark(coordinator, request, table);
  }

  private void mark(NodeId coordinator, VoteRequest request, Table table) {
    if (table.copy.base().isAfter(request.point().position())) {
      no(coordinator, request, new AbortReason.TooOld(table.copy.base()));
      return;
    }
    if (writer.waitingWrites() > WRITES_WAITING_MAX || writer.trouble().isPresent()) {
      no(
          coordinator,
          request,
          new AbortReason.NotReachable(writer.trouble().orElse("too many writes wait")));
      return;
    }
    if (marks >= MARKS_MAX) {
      no(coordinator, request, new AbortReason.NotReachable("too many transactions in doubt"));
      return;
    }
    if (!withinCopy(request, table.copy)) {
      no(coordinator, request, new AbortReason.RangeChanged(request.range()));
      return;
    }
    table.marks.forgetSought(lane.nanos());
    Optional<MarkTable.Foreign> foreign = inTheWay(request, table.marks);
    if (foreign.isPresent()) {
      Marked other = foreign.get().marked();
      Bytes key = foreign.get().keys().start();
      if (other.number.isEmpty() && other.writes.contains(key) && mustFindUnchanged(request)) {
        table.marks.seek(key, lane.nanos());
      }
      other.askAtNanos = Math.min(other.askAtNanos, lane.nanos() + timing.nudgeNanos());
      no(
          coordinator,
          request,
          new AbortReason.Conflict(
              request.range(), foreign.get().keys(), Optional.of(other.txn), other.number));
      return;
    }
    Marked marked =
        new Marked(
            request.txn(),
            coordinator,
            request.coordinatorIncarnation(),
            request.point(),
            markedFor(request),
            request.reads(),
            request.intervals(),
            request.writes(),
            knowledge.adopted().position());
    marked.askAtNanos = lane.nanos() + timing.settleNanos();
    table.marks.place(marked);
    marks++;
    check(coordinator, request, table, marked);
  }

  /** Rule 3: marks that are not decided, and versions above S that are not readable yet. */
  private Optional<MarkTable.Foreign> inTheWay(VoteRequest request, MarkTable marked) {
    Position snapshot = seenBy(request);
    return marked.foreign(
        request.reads(),
        request.intervals(),
        snapshot,
        request.writes(),
        request.isolation() == Isolation.SNAPSHOT ? Optional.of(snapshot) : Optional.empty());
  }

  private static boolean mustFindUnchanged(VoteRequest request) {
    return request.isolation() == Isolation.SNAPSHOT
        || !request.reads().isEmpty()
        || !request.intervals().isEmpty();
  }

  /** What the marks of a transaction keep others from. */
  protected Isolation markedFor(VoteRequest request) {
    return request.isolation();
  }

  /** Up to where a transaction has seen what was committed. */
  protected Position seenBy(VoteRequest request) {
    return request.point().position();
  }

  private static boolean withinCopy(VoteRequest request, Copy copy) {
    return request.reads().stream().allMatch(copy.keys()::contains)
        && request.writes().stream().allMatch(copy.keys()::contains)
        && request.intervals().stream().allMatch(copy.keys()::contains);
  }

  private void check(NodeId coordinator, VoteRequest request, Table table, Marked marked) {
    List<Bytes> keys =
        request.isolation() == Isolation.SERIALIZABLE ? request.reads() : request.writes();
    List<KeyRange> intervals = intervalsToCheck(request);
    if (keys.isEmpty() && intervals.isEmpty()) {
      yes(coordinator, request, marked);
      return;
    }
    lane.engine(
        token -> lane.ports().engine().newest(token, keys, intervals, request.point().position()),
        result -> checked(coordinator, request, table, marked, result));
  }

  /** Rule 3: intervals scanned have no version above S, which is what keeps phantoms out. */
  protected List<KeyRange> intervalsToCheck(VoteRequest request) {
    return request.isolation() == Isolation.SERIALIZABLE ? request.intervals() : List.of();
  }

  private void checked(
      NodeId coordinator, VoteRequest request, Table table, Marked marked, EngineResult result) {
    if (table.marks.find(marked.txn).orElse(null) != marked
        || tables.get(request.range()) != table) {
      no(coordinator, request, new AbortReason.RangeChanged(request.range()));
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
                          request.range(),
                          first.asked(),
                          Optional.empty(),
                          Optional.of(first.version())));
    } else {
      reason = Optional.of(new AbortReason.NotReachable("the engine does not answer"));
    }
    if (table.copy.base().isAfter(request.point().position())) {
      reason = Optional.of(new AbortReason.TooOld(table.copy.base()));
    }
    if (reason.isPresent()) {
      unmark(table, marked);
      no(coordinator, request, reason.get());
    } else {
      yes(coordinator, request, marked);
    }
  }

  private void yes(NodeId coordinator, VoteRequest request, Marked marked) {
    if (marked.phase == Marked.Phase.CHECKING) {
      marked.phase = Marked.Phase.VOTED;
    }
    voted(request.range(), marked.txn);
    lane.send(coordinator, new VoteReply(request.call(), request.txn(), Optional.empty()));
  }

  /** Called in the step of a yes, which changes no mark. */
  protected void voted(RangeId range, org.ecstore.id.TxnId txn) {}

  private void no(NodeId coordinator, VoteRequest request, AbortReason reason) {
    lane.send(coordinator, new VoteReply(request.call(), request.txn(), Optional.of(reason)));
  }

  /** The coordinator gave up before it submitted anything. */
  public void release(NodeId from, Release release) {
    Table table = tables.get(release.range());
    if (table == null) {
      return;
    }
    table
        .marks
        .find(release.txn())
        .filter(marked -> marked.coordinator.equals(from))
        .filter(marked -> marked.coordinatorIncarnation == release.coordinatorIncarnation())
        .filter(marked -> marked.phase != Marked.Phase.APPLYING)
        .ifPresent(marked -> unmark(table, marked));
  }

  /** A durable record has decided. */
  public void decided(Decided decided) {
    Table table = tables.get(decided.range());
    if (table == null) {
      return;
    }
    Optional<Marked> found = table.marks.find(decided.txn());
    if (found.isPresent()) {
      if (decided.number().isPresent()) {
        committed(table, found.get(), decided.number().get(), decided.writes());
      } else if (found.get().phase != Marked.Phase.APPLYING) {
        unmark(table, found.get());
      }
    }
  }

  private void committed(Table table, Marked marked, Position number, List<KeyWrite> all) {
    if (marked.phase == Marked.Phase.APPLYING) {
      return;
    }
    List<VersionedWrite> writes = new ArrayList<>();
    for (KeyWrite write : all) {
      if (table.copy.keys().contains(write.key())) {
        writes.add(new VersionedWrite(write.key(), number, write.value()));
      }
    }
    if (writes.isEmpty() || number.isAtOrBelow(copies().closed(table.copy))) {
      unmark(table, marked);
      return;
    }
    marked.phase = Marked.Phase.APPLYING;
    table.marks.committed(marked, number);
    apply(
        writes,
        () -> {
          if (tables.get(table.copy.id()) == table) {
            readable.applied(table.copy, number, writes);
          }
          unmark(table, marked);
        });
    wake(table, false);
  }

  /** Rule 2: the mark goes only when the writes are readable. */
  protected void apply(List<VersionedWrite> writes, Runnable unmark) {
    writer.apply(writes, List.of(), unmark);
  }

  private void unmark(Table table, Marked marked) {
    if (table.marks.remove(marked)) {
      marks--;
    }
    wake(table, false);
  }

  /** Drops a transaction's marks on a range; for tests that plant a bug. */
  protected final void dropMarks(RangeId range, org.ecstore.id.TxnId txn) {
    Table table = tables.get(range);
    if (table != null) {
      table.marks.find(txn).filter(table.marks::remove).ifPresent(gone -> marks--);
    }
  }

  @Override
  public Optional<Position> leastNoted(Copy copy) {
    Table table = tables.get(copy.id());
    return table != null && table.copy == copy ? table.marks.leastNoted() : Optional.empty();
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
    Table table = tables.get(copy.id());
    if (table == null || table.copy != copy) {
      ready.run();
      return;
    }
    List<Marked> inTheWay = table.marks.mayBeAtOrBelow(keys, interval, position);
    if (inTheWay.isEmpty()) {
      ready.run();
    } else if (waiting.size() >= WAITING_MAX) {
      late.run();
    } else {
      long askAt = lane.nanos() + timing.nudgeNanos();
      inTheWay.forEach(marked -> marked.askAtNanos = Math.min(marked.askAtNanos, askAt));
      waiting.add(new Waiting(table, keys, interval, position, untilNanos, ready, late));
    }
  }

  private void wake(Table table, boolean all) {
    if (waiting.isEmpty()) {
      return;
    }
    List<Waiting> ready = new ArrayList<>();
    waiting.removeIf(
        one -> {
          boolean go =
              one.table() == table
                  && (all
                      || table
                          .marks
                          .mayBeAtOrBelow(one.keys(), one.interval(), one.position())
                          .isEmpty());
          if (go) {
            ready.add(one);
          }
          return go;
        });
    ready.forEach(one -> one.ready().run());
  }

  /** Ends reads that waited too long, and asks about marks left in doubt. Called now and then. */
  public void tick() {
    long now = lane.nanos();
    List<Waiting> ended = new ArrayList<>();
    waiting.removeIf(
        one -> {
          boolean over = one.untilNanos() - now <= 0;
          if (over) {
            ended.add(one);
          }
          return over;
        });
    ended.forEach(one -> one.late().run());
    for (Table table : List.copyOf(tables.values())) {
      for (Marked marked : List.copyOf(table.marks.all())) {
        if (marked.askAtNanos - now <= 0
            && asking < ASKING_MAX
            && !marked.asking
            && marked.phase != Marked.Phase.APPLYING) {
          ask(table, marked);
        }
      }
    }
  }

  private void ask(Table table, Marked marked) {
    marked.asking = true;
    asking++;
    sequencer.ask(
        marked.txn,
        marked.point.position(),
        outcome -> {
          marked.asking = false;
          asking--;
          marked.askAtNanos = lane.nanos() + timing.settleNanos();
          if (table.marks.find(marked.txn).orElse(null) == marked) {
            settle(table, marked, outcome);
          }
        });
  }

  private void settle(Table table, Marked marked, Outcome outcome) {
    switch (outcome) {
      case Outcome.Committed committed -> fetchWrites(table, marked, committed.number());
      case Outcome.Aborted aborted -> unmark(table, marked);
      // A number would be above the noted D, hence at or above F, whose outcomes are kept: the
      // transaction is in no record and will be in none (rule 7).
      case Outcome.Expired expired -> {
        if (marked.writes.isEmpty() || expired.floor().isAtOrBelow(marked.noted.next())) {
          unmark(table, marked);
        } else {
          lane.ports().journal().warn("outcome of " + marked.txn + " expired while marked");
        }
      }
      case Outcome.NotNow notNow -> {}
    }
  }

  /** The ledger is the database: what the coordinator did not send is read from there. */
  private void fetchWrites(Table table, Marked marked, Position number) {
    if (marked.writes.isEmpty()) {
      unmark(table, marked);
      return;
    }
    marked.asking = true;
    List<KeyWrite> writes = new ArrayList<>();
    new LedgerReplay(
            lane,
            marked.noted.next(),
            number,
            (records, through, more) -> {
              for (LedgerReplay.Placed placed : records) {
                if (placed.position().equals(number)
                    && placed.record() instanceof LedgerRecord.Commit commit) {
                  writes.addAll(commit.writes());
                }
              }
              more.run();
            },
            end -> {
              marked.asking = false;
              if (end == LedgerReplay.End.REACHED
                  && table.marks.find(marked.txn).orElse(null) == marked) {
                committed(table, marked, number, writes);
              }
            })
        .read();
  }

  /** Transactions with marks on this node. */
  public int marked() {
    return tables.values().stream().mapToInt(table -> table.marks.all().size()).sum();
  }

  /** Reads that wait for a mark. */
  public int parked() {
    return waiting.size();
  }

  /** The lowest snapshot of a transaction with marks here. */
  public Optional<Position> leastUnsettled() {
    return tables.values().stream()
        .flatMap(table -> table.marks.all().stream())
        .map(marked -> marked.point.position())
        .min(Position::compareTo);
  }
}
