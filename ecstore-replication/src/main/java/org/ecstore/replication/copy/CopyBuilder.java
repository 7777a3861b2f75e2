package org.ecstore.replication.copy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.replication.message.ReplicationMessage.CopyChunk;
import org.ecstore.replication.message.ReplicationMessage.CopyDone;
import org.ecstore.replication.message.ReplicationMessage.CopyFetch;

/**
 * Fills a copy of an interval from a source, chunk by chunk, and makes it durable. A built copy is
 * in no map: it answers nothing until a recorded change names this node as primary, and survives a
 * restart, for the change may be recorded while the node is down.
 *
 * <p>Each chunk is as of a position of its own, none below that of the first one, the stamp. What
 * results is closed at the stamp, and its base is the greatest of these positions (rules 10, W7).
 * That is what a crash amid a fold leaves: each row is as of some position from the stamp to the
 * base, the ledger brings all versions above the stamp, a row hides what is at or below its own
 * version, and below the base nothing is answered.
 */
public class CopyBuilder {
  private static final int ATTEMPTS_MAX = 5;

  /**
   * So often rows may be refused for want of room: for about half a minute. The node has said by
   * then that its engine does nothing (decision 0094), and other nodes are asked for the copy.
   */
  private static final int REFUSALS_MAX = 150;

  /** So often what a copy lacks is read before it is said to be there: each time there is less. */
  private static final int READS_MAX = 3;

  /**
   * After so many times what a receiver waits for a chunk the copy is said to be there as it is.
   */
  private static final int READ_ASKS_MAX = 5;

  /**
   * How a copy is fetched, in nanoseconds (decision 0127).
   *
   * @param askNanos how long to wait for a chunk before asking again
   * @param share of its time that a build takes rows in; the rest is left to what nodes have to do
   *     beside. Above 0; 1 for all of it
   */
  public record Timing(long askNanos, double share) {
    private static final double NANOS_OF_MEBIBYTE = 1e9;

    /** So long a rest may be whatever a chunk has. */
    private static final long SHORT_NANOS = 10_000_000L;

    public Timing {
      if (askNanos < 1 || !(share > 0 && share <= 1)) {
        throw new IllegalArgumentException(
            "no copy is fetched with %d ns and %f of its time".formatted(askNanos, share));
      }
    }

    /**
     * How long to rest after a chunk: never so long as to look like a node that is gone, nor so
     * that rests alone leave less than a mebibyte a second: the steward gives up what takes ten
     * minutes, and a chunk of small rows has few bytes.
     *
     * @param tookNanos from asking for it until it was in the store
     * @param bytes of its rows
     */
    public long restNanos(long tookNanos, long bytes) {
      double most =
          Math.min(askNanos / 2.0, Math.max(SHORT_NANOS, bytes * NANOS_OF_MEBIBYTE / (1 << 20)));
      return (long) Math.min(most, Math.max(0, tookNanos) * (1 / share - 1));
    }
  }

  /** What to build. */
  public record Plan(
      RangeId id, KeyRange keys, NodeId source, RangeId sourceRange, Epoch sourceEpoch) {}

  /**
   * What has come of it.
   *
   * @param stamp where the copy is closed, if it was built
   * @param noRoom whether it was not for want of room
   */
  public record Result(Optional<Position> stamp, boolean noRoom) {
    static final Result FAILED = new Result(Optional.empty(), false);

    /** Of a copy that is complete, and durable. */
    public static Result built(Position closed) {
      return new Result(Optional.of(closed), false);
    }
  }

  private static final class Build {
    final Plan plan;
    final long transfer;
    Consumer<Result> then;
    KeyRange rest;

    /** What the first chunk was read at. */
    Optional<Position> stamp = Optional.empty();

    /** What the newest of all chunks was read at. */
    Position newest = Position.ZERO;

    int attempts;

    /** When the chunk under way was asked for, first. */
    long askedAt;

    /** Until when it may read on. */
    long readsUntil;

    Build(Plan plan, long transfer, Consumer<Result> then) {
      this.plan = plan;
      this.transfer = transfer;
      this.then = then;
      this.rest = plan.keys();
    }
  }

  private final NodeContext context;
  private final CopyTable copies;
  private final EngineWriter writer;
  private final Timing timing;
  private final Map<RangeId, Build> builds = new TreeMap<>();

  public CopyBuilder(NodeContext context, CopyTable copies, EngineWriter writer, Timing timing) {
    this.context = context;
    this.copies = copies;
    this.writer = writer;
    this.timing = timing;
  }

  /**
   * Builds a copy; {@code then} gets its stamp, where a restart finds it closed, once it is durable
   * and has read on, or none if it failed. A request that comes again is answered by the build that
   * is under way, or by the copy that resulted.
   */
  public void build(Plan plan, Consumer<Result> then) {
    Build running = builds.get(plan.id());
    if (running != null) {
      if (running.plan.equals(plan)) {
        running.then = then;
      } else {
        then.accept(Result.FAILED);
      }
      return;
    }
    for (Copy copy : copies.all()) {
      if (isResultOf(copy, plan)) {
        then.accept(Result.built(copy.folded()));
        return;
      }
    }
    if (isOutdated(plan) || overlapsServed(plan)) {
      then.accept(Result.FAILED);
      return;
    }
    dropEarlier();
    long transfer = context.ports().random().nextLong(1, Long.MAX_VALUE);
    Build build = new Build(plan, transfer, then);
    builds.put(plan.id(), build);
    writer.clear(plan.keys(), () -> fetchNext(build));
  }

  private static boolean isResultOf(Copy copy, Plan plan) {
    return copy.epoch().equals(Epoch.ZERO)
        && copy.state() == Copy.State.BUILT
        && copy.id().equals(plan.id())
        && copy.keys().equals(plan.keys());
  }

  /** Ids grow from attempt to attempt: a request under a lower one comes late. */
  private boolean isOutdated(Plan plan) {
    return builds.keySet().stream().anyMatch(id -> id.compareTo(plan.id()) > 0)
        || copies.all().stream().anyMatch(copy -> copy.id().compareTo(plan.id()) > 0);
  }

  private boolean overlapsServed(Plan plan) {
    return copies.all().stream()
        .filter(copy -> !copy.epoch().equals(Epoch.ZERO))
        .anyMatch(copy -> copy.id().equals(plan.id()) || copy.keys().overlaps(plan.keys()));
  }

  /**
   * What earlier attempts have built is in no map and never will be: their changes are fenced off.
   * One that is complete may be noted already: so its entry goes before its rows (rule W4).
   */
  private void dropEarlier() {
    for (Copy copy : copies.all()) {
      if (copy.epoch().equals(Epoch.ZERO)) {
        drop(copy);
      }
    }
    for (Build build : List.copyOf(builds.values())) {
      // Two that fill the same keys would clear away one another's rows.
      giveUp(build, false);
    }
  }

  private void drop(Copy copy) {
    copies.drop(copy);
    writer.replace(List.of(copy), List.of());
    copies.clear(List.of(copy.keys()));
  }

  /** Drops what was built under an id that no map will name any more. */
  public void dropUnused(RangeId id) {
    copies
        .find(id, Epoch.ZERO)
        .filter(copy -> copy.state() == Copy.State.BUILT)
        .ifPresent(this::drop);
  }

  /** The ids under which built copies wait to be placed. */
  public List<RangeId> built() {
    return copies.all().stream()
        .filter(copy -> copy.state() == Copy.State.BUILT)
        .map(Copy::id)
        .toList();
  }

  /** Whether a copy is being built. */
  public boolean building() {
    return !builds.isEmpty();
  }

  /** What is being built, by id; the last of its work is on a copy that is in the table. */
  public List<Plan> underWay() {
    return builds.values().stream().map(build -> build.plan).toList();
  }

  /** Whether it has neither ended nor been given up for a later one. */
  private boolean isUnderWay(Build build) {
    return build.equals(builds.get(build.plan.id()));
  }

  private void fetchNext(Build build) {
    build.askedAt = context.nanos();
    fetch(build);
  }

  private void fetch(Build build) {
    if (!isUnderWay(build)) {
      return;
    }
    context.ask(
        build.plan.source(),
        call ->
            new CopyFetch(
                call,
                build.transfer,
                build.plan.sourceRange(),
                build.plan.sourceEpoch(),
                build.rest,
                build.stamp),
        timing.askNanos(),
        answer -> arrived(build, answer));
  }

  private void arrived(Build build, Optional<NodeMessage> answer) {
    if (!isUnderWay(build)) {
      return;
    }
    if (answer.isEmpty() && ++build.attempts < ATTEMPTS_MAX) {
      fetch(build);
    } else if (answer.isPresent() && answer.get() instanceof CopyChunk chunk) {
      build.attempts = 0;
      take(build, chunk);
    } else {
      giveUp(build, false);
    }
  }

  /** What of it is in the store is of no use, and may take the room of what is. */
  private void giveUp(Build build, boolean noRoom) {
    end(build, new Result(Optional.empty(), noRoom));
    if (!overlapsServed(build.plan)) {
      writer.clear(build.plan.keys(), () -> {});
    }
  }

  private void take(Build build, CopyChunk chunk) {
    Position stamp = build.stamp.orElse(chunk.stamp());
    boolean fits =
        stamp.isAtOrBelow(chunk.stamp())
            && chunk.rows().stream().allMatch(row -> build.rest.contains(row.key()));
    if (!fits || (chunk.rows().isEmpty() && !chunk.complete())) {
      giveUp(build, false);
      return;
    }
    build.stamp = Optional.of(stamp);
    build.newest = Position.max(build.newest, chunk.stamp());
    load(chunk.rows(), new Loading(build, chunk));
  }

  /** A chunk on its way into the store. */
  private final class Loading implements EngineWriter.Loader {
    private final Build build;
    private final CopyChunk chunk;
    private int refusals;

    Loading(Build build, CopyChunk chunk) {
      this.build = build;
      this.chunk = chunk;
    }

    @Override
    public boolean isWanted() {
      return isUnderWay(build);
    }

    @Override
    public void loaded() {
      goOn(build, chunk);
    }

    @Override
    public void refused() {
      refusals++;
      if (isWanted() && isTooFull(refusals)) {
        giveUp(build, true);
      }
    }
  }

  /** Rules W4, W6: what follows of some rows, a note of them too, is behind them in the store. */
  @RuleSeam(17)
  protected void load(List<Row> rows, EngineWriter.Loader loader) {
    writer.load(rows, loader);
  }

  /**
   * Decision 0108: a copy for which there is no room is given up, or all that the node has else
   * would wait for it.
   */
  @RuleSeam(decisions = 108)
  protected boolean isTooFull(int refusals) {
    return refusals >= REFUSALS_MAX;
  }

  private void goOn(Build build, CopyChunk taken) {
    if (!isUnderWay(build)) {
      return;
    }
    Optional<Bytes> next =
        taken.complete()
            ? Optional.empty()
            : Optional.of(taken.rows().getLast().key().successor())
                .filter(build.plan.keys()::isBelowEnd);
    if (next.isEmpty()) {
      complete(build);
    } else {
      build.rest = KeyRange.between(next.get(), build.plan.keys().end());
      rest(build, taken);
    }
  }

  /** What a chunk costs is taken from what its nodes do for clients: so copies come in portions. */
  private void rest(Build build, CopyChunk taken) {
    long bytes =
        taken.rows().stream().mapToLong(row -> row.key().length() + row.value().length()).sum();
    long nanos = timing.restNanos(context.nanos() - build.askedAt, bytes);
    if (nanos == 0) {
      fetchNext(build);
    } else {
      context.after(nanos, () -> fetchNext(build));
    }
  }

  private void complete(Build build) {
    if (overlapsServed(build.plan)) {
      end(build, Result.FAILED);
      return;
    }
    Position stamp = build.stamp.orElseThrow();
    Position closed = closed(stamp, build.newest);
    Position base = base(stamp, build.newest);
    Copy copy =
        new Copy(build.plan.id(), Epoch.ZERO, build.plan.keys(), Copy.State.BUILDING, base, closed);
    copy.fold(closed);
    copies.add(copy);
    context.ports().engine().restore(build.plan.keys(), closed, base);
    writer.apply(List.of(), List.of(copies.entry(copy)), () -> {});
    writer.sync(
        () -> {
          if (isUnderWay(build) && copies.isCurrent(copy)) {
            copy.state(Copy.State.BUILT);
            copy.durable(closed, base);
            build.readsUntil = context.nanos() + READ_ASKS_MAX * timing.askNanos();
            readOn(build, copy, 0);
            watch(build, copy);
          } else if (isUnderWay(build)) {
            // A map has passed it by meanwhile.
            end(build, Result.FAILED);
          }
        });
  }

  /**
   * Decision 0131: what was committed while the copy was filled is read before the map names it, as
   * the range is served by none while its new primary reads. A restart goes on from the stamp.
   */
  private void readOn(Build build, Copy copy, int reads) {
    if (!isUnderWay(build)) {
      return;
    }
    if (reads == READS_MAX || !copies.hasMoreToRead(copy)) {
      end(build, Result.built(copy.folded()));
    } else {
      copies.readOn(copy, () -> readOn(build, copy, reads + 1));
    }
  }

  /** Who reads on need not come to an end: a ledger may be slow, and the copy dropped. */
  private void watch(Build build, Copy copy) {
    if (!isUnderWay(build)) {
      return;
    }
    if (!copies.isCurrent(copy)) {
      end(build, Result.FAILED);
    } else if (context.nanos() - build.readsUntil >= 0) {
      copies.readNoMore(copy);
      end(build, Result.built(copy.folded()));
    } else {
      context.after(timing.askNanos(), () -> watch(build, copy));
    }
  }

  /**
   * Rules 10, W7: through it each row has all, whichever chunk brought it.
   *
   * @param stamp what the first chunk was read at
   * @param newest what the newest chunk was read at
   */
  @RuleSeam(10)
  protected Position closed(Position stamp, Position newest) {
    return stamp;
  }

  /**
   * Rules 10, W1, W7: below it some row is as of a later position.
   *
   * @param stamp what the first chunk was read at
   * @param newest what the newest chunk was read at
   */
  @RuleSeam(10)
  protected Position base(Position stamp, Position newest) {
    return newest;
  }

  private void end(Build build, Result result) {
    builds.remove(build.plan.id());
    context.send(build.plan.source(), new CopyDone(build.transfer));
    build.then.accept(result);
  }
}
