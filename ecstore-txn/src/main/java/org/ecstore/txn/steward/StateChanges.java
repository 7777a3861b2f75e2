package org.ecstore.txn.steward;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.ClusterStateCodec;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.WrongPartsException;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decisions;
import org.ecstore.txn.steward.decision.Reason;

/**
 * The cluster state as the steward knows it, and its changes (rule 15): each is a compare-and-set
 * in coordination, then an epoch record; one at a time, so that no range is changed whose last
 * change is unrecorded. Who starts completes what it finds.
 */
final class StateChanges {
  private record Loaded(long version, ClusterState state) {}

  private final NodeContext context;
  private final Sequencer sequencer;
  private final long retryNanos;
  private final Decisions decisions;
  private Supplier<Optional<Member>> firstPrimary = Optional::empty;
  private BooleanSupplier mustComplete = () -> true;
  private Runnable onReady = () -> {};
  private Optional<Loaded> loaded = Optional.empty();
  private boolean loading;
  private boolean changing;
  private long term;

  /** Changes of nothing yet. */
  StateChanges(NodeContext context, Sequencer sequencer, long retryNanos, Decisions decisions) {
    this.context = context;
    this.sequencer = sequencer;
    this.retryNanos = retryNanos;
    this.decisions = decisions;
  }

  /**
   * The sequencer here has taken over: what was begun before is over.
   *
   * @param completes whether the last change has to be recorded before the next one
   * @param whenReady runs when the state is known, at first and after each change
   * @param first who gets the first range of a new cluster; absent while no node can
   */
  void start(BooleanSupplier completes, Runnable whenReady, Supplier<Optional<Member>> first) {
    mustComplete = completes;
    onReady = whenReady;
    firstPrimary = first;
    term++;
    loaded = Optional.empty();
    loading = false;
    changing = false;
    load();
  }

  /** Counts take-overs by the sequencer here. */
  long term() {
    return term;
  }

  /** The state, while no change is under way. */
  Optional<ClusterState> state() {
    return changing || !sequencer.active() ? Optional.empty() : loaded.map(Loaded::state);
  }

  /** Whether the state is known, or about to be again. */
  boolean isReady() {
    return sequencer.active() && (loaded.isPresent() || changing);
  }

  private void load() {
    if (loading || !sequencer.active()) {
      return;
    }
    loading = true;
    loaded = Optional.empty();
    long mine = term;
    context.coordination(
        token -> context.ports().coordination().get(token, Steward.KEY),
        result -> {
          if (isOver(mine)) {
            return;
          }
          loading = false;
          if (result instanceof CoordinationResult.Stored stored) {
            take(stored);
          } else {
            context.after(retryNanos, this::load);
          }
        });
  }

  /**
   * Whether what was begun is of no use any more. While the sequencer here is not active its map is
   * that of a replay under way, or none: held against that, a state in coordination might be taken
   * for recorded, and the ledger be trimmed after the take-over before that was looked at anew; or
   * a deposed steward might begin a cluster, or bar a change of its successor's. The next
   * activation starts over.
   */
  private boolean isOver(long begunIn) {
    return begunIn != term || !sequencer.active();
  }

  private void take(CoordinationResult.Stored stored) {
    MapVersion recorded = sequencer.appendedMap().version();
    if (stored.value().isEmpty()) {
      if (recorded.equals(MapVersion.ZERO)) {
        bootstrap();
      } else {
        context
            .ports()
            .log()
            .warn(
                "coordination has lost the cluster state, which the ledger knows at map "
                    + recorded
                    + ": restore it before ranges can change");
        context.after(retryNanos * 100, this::load);
      }
      return;
    }
    fenceState(stored.version(), stored.value().get());
  }

  /**
   * Writes back what was read: the read was not stale, and no compare-and-set of an earlier steward
   * that is still on its way will succeed. Only then is it known which change may be unrecorded,
   * and only then may the ledger be trimmed.
   */
  private void fenceState(long version, Bytes value) {
    loading = true;
    long mine = term;
    context.coordination(
        token -> context.ports().coordination().compareAndSet(token, Steward.KEY, version, value),
        result -> {
          if (isOver(mine)) {
            return;
          }
          loading = false;
          if (result instanceof CoordinationResult.Swapped swapped) {
            complete(swapped.version(), ClusterStateCodec.decode(value));
          } else {
            context.after(retryNanos, this::load);
          }
        });
  }

  private void complete(long version, ClusterState state) {
    MapVersion recorded = sequencer.appendedMap().version();
    MapVersion stands = state.ranges().version();
    Loaded now = new Loaded(version, state);
    if (stands.equals(recorded) || !mustComplete.getAsBoolean()) {
      state.lastChange().ifPresent(decisions::recall);
      ready(now);
    } else if (stands.equals(recorded.next()) && state.lastChange().isPresent()) {
      long mine = term;
      changing = true;
      sequencer.record(
          state.lastChange().get(),
          () -> {
            if (mine == term) {
              changing = false;
              decisions.done(state.lastChange().get(), context.nanos());
              ready(now);
            }
          },
          lost -> {
            if (mine == term) {
              changing = false;
            }
          });
    } else {
      if (recorded.isAfter(stands)) {
        // Recorded is what coordination has taken before, so it has lost it.
        throw apart("older than", stands, recorded);
      }
      // Another node may lead by now; it records what it finds. If none does, no more than the last
      // change can be unrecorded.
      long mine = term;
      sequencer.whenStillWriter(
          () -> {
            if (!isOver(mine) && recorded.equals(sequencer.appendedMap().version())) {
              throw apart("newer than", stands, recorded);
            }
          });
      context.after(retryNanos, this::load);
    }
  }

  private static WrongPartsException apart(String how, MapVersion stands, MapVersion recorded) {
    return new WrongPartsException(
        ("the cluster state in coordination is %s the ledger: it is at map %s, the ledger at map"
                + " %s. Ranges and incarnations would be used twice, or records be lost, so this node"
                + " ends. Restore coordination and ledger from one backup")
            .formatted(how, stands.value(), recorded.value()));
  }

  private void ready(Loaded now) {
    loaded = Optional.of(now);
    sequencer.allowTrim();
    onReady.run();
  }

  private void bootstrap() {
    Optional<Member> member = firstPrimary.get();
    if (member.isEmpty()) {
      context.after(retryNanos, this::load);
      return;
    }
    NodeId primary = member.get().node();
    RangeDescriptor all =
        new RangeDescriptor(
            new RangeId(1),
            KeyRange.ALL,
            new Epoch(1),
            primary,
            member.get().incarnation(),
            List.of());
    MapChange change =
        new MapChange(
            new MapVersion(1), List.of(), List.of(all), "membership: first node " + primary);
    ClusterState state =
        new ClusterState(
            RangeMap.EMPTY.apply(change), BatonTree.single(primary), Optional.of(change), 2);
    swap(0, state, change, () -> {}, () -> {}, 0);
  }

  /**
   * Makes a change: compare-and-set, then record. {@code make} gives the next state, whose last
   * change is the change, or nothing if it no longer applies.
   */
  void change(Function<ClusterState, Optional<ClusterState>> make, Runnable done, Runnable failed) {
    change(make, done, failed, 0);
  }

  /** As above, to carry out a decision that was made, if its number is not 0. */
  void change(
      Function<ClusterState, Optional<ClusterState>> make,
      Runnable done,
      Runnable failed,
      long decision) {
    if (loaded.isEmpty() || changing || !sequencer.active()) {
      failed.run();
      return;
    }
    Loaded before = loaded.get();
    Optional<ClusterState> next = make.apply(before.state());
    if (next.isEmpty()) {
      failed.run();
      return;
    }
    MapChange change = next.get().lastChange().orElseThrow();
    swap(before.version(), next.get(), change, done, failed, decision);
  }

  private void swap(
      long expected,
      ClusterState next,
      MapChange change,
      Runnable done,
      Runnable failed,
      long decision) {
    compareAndSet(
        expected,
        next,
        swapped -> record(new Loaded(swapped, next), change, done, failed, decision),
        failed);
  }

  /**
   * From here until the outcome is known and recorded nothing is trimmed: the change may rest on a
   * copy that no report speaks of yet.
   */
  private void compareAndSet(long expected, ClusterState next, LongConsumer done, Runnable failed) {
    changing = true;
    loaded = Optional.empty();
    sequencer.forbidTrim();
    long mine = term;
    context.coordination(
        token ->
            context
                .ports()
                .coordination()
                .compareAndSet(token, Steward.KEY, expected, ClusterStateCodec.encode(next)),
        result -> {
          if (mine != term) {
            return;
          }
          if (result instanceof CoordinationResult.Swapped swapped && sequencer.active()) {
            done.accept(swapped.version());
          } else {
            changing = false;
            failed.run();
            context.after(retryNanos, this::load);
          }
        });
  }

  /**
   * Takes two range ids out of use before anything is built under them, so that no two attempts, of
   * this steward or another, ever mean different copies by one id.
   */
  void reserveIds(Runnable done, Runnable failed) {
    Loaded before = loaded.orElseThrow();
    ClusterState state = before.state();
    ClusterState next = state.withNextRangeId(state.nextRangeId() + 2);
    compareAndSet(
        before.version(),
        next,
        swapped -> {
          changing = false;
          ready(new Loaded(swapped, next));
          done.run();
        },
        failed);
  }

  private void record(Loaded now, MapChange change, Runnable done, Runnable failed, long decision) {
    long mine = term;
    sequencer.record(
        change,
        () -> {
          if (mine == term) {
            changing = false;
            if (decision == 0) {
              decisions.done(change, context.nanos());
            } else {
              decisions.end(
                  decision,
                  Decision.Outcome.DONE,
                  change.version(),
                  Reason.of(change.reason()).text());
            }
            ready(now);
            done.run();
          }
        },
        lost -> {
          if (mine == term) {
            changing = false;
            failed.run();
          }
        });
  }
}
