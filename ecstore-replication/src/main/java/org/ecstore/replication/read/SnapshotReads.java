package org.ecstore.replication.read;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadSource;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.wire.Limits;

/**
 * Reads of one range at a snapshot (rule 10), of a primary or of a copy that follows one. For a
 * primary the position is at or below D when a read comes here; a secondary answers at or below its
 * closed position, which is durable whatever this node knows of D. In order: the copy under that
 * epoch, serving, or following and closed at or above S; S at or above its base; write intents that
 * may be numbered at or below S settled and readable; the engine read; then once more that the copy
 * is still this node's and S still at or above its base.
 */
public class SnapshotReads {
  /** How far an epoch may be ahead of the map that is known here, to be waited for. */
  static final long EPOCHS_AHEAD_MAX = 1_000;

  /** Reads that wait for an epoch at a time. */
  static final int AWAITING_EPOCHS_MAX = 1_000;

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final CopyTable copies;
  private final WriteHolds holds;
  private int underWay;
  private int awaitingEpochs;

  /** Where and when to read. */
  public record At(RangeId range, Epoch epoch, Position snapshot, long untilNanos) {}

  public SnapshotReads(
      NodeContext context, LedgerView ledgerView, CopyTable copies, WriteHolds holds) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.copies = copies;
    this.holds = holds;
  }

  /** This node's copy of a range under an epoch, if it answers reads. */
  public Optional<Copy> live(RangeId range, Epoch epoch) {
    return copies.find(range, epoch).filter(copy -> copy.serving() || copy.following());
  }

  /** Whether this node has a copy of the range that follows a primary, under that epoch. */
  public boolean follows(RangeId range, Epoch epoch) {
    return copies.find(range, epoch).filter(Copy::following).isPresent();
  }

  /** Reads keys, or the first ones of them as far as they go into one answer. */
  public void get(At at, List<Bytes> keys, Consumer<ReadOutcome> then) {
    read(
        at,
        keys,
        Optional.empty(),
        token -> context.ports().engine().read(token, keys, at.snapshot(), Limits.GET_BYTES_MAX),
        then);
  }

  /** Reads an interval. */
  public void scan(At at, ScanSpec spec, Consumer<ReadOutcome> then) {
    read(
        at,
        List.of(),
        Optional.of(spec.interval()),
        token -> context.ports().engine().scan(token, spec),
        then);
  }

  private void read(
      At at,
      List<Bytes> keys,
      Optional<KeyRange> interval,
      LongConsumer submit,
      Consumer<ReadOutcome> whole) {
    underWay++;
    Consumer<ReadOutcome> then =
        outcome -> {
          underWay--;
          whole.accept(outcome);
        };
    serving(
        at,
        keys,
        interval,
        then,
        copy ->
            holds.awaitSettled(
                copy,
                keys,
                interval,
                at.snapshot(),
                at.untilNanos(),
                () -> context.engine(submit, result -> then.accept(outcome(copy, result))),
                () -> then.accept(new ReadOutcome.NotNow("waited for a transaction to settle"))));
  }

  private void serving(
      At at,
      List<Bytes> keys,
      Optional<KeyRange> interval,
      Consumer<ReadOutcome> then,
      Consumer<Copy> go) {
    Runnable again = () -> serving(at, keys, interval, then, go);
    Optional<Copy> found = copies.find(at.range(), at.epoch());
    if (found.isEmpty()) {
      if (at.epoch().value() > ledgerView.map().version().value()) {
        awaitEpoch(at, again, then);
      } else {
        then.accept(new ReadOutcome.Elsewhere());
      }
      return;
    }
    Copy copy = found.get();
    if (copy.following() && !knows(copy, at.snapshot())) {
      then.accept(new ReadOutcome.Behind(source(copy)));
    } else if (copy.state() == Copy.State.LOST) {
      then.accept(new ReadOutcome.NotNow("the ledger no longer has what this copy misses"));
    } else if (!copy.serving() && !copy.following()) {
      copies
          .waits()
          .await(
              copy,
              at.untilNanos(),
              again,
              () -> then.accept(new ReadOutcome.NotNow("the range is being recovered")));
    } else if (isBelowBase(copy, at.snapshot())) {
      then.accept(new ReadOutcome.TooOld(copy.base()));
    } else if (!interval.map(copy.keys()::contains).orElse(true)
        || !keys.stream().allMatch(copy.keys()::contains)) {
      then.accept(new ReadOutcome.Elsewhere());
    } else {
      go.accept(copy);
    }
  }

  /** An epoch is a client's word: few wait for one, and not for one that is far ahead. */
  private void awaitEpoch(At at, Runnable again, Consumer<ReadOutcome> then) {
    Runnable late = () -> then.accept(new ReadOutcome.NotNow("the range is not known here yet"));
    long ahead = at.epoch().value() - ledgerView.map().version().value();
    if (ahead > EPOCHS_AHEAD_MAX || awaitingEpochs >= AWAITING_EPOCHS_MAX) {
      late.run();
      return;
    }
    awaitingEpochs++;
    ledgerView.await(
        new ReadPoint(Position.ZERO, new MapVersion(at.epoch().value())),
        at.untilNanos(),
        () -> epochAwaited(again),
        () -> epochAwaited(late));
  }

  private void epochAwaited(Runnable then) {
    awaitingEpochs--;
    then.run();
  }

  /**
   * Rule 10: a copy answers only at or above its base. The engine tests for itself, when it ends,
   * whether it still has what was read (rule W1).
   */
  @RuleSeam(10)
  protected boolean isBelowBase(Copy copy, Position snapshot) {
    return copy.base().isAfter(snapshot);
  }

  /** Rule 17: bounds are checked again after the engine read; a copy's never change. */
  @RuleSeam(17)
  protected boolean isStillHere(Copy copy) {
    return copies.isCurrent(copy);
  }

  /** Rule 10: a copy that is not the primary answers only at or below its closed position. */
  @RuleSeam(10)
  protected boolean knows(Copy copy, Position snapshot) {
    return snapshot.isAtOrBelow(copy.closed());
  }

  private ReadSource source(Copy copy) {
    return new ReadSource(
        context.self(),
        copy.following() ? CopyRole.SECONDARY : CopyRole.PRIMARY,
        copies.closed(copy),
        ledgerView.adopted().position(),
        underWay - 1);
  }

  private ReadOutcome outcome(Copy copy, EngineResult result) {
    if (!isStillHere(copy)) {
      return new ReadOutcome.Elsewhere();
    }
    return switch (result) {
      case EngineResult.Found found -> new ReadOutcome.Values(found.rows(), source(copy));
      case EngineResult.Rows rows ->
          new ReadOutcome.Rows(
              rows.rows(), rows.complete(), source(copy), rows.aggregatedThrough());
      case EngineResult.Failed failed -> new ReadOutcome.NotNow(failed.detail());
      case EngineResult.Overloaded(var detail) -> new ReadOutcome.Overloaded(detail);
      case EngineResult.Newer other -> throw unexpected(other);
      case EngineResult.TooOld old -> new ReadOutcome.TooOld(old.least());
      case EngineResult.Applied other -> throw unexpected(other);
      case EngineResult.Lost other -> throw unexpected(other);
      case EngineResult.Synced other -> throw unexpected(other);
      case EngineResult.Folded other -> throw unexpected(other);
      case EngineResult.Middle other -> throw unexpected(other);
      case EngineResult.Size other -> throw unexpected(other);
      case EngineResult.Metadata other -> throw unexpected(other);
    };
  }

  private static IllegalStateException unexpected(EngineResult result) {
    return new IllegalStateException("not the answer to a read: " + result);
  }
}
