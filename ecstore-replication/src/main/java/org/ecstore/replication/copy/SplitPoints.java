package org.ecstore.replication.copy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.placement.PositionMap;
import org.ecstore.replication.placement.PositionMap.Knot;

/**
 * How the data of copies here lie: a few keys of each copy that is asked about, with about equally
 * much of its data between one and the next. The engine is asked to halve the copy, and its halves,
 * one question at a time, and again only when the answer has become old. Estimates: nothing but
 * balance rests on them.
 */
public final class SplitPoints {
  /** Halved so often: sixteen parts. */
  private static final int LEVELS = 4;

  private static final long OLD_NANOS = 60_000_000_000L;

  /**
   * Of one copy; {@code splitKeys} ascend, each above {@code first}, and the last of them at or
   * below {@code last}. A copy of fewer than two keys has none.
   */
  public record Keys(Optional<Bytes> first, List<Bytes> splitKeys, Optional<Bytes> last) {
    static final Keys NONE = new Keys(Optional.empty(), List.of(), Optional.empty());

    public Keys {
      splitKeys = List.copyOf(splitKeys);
    }

    /** The position map that is fitted to them (rule 22). */
    public PositionMap positions() {
      if (first.isEmpty() || splitKeys.isEmpty()) {
        return PositionMap.FIRST_BYTES;
      }
      List<Knot> knots = new ArrayList<>();
      knots.add(new Knot(first.get(), 0));
      for (Bytes cut : splitKeys) {
        knots.add(new Knot(cut, share(knots.size(), splitKeys.size() + 1)));
      }
      last.filter(key -> key.compareTo(splitKeys.getLast()) > 0)
          .ifPresent(key -> knots.add(new Knot(key, -1L)));
      return PositionMap.of(knots);
    }

    /** So many of so many equal parts of all positions. */
    private static long share(int part, int parts) {
      return Long.divideUnsigned(-1L, parts) * part;
    }
  }

  private static final class Known {
    final Copy copy;
    Optional<Keys> keys = Optional.empty();
    boolean underWay;
    long sinceNanos;

    Known(Copy copy) {
      this.copy = copy;
    }
  }

  private final NodeContext context;
  private final Map<RangeId, Known> byRange = new TreeMap<>();

  public SplitPoints(NodeContext context) {
    this.context = context;
  }

  /** What is known of a live copy; if that is nothing, or old, the engine is asked. */
  public Optional<Keys> of(Copy copy) {
    Known known = byRange.get(copy.id());
    if (known == null || !known.copy.equals(copy)) {
      known = new Known(copy);
      byRange.put(copy.id(), known);
    }
    boolean isOld = known.keys.isEmpty() || context.nanos() - known.sinceNanos >= OLD_NANOS;
    if (isOld && !known.underWay) {
      known.underWay = true;
      new Search(known).start();
    }
    return known.keys;
  }

  /** A copy answers nothing from now on. */
  public void retired(Copy copy) {
    Known known = byRange.get(copy.id());
    if (known != null && known.copy.equals(copy)) {
      byRange.remove(copy.id());
    }
  }

  private record Part(KeyRange keys, int levels) {}

  /** The questions about one copy. */
  private final class Search {
    private final Known known;
    private final Deque<Part> parts = new ArrayDeque<>();
    private final TreeSet<Bytes> splitKeys = new TreeSet<>();

    Search(Known known) {
      this.known = known;
    }

    void start() {
      parts.add(new Part(known.copy.keys(), LEVELS));
      halve();
    }

    private void halve() {
      Part part = parts.poll();
      if (part == null) {
        ends();
        return;
      }
      context.engine(
          token -> context.ports().engine().middle(token, part.keys()),
          result -> {
            if (!isWanted()) {
              return;
            }
            if (result instanceof EngineResult.Middle middle) {
              middle
                  .key()
                  .filter(key -> part.keys().contains(key) && !key.equals(part.keys().start()))
                  .ifPresent(key -> cut(part, key));
            }
            halve();
          });
    }

    private boolean isWanted() {
      return known.equals(byRange.get(known.copy.id()));
    }

    private void cut(Part part, Bytes key) {
      splitKeys.add(key);
      if (part.levels() > 1) {
        parts.add(new Part(KeyRange.of(part.keys().start(), key), part.levels() - 1));
        parts.add(new Part(KeyRange.between(key, part.keys().end()), part.levels() - 1));
      }
    }

    /** The first and the last key: what is beyond them is without data, however wide. */
    private void ends() {
      if (splitKeys.isEmpty()) {
        found(Keys.NONE);
      } else {
        end(
            false,
            first -> end(true, last -> found(new Keys(first, List.copyOf(splitKeys), last))));
      }
    }

    private void end(boolean last, Consumer<Optional<Bytes>> then) {
      KeyRange keys = known.copy.keys();
      context.engine(
          token ->
              context
                  .ports()
                  .engine()
                  .scan(token, new ScanSpec(keys, known.copy.closed(), last, 1, 1, true)),
          result -> {
            if (isWanted()) {
              then.accept(
                  result instanceof EngineResult.Rows rows
                      ? rows.rows().stream().findFirst().map(row -> row.key())
                      : Optional.empty());
            }
          });
    }

    private void found(Keys keys) {
      // At a position before that of the halves there may be less than they say.
      boolean fits =
          keys.first().filter(key -> key.compareTo(keys.splitKeys().getFirst()) < 0).isPresent();
      known.keys = Optional.of(fits ? keys : Keys.NONE);
      known.sinceNanos = context.nanos();
      known.underWay = false;
    }
  }
}
