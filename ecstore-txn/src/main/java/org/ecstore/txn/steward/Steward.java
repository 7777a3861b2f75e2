package org.ecstore.txn.steward;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.ecstore.core.lane.Lane;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.ClusterStateCodec;
import org.ecstore.core.overlay.JoinPlan;
import org.ecstore.core.overlay.KeyMiddle;
import org.ecstore.core.overlay.Side;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.message.ReplicationMessage.MiddleReply;
import org.ecstore.replication.message.ReplicationMessage.MiddleRequest;
import org.ecstore.txn.message.TxnMessage.BuildReply;
import org.ecstore.txn.message.TxnMessage.BuildRequest;
import org.ecstore.txn.sequencer.Sequencer;

/**
 * Changes the map, on the node that leads (rules 15, 17, 19, 20). Every change is a compare-and-set
 * of the cluster state in coordination, then an epoch record; one at a time, so that no range is
 * changed whose last change is unrecorded. A steward that starts completes what it finds.
 *
 * <p>A join: BATON says whose child the newcomer becomes; the parent's range is cut at a middle
 * key; the newcomer builds a copy of its part; then one change retires the range and places the
 * two.
 */
public class Steward {
  /** Where the cluster state is kept in coordination. */
  public static final String KEY = "cluster";

  private static final int DECISIONS_KEPT = 1000;

  /** Times in nanoseconds; hints are sorted keys. */
  public record Settings(
      long retryNanos, long askTimeoutNanos, long buildTimeoutNanos, List<Bytes> splitHints) {
    public Settings {
      splitHints = List.copyOf(splitHints);
    }
  }

  private record Loaded(long version, ClusterState state) {}

  private final Lane lane;
  private final Sequencer sequencer;
  private final Supplier<List<Member>> members;
  private final Settings settings;
  private final Deque<String> decisions = new ArrayDeque<>();
  private Optional<Loaded> loaded = Optional.empty();
  private boolean loading;
  private boolean changing;
  private Optional<Join> join = Optional.empty();
  private final Map<NodeId, Long> epochsWanted = new TreeMap<>();
  private long term;

  public Steward(
      Lane lane, Sequencer sequencer, Supplier<List<Member>> members, Settings settings) {
    this.lane = lane;
    this.sequencer = sequencer;
    this.members = members;
    this.settings = settings;
  }

  /** The sequencer on this node has taken over: so does the steward. */
  public void start() {
    term++;
    loaded = Optional.empty();
    loading = false;
    changing = false;
    join = Optional.empty();
    load();
  }

  /** What was decided and why, newest last. */
  public List<String> decisions() {
    return List.copyOf(decisions);
  }

  private void decided(String text) {
    decisions.addLast(text);
    if (decisions.size() > DECISIONS_KEPT) {
      decisions.removeFirst();
    }
    lane.ports().journal().info("steward: " + text);
  }

  private void load() {
    if (loading || !sequencer.active()) {
      return;
    }
    loading = true;
    loaded = Optional.empty();
    long mine = term;
    lane.coordination(
        token -> lane.ports().coordination().get(token, KEY),
        result -> {
          if (mine != term) {
            return;
          }
          loading = false;
          if (result instanceof CoordinationResult.Stored stored) {
            take(stored);
          } else {
            lane.after(settings.retryNanos(), this::load);
          }
        });
  }

  private void take(CoordinationResult.Stored stored) {
    MapVersion recorded = sequencer.appendedMap().version();
    if (stored.value().isEmpty()) {
      if (recorded.equals(MapVersion.ZERO)) {
        bootstrap();
      } else {
        lane.ports()
            .journal()
            .warn(
                "coordination has lost the cluster state, which the ledger knows at map "
                    + recorded
                    + ": restore it before ranges can change");
        lane.after(settings.retryNanos() * 100, this::load);
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
    lane.coordination(
        token -> lane.ports().coordination().compareAndSet(token, KEY, version, value),
        result -> {
          if (mine != term) {
            return;
          }
          loading = false;
          if (result instanceof CoordinationResult.Swapped swapped) {
            complete(swapped.version(), ClusterStateCodec.decode(value));
          } else {
            lane.after(settings.retryNanos(), this::load);
          }
        });
  }

  private void complete(long version, ClusterState state) {
    MapVersion recorded = sequencer.appendedMap().version();
    MapVersion stands = state.ranges().version();
    Loaded now = new Loaded(version, state);
    if (stands.equals(recorded)) {
      ready(now);
    } else if (stands.equals(recorded.next()) && state.lastChange().isPresent()) {
      long mine = term;
      changing = true;
      sequencer.record(
          state.lastChange().get(),
          () -> {
            if (mine == term) {
              changing = false;
              decided("completed: " + state.lastChange().get().reason());
              ready(now);
            }
          },
          lost -> {
            if (mine == term) {
              changing = false;
            }
          });
    } else {
      // Another node may lead by now; it records what it finds.
      lane.after(settings.retryNanos(), this::load);
    }
  }

  private void ready(Loaded now) {
    loaded = Optional.of(now);
    sequencer.allowTrim();
    for (NodeId node : List.copyOf(epochsWanted.keySet())) {
      Long incarnation = epochsWanted.remove(node);
      if (incarnation != null) {
        epochsWanted(node, incarnation);
      }
    }
  }

  private void bootstrap() {
    RangeId first = new RangeId(1);
    RangeDescriptor all =
        new RangeDescriptor(
            first, KeyRange.ALL, new Epoch(1), lane.self(), lane.incarnation(), List.of());
    MapChange change =
        new MapChange(new MapVersion(1), List.of(), List.of(all), "first node " + lane.self());
    ClusterState state =
        new ClusterState(
            RangeMap.EMPTY.apply(change), BatonTree.single(lane.self()), Optional.of(change), 2);
    swap(0, state, change, () -> {}, () -> {});
  }

  /**
   * Makes a change: compare-and-set, then record. {@code make} gives the next state, whose last
   * change is the change, or nothing if it no longer applies.
   */
  private void change(
      Function<ClusterState, Optional<ClusterState>> make, Runnable done, Runnable failed) {
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
    swap(before.version(), next.get(), next.get().lastChange().orElseThrow(), done, failed);
  }

  private void swap(
      long expected, ClusterState next, MapChange change, Runnable done, Runnable failed) {
    compareAndSet(
        expected, next, swapped -> record(new Loaded(swapped, next), change, done, failed), failed);
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
    lane.coordination(
        token ->
            lane.ports()
                .coordination()
                .compareAndSet(token, KEY, expected, ClusterStateCodec.encode(next)),
        result -> {
          if (mine != term) {
            return;
          }
          if (result instanceof CoordinationResult.Swapped swapped) {
            done.accept(swapped.version());
          } else {
            changing = false;
            failed.run();
            lane.after(settings.retryNanos(), this::load);
          }
        });
  }

  /**
   * Takes two range ids out of use before anything is built under them, so that no two attempts, of
   * this steward or another, ever mean different copies by one id.
   */
  private void reserveIds(Runnable done, Runnable failed) {
    Loaded before = loaded.orElseThrow();
    ClusterState state = before.state();
    ClusterState next =
        new ClusterState(state.ranges(), state.tree(), state.lastChange(), state.nextRangeId() + 2);
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

  private void record(Loaded now, MapChange change, Runnable done, Runnable failed) {
    long mine = term;
    sequencer.record(
        change,
        () -> {
          if (mine == term) {
            changing = false;
            decided(change.version() + ": " + change.reason());
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

  private boolean isLive(NodeId node, long incarnation) {
    return members.get().stream()
        .anyMatch(member -> member.node().equals(node) && member.incarnation() == incarnation);
  }

  /** A node has restarted: its ranges get new epochs under its new incarnation (rule 19). */
  public void epochsWanted(NodeId node, long incarnation) {
    if (loaded.isEmpty() || changing) {
      epochsWanted.put(node, incarnation);
      return;
    }
    if (!isLive(node, incarnation)) {
      return;
    }
    change(state -> newEpochs(state, node, incarnation), () -> {}, () -> {});
  }

  private static Optional<ClusterState> newEpochs(
      ClusterState state, NodeId node, long incarnation) {
    MapVersion version = state.ranges().version().next();
    List<RangeId> retired = new ArrayList<>();
    List<RangeDescriptor> placed = new ArrayList<>();
    for (RangeDescriptor range : state.ranges().ranges()) {
      if (range.primary().equals(node) && range.primaryIncarnation() < incarnation) {
        retired.add(range.id());
        placed.add(
            new RangeDescriptor(
                range.id(),
                range.keys(),
                new Epoch(version.value()),
                node,
                incarnation,
                range.secondaries()));
      }
    }
    if (placed.isEmpty()) {
      return Optional.empty();
    }
    MapChange change =
        new MapChange(version, retired, placed, node + " came back as incarnation " + incarnation);
    return Optional.of(state.after(change, state.tree()));
  }

  /** A node without a place asks for one (rules 17, 20). */
  public void joinWanted(NodeId node, long incarnation) {
    if (join.isPresent() && !join.get().isLive()) {
      join.get().end("a node of it has gone");
    }
    boolean busy = join.isPresent() || loaded.isEmpty() || changing;
    if (busy || !sequencer.active() || !isLive(node, incarnation)) {
      return;
    }
    ClusterState state = loaded.get().state();
    if (state.tree().contains(node)) {
      return;
    }
    JoinPlan plan = state.tree().whereToJoin(node, state.tree().inOrder().getFirst().node());
    Optional<RangeDescriptor> source =
        state.ranges().ranges().stream()
            .filter(range -> range.primary().equals(plan.parent()))
            .filter(range -> isLive(range.primary(), range.primaryIncarnation()))
            .findFirst();
    if (source.isPresent()) {
      Join started = new Join(term, node, incarnation, plan, source.get(), state.nextRangeId());
      join = Optional.of(started);
      reserveIds(started::start, () -> started.end("its range ids could not be reserved"));
    }
  }

  /** One join under way. The range it splits must be unchanged at the end; else it starts anew. */
  private final class Join {
    private final long mine;
    private final NodeId newcomer;
    private final long incarnation;
    private final JoinPlan plan;
    private final RangeDescriptor source;
    private final RangeId movedId;
    private final RangeId keptId;
    private final long untilNanos = lane.nanos() + settings.buildTimeoutNanos();

    Join(
        long mine,
        NodeId newcomer,
        long incarnation,
        JoinPlan plan,
        RangeDescriptor source,
        long nextRangeId) {
      this.mine = mine;
      this.newcomer = newcomer;
      this.incarnation = incarnation;
      this.plan = plan;
      this.source = source;
      this.movedId = new RangeId(nextRangeId);
      this.keptId = new RangeId(nextRangeId + 1);
    }

    void start() {
      if (!isCurrent()) {
        return;
      }
      lane.ask(
          source.primary(),
          call -> new MiddleRequest(call, source.id(), source.epoch()),
          settings.askTimeoutNanos(),
          answer -> {
            if (isCurrent()) {
              if (answer.isPresent() && answer.get() instanceof MiddleReply reply) {
                cut(reply.key());
              } else {
                end("no answer from " + source.primary());
              }
            }
          });
    }

    private boolean isCurrent() {
      return mine == term && sequencer.active() && join.equals(Optional.of(this));
    }

    boolean isLive() {
      return Steward.this.isLive(newcomer, incarnation)
          && Steward.this.isLive(source.primary(), source.primaryIncarnation());
    }

    private void cut(Optional<Bytes> middle) {
      Optional<Bytes> key =
          middle
              .filter(this::splits)
              .or(this::hint)
              .or(() -> KeyMiddle.of(source.keys()).filter(this::splits));
      if (key.isEmpty()) {
        end("range " + source.keys() + " cannot be split");
      } else {
        build(key.get());
      }
    }

    private boolean splits(Bytes key) {
      return source.keys().contains(key) && !source.keys().start().equals(key);
    }

    /** Where an application said that its keys will be. */
    private Optional<Bytes> hint() {
      List<Bytes> inside = settings.splitHints().stream().filter(this::splits).toList();
      return inside.isEmpty() ? Optional.empty() : Optional.of(inside.get(inside.size() / 2));
    }

    private KeyRange part(Bytes key, boolean moved) {
      boolean lower = (plan.side() == Side.LEFT) == moved;
      return lower
          ? KeyRange.of(source.keys().start(), key)
          : KeyRange.between(key, source.keys().end());
    }

    private void build(Bytes key) {
      lane.ask(
          newcomer,
          call ->
              new BuildRequest(
                  call, movedId, part(key, true), source.primary(), source.id(), source.epoch()),
          settings.askTimeoutNanos(),
          answer -> {
            if (isCurrent()) {
              Optional<Position> stamp =
                  answer.isPresent() && answer.get() instanceof BuildReply reply
                      ? reply.stamp()
                      : Optional.empty();
              if (answer.isEmpty() && isLive() && untilNanos - lane.nanos() > 0) {
                build(key);
              } else if (stamp.isPresent() && sequencer.pin(movedId, stamp.get())) {
                place(key, stamp.get());
              } else {
                end("the copy for " + newcomer + " could not be built");
              }
            }
          });
    }

    private void place(Bytes key, Position stamp) {
      Consumer<String> over =
          text -> {
            sequencer.unpin(movedId);
            end(text);
          };
      change(
          state -> split(state, key, stamp),
          () -> over.accept(""),
          () -> over.accept("the map changed while " + newcomer + " joined"));
    }

    private Optional<ClusterState> split(ClusterState state, Bytes key, Position stamp) {
      boolean unchanged =
          state.ranges().range(source.id()).equals(Optional.of(source))
              && state.nextRangeId() > keptId.value()
              && state.tree().allows(plan)
              && isLive();
      if (!unchanged) {
        return Optional.empty();
      }
      MapVersion version = state.ranges().version().next();
      Epoch epoch = new Epoch(version.value());
      RangeDescriptor kept =
          new RangeDescriptor(
              keptId,
              part(key, false),
              epoch,
              source.primary(),
              source.primaryIncarnation(),
              List.of());
      RangeDescriptor moved =
          new RangeDescriptor(movedId, part(key, true), epoch, newcomer, incarnation, List.of());
      String reason =
          newcomer
              + " joined as "
              + plan.side()
              + " child of "
              + plan.parent()
              + ", took "
              + part(key, true)
              + " copied at "
              + stamp;
      MapChange change = new MapChange(version, List.of(source.id()), List.of(kept, moved), reason);
      return Optional.of(state.after(change, state.tree().join(plan, key).tree()));
    }

    void end(String trouble) {
      if (join.equals(Optional.of(this))) {
        join = Optional.empty();
      }
      if (!trouble.isEmpty()) {
        lane.ports().journal().info("steward: join of " + newcomer + " put off: " + trouble);
      }
    }
  }
}
