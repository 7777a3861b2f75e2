package org.ecstore.replication.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ecstore.core.ledger.LedgerRecord.Commit;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.ReplayStage;
import org.ecstore.core.metrics.TaggedInstrument;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.KeyWrite;

/**
 * The copies of a node that go on from the ledger (rules 11, 15). Those that begin near the same
 * position read it together, in one sweep: after a restart, or when another node is gone, a node
 * has hundreds of them at once, and each record would be read and decoded for each.
 *
 * <p>A sweep begins at the end of the batch of events in which the first of its copies came, so
 * that all that one map change begins are in it; others join while it has not come to their
 * position yet. One that is far ahead has a sweep of its own, and is not held up by one that is far
 * behind. Every copy ends by itself, at its own target.
 */
final class CopyReplays {
  /** Copies that begin no more than so many positions apart share a sweep. */
  private static final long NEAR = 10_000;

  /** Of one reading that are on their way into the window. */
  private static final int CHUNKS_MAX = 2;

  /** The fill of the window up to which copies that are not folded read. */
  private static final double UNFOLDED_FILL = 0.5;

  /** After which it is looked again whether there is room in the engine. */
  private static final long ROOM_NANOS = 50_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** A replay that takes so long is worth a line in the log. */
  private static final long SLOW_REPLAY_MILLIS = 1_000;

  /** How one replay ended: reached, or trimmed; and which reads failed, for people. */
  private interface Ended extends BiConsumer<LedgerReplay.End, String> {}

  /** What was read at a time; runs {@code more} to go on. */
  private record Chunk(
      List<LedgerReplay.Placed> records, Position through, Runnable more, long sinceNanos) {}

  /** One copy that reads. */
  private record Reader(Copy copy, Position from, Position target, Ended ended) {}

  private final NodeContext context;
  private final EngineWriter writer;
  private final LedgerReplay.Factory replays;
  private final RoomWait.Rounds folds;
  private final TaggedInstrument<ReplayStage> stages;
  private final Map<RangeId, Sweep> sweeping = new TreeMap<>();
  private final List<Sweep> sweeps = new ArrayList<>();

  CopyReplays(
      NodeContext context,
      EngineWriter writer,
      LedgerReplay.Factory replays,
      RoomWait.Rounds folds) {
    this.context = context;
    this.folds = folds;
    this.writer = writer;
    this.replays = replays;
    this.stages =
        new TaggedInstrument<>(context.metrics(), NodeMetrics.REPLAY_TIME, ReplayStage.class);
  }

  /**
   * Applies what the ledger has for a copy above its closed position, and closes it as it goes.
   *
   * @param target at or below D, where a record ends
   * @param ended runs once, unless the replay is cancelled; before the target where the window has
   *     no room for a copy in no map
   */
  void start(Copy copy, Position target, Consumer<LedgerReplay.End> ended) {
    Position from = copy.closed();
    long begun = context.nanos();
    read(
        copy,
        target,
        (end, troubles) -> {
          sayIfSlow(copy, from, target, context.nanos() - begun, troubles);
          ended.accept(end);
        });
  }

  private void sayIfSlow(Copy copy, Position from, Position target, long nanos, String troubles) {
    long millis = nanos / NANOS_PER_MILLI;
    if (millis >= SLOW_REPLAY_MILLIS) {
      context
          .ports()
          .log()
          .info(
              "range %s, %s, took %d ms to read the ledger from %s to %s%s"
                  .formatted(
                      copy.id(),
                      doing(copy),
                      millis,
                      from,
                      target,
                      troubles.isEmpty() ? "" : "; " + troubles));
    }
  }

  private static String doing(Copy copy) {
    return switch (copy.state()) {
      case REPLAYING -> "to be served";
      case BUILT -> "in no map yet";
      default -> "following";
    };
  }

  private void read(Copy copy, Position target, Ended ended) {
    Reader reader = new Reader(copy, copy.closed(), target, ended);
    if (target.isAtOrBelow(reader.from)) {
      ended.accept(LedgerReplay.End.REACHED, "");
      return;
    }
    sweeps.stream()
        .filter(sweep -> sweep.takes(reader))
        .findFirst()
        .orElseGet(() -> new Sweep(reader.from))
        .add(reader);
  }

  /**
   * One in no map is not folded, so that what it reads stays in the window. Beyond the half of it
   * folds of other copies go ahead (W9), to which it would add more than they take away.
   */
  boolean takesMore(Copy copy) {
    return copy.folds() || context.ports().engine().fill() <= UNFOLDED_FILL;
  }

  /** Whether a replay of the range is under way. */
  boolean isRunning(RangeId range) {
    return sweeping.containsKey(range);
  }

  /** Whether a replay of any range is under way. */
  boolean isAnyRunning() {
    return !sweeping.isEmpty();
  }

  /** The replay of the copy, if there is one, ends and says nothing. */
  void cancel(Copy copy) {
    Sweep sweep = sweeping.remove(copy.id());
    if (sweep != null) {
      sweep.remove(copy);
    }
  }

  /**
   * One reading of the ledger, for copies that have no key in common. While what was read goes into
   * the window the next chunk is read and decoded, and no more than that one.
   */
  private final class Sweep {
    private final NavigableMap<Bytes, Reader> readers = new TreeMap<>();
    private final RoomWait room = new RoomWait();
    private final LedgerReplay replay;
    private final long anchor;

    /** Chunks on their way into the window. */
    private int filling;

    /** How to read on above the last of them, until that is done. */
    private Optional<Runnable> more = Optional.empty();

    /** What is complete with the last of them. */
    private Position last = Position.ZERO;

    /** It begins at the end of this batch of events. */
    Sweep(Position from) {
      this.anchor = from.value();
      this.replay = replays.create(context, from.next(), from, this::apply, this::ended);
      replay.passCheckpointsBy();
      sweeps.add(this);
      context.atFlush(replay::read);
    }

    boolean takes(Reader reader) {
      long from = reader.from.value();
      long ahead = from - (replay.begun() ? replay.next().value() - 1 : anchor);
      return ahead <= NEAR && ahead >= (replay.begun() ? 0 : -NEAR) && isFree(reader.copy.keys());
    }

    /** Readers have no key in common: only the two beside an interval can overlap it. */
    private boolean isFree(KeyRange keys) {
      return Stream.of(readers.floorEntry(keys.start()), readers.higherEntry(keys.start()))
          .filter(Objects::nonNull)
          .noneMatch(beside -> beside.getValue().copy.keys().overlaps(keys));
    }

    void add(Reader reader) {
      readers.put(reader.copy.keys().start(), reader);
      sweeping.put(reader.copy.id(), this);
      replay.include(reader.from.next(), reader.target);
    }

    void remove(Copy copy) {
      readers.remove(copy.keys().start());
      if (readers.isEmpty()) {
        close();
      }
    }

    private void close() {
      replay.cancel();
      sweeps.remove(this);
    }

    private void apply(List<LedgerReplay.Placed> records, Position through, Runnable next) {
      stages.of(ReplayStage.LEDGER).record(replay.ledgerNanos());
      stages.of(ReplayStage.DECODE).record(replay.decodeNanos());
      put(new Chunk(records, through, next, context.nanos()));
    }

    private void put(Chunk chunk) {
      if (readers.isEmpty()) {
        return;
      }
      if (room.waits(isFull(), folds)) {
        context.after(ROOM_NANOS, () -> put(chunk));
        return;
      }
      List<VersionedWrite> writes = new ArrayList<>();
      for (LedgerReplay.Placed placed : chunk.records) {
        if (placed.record() instanceof Commit commit) {
          for (KeyWrite write : commit.writes()) {
            if (isAwaited(write.key(), placed.position())) {
              writes.add(new VersionedWrite(write.key(), placed.position(), write.mutation()));
            }
          }
        }
      }
      filling++;
      more = Optional.of(chunk.more);
      last = chunk.through;
      writer.apply(
          writes,
          List.of(),
          () -> {
            stages.of(ReplayStage.WINDOW).record(context.nanos() - chunk.sinceNanos);
            applied(chunk.through);
          });
      readOn();
    }

    /** At the end of what is wanted it is waited for those that come meanwhile and want more. */
    private void readOn() {
      boolean isWanted = readers.values().stream().anyMatch(one -> one.target.isAfter(last));
      if (filling == 0 || (filling < CHUNKS_MAX && isWanted)) {
        Optional<Runnable> next = more;
        more = Optional.empty();
        next.ifPresent(Runnable::run);
      }
    }

    /** W9: not before it is whole, since only then it can be folded, which makes room. */
    private boolean isFull() {
      return context.ports().engine().fill() > 1
          && readers.values().stream().allMatch(reader -> reader.copy.isWhole());
    }

    private boolean isAwaited(Bytes key, Position position) {
      Map.Entry<Bytes, Reader> floor = readers.floorEntry(key);
      return floor != null
          && floor.getValue().copy.keys().contains(key)
          && position.isAfter(floor.getValue().from)
          && position.isAtOrBelow(floor.getValue().target);
    }

    private void applied(Position through) {
      filling--;
      List<Reader> reached = new ArrayList<>();
      for (Reader reader : readers.values()) {
        reader.copy.close(Position.min(through, reader.target));
        if (reader.target.isAtOrBelow(through) || !takesMore(reader.copy)) {
          reached.add(reader);
        }
      }
      end(reached, LedgerReplay.End.REACHED);
      readOn();
    }

    private void end(List<Reader> some, LedgerReplay.End how) {
      for (Reader reader : some) {
        readers.remove(reader.copy.keys().start());
        sweeping.remove(reader.copy.id());
      }
      if (readers.isEmpty()) {
        close();
      }
      some.forEach(reader -> reader.ended.accept(how, replay.troubles()));
    }

    /** What some copies need is trimmed; the others read on. */
    private void ended(LedgerReplay.End how) {
      List<Reader> all = List.copyOf(readers.values());
      sweeps.remove(this);
      readers.clear();
      for (Reader reader : all) {
        sweeping.remove(reader.copy.id());
      }
      for (Reader reader : all) {
        if (replay.firstKept().isAfter(reader.from.next())) {
          reader.ended.accept(how, replay.troubles());
        } else {
          read(reader.copy, reader.target, reader.ended);
        }
      }
    }
  }
}
