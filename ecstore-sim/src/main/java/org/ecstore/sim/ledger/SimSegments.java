package org.ecstore.sim.ledger;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.id.NodeId;
import org.ecstore.sim.ledger.SimLedger.TakeOverStep;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * What the services below the commit ledger hold: segments, which a recovery fences and closes for
 * good, and the list of them, one value with a version. Everything here happens at once; delays and
 * losses are made by {@link SegmentedLedger} on the way. It keeps every entry that ever became
 * durable for the checkers, trimmed or not.
 */
public final class SimSegments {
  /** An entry on its way into a segment. */
  public static final class Append {
    final long token;
    public final LedgerEntry entry;
    boolean answered;
    boolean arrives;

    Append(long token, LedgerEntry entry) {
      this.token = token;
      this.entry = entry;
    }
  }

  /** One segment: entries in order, of which the last few may be in doubt. */
  public static final class Segment {
    final long id;
    final Life writer;

    /** Positions of its entries are at or above this. */
    final long firstPosition;

    public final List<Append> doubtful = new ArrayList<>();
    private long last;
    private long confirmed;
    private int entries;
    private boolean fenced;
    private boolean closed;

    Segment(long id, Life writer, long firstPosition) {
      this.id = id;
      this.writer = writer;
      this.firstPosition = firstPosition;
      this.last = firstPosition - 1;
      this.confirmed = last;
    }

    /** The last position in it; the one before its first while it is empty. */
    long last() {
      return last;
    }

    /** The last position that its writer has said to be durable. */
    public long confirmed() {
      return confirmed;
    }

    void confirm(long position) {
      confirmed = Math.max(confirmed, position);
    }

    int entries() {
      return entries;
    }

    /** Takes nothing more from its writer. */
    boolean isShut() {
      return fenced || closed;
    }
  }

  /** The list as of one version. */
  public record SegmentList(long version, List<Segment> segments, long sinceNanos) {
    public SegmentList {
      segments = List.copyOf(segments);
    }
  }

  private final World world;
  private final SwarmSettings.LedgerFaults faults;
  private final List<SegmentedLedger> ports = new ArrayList<>();
  private final List<SegmentList> lists = new ArrayList<>();
  private final List<LedgerEntry> entries = new ArrayList<>();
  private final List<Segment> segmentOf = new ArrayList<>();
  private final List<Long> durableAtNanos = new ArrayList<>();
  private final TreeMap<Long, Long> acknowledgedAtNanos = new TreeMap<>();
  private final Map<NodeId, Long> cutUntilNanos = new TreeMap<>();
  private final Map<NodeId, Long> outOfReachUntilNanos = new TreeMap<>();
  private final Map<NodeId, Long> unreadableUntilNanos = new TreeMap<>();
  private long acknowledged;
  private long segments;
  private int firstKept;
  private boolean full;
  private Runnable onTrim = () -> {};
  private final List<Consumer<LedgerEntry>> onWrite = new ArrayList<>();
  private BiConsumer<TakeOverStep, NodeId> onTakeOver = (step, node) -> {};

  SimSegments(World world, SwarmSettings.LedgerFaults faults) {
    this.world = world;
    this.faults = faults;
    lists.add(new SegmentList(0, List.of(), 0));
  }

  World world() {
    return world;
  }

  SwarmSettings.LedgerFaults faults() {
    return faults;
  }

  List<LedgerEntry> durable() {
    return Collections.unmodifiableList(entries);
  }

  long end() {
    return entries.isEmpty() ? 0 : entries.getLast().last().value();
  }

  long first() {
    return firstKept < entries.size() ? entries.get(firstKept).first().value() : end() + 1;
  }

  boolean isTrimmed() {
    return firstKept > 0;
  }

  int segmentsListed() {
    return list().segments().size();
  }

  void full(boolean isFull) {
    full = isFull;
  }

  boolean full() {
    return full;
  }

  void onTrim(Runnable listener) {
    onTrim = listener;
  }

  void onWrite(Consumer<LedgerEntry> listener) {
    onWrite.add(listener);
  }

  void onTakeOver(BiConsumer<TakeOverStep, NodeId> listener) {
    onTakeOver = listener;
  }

  void add(SegmentedLedger port) {
    ports.add(port);
  }

  void crashed(Life life) {
    ports.removeIf(
        port -> {
          if (!port.life().equals(life)) {
            return false;
          }
          port.crash();
          return true;
        });
  }

  /** Makes the writer begin a new segment. */
  void rollNow() {
    ports.forEach(SegmentedLedger::rollNow);
  }

  /** Cuts a node off from the ledger for a while: requests and replies wait. */
  void cutOff(NodeId node, long nanos) {
    cutUntilNanos.merge(node, world.nowNanos() + nanos, Math::max);
  }

  /** Has the requests of a node fail for a while. */
  void outOfReach(NodeId node, long nanos) {
    outOfReachUntilNanos.merge(node, world.nowNanos() + nanos, Math::max);
  }

  boolean isOutOfReach(NodeId node) {
    return outOfReachUntilNanos.getOrDefault(node, 0L) > world.nowNanos();
  }

  /** Has the reads of a node fail for a while. */
  void unreadable(NodeId node, long nanos) {
    unreadableUntilNanos.merge(node, world.nowNanos() + nanos, Math::max);
  }

  boolean isUnreadable(NodeId node) {
    return isOutOfReach(node) || unreadableUntilNanos.getOrDefault(node, 0L) > world.nowNanos();
  }

  void heal() {
    cutUntilNanos.clear();
    outOfReachUntilNanos.clear();
    unreadableUntilNanos.clear();
  }

  boolean isCut(NodeId node) {
    return cutUntilNanos.getOrDefault(node, 0L) > world.nowNanos();
  }

  void step(TakeOverStep step, Life life) {
    onTakeOver.accept(step, life.node());
  }

  /** The list at present. */
  SegmentList list() {
    return lists.getLast();
  }

  /** The list as it was some time ago, but of no version before one that is known. */
  SegmentList staleList(long sinceNanos, long versionMin) {
    int shown = lists.size() - 1;
    while (lists.get(shown).sinceNanos() > sinceNanos && lists.get(shown).version() > versionMin) {
      shown--;
    }
    return lists.get(shown);
  }

  /** Compare-and-set of the list; the list there is now. */
  boolean swap(long expected, List<Segment> next) {
    if (list().version() != expected) {
      return false;
    }
    lists.add(new SegmentList(expected + 1, next, world.nowNanos()));
    world.trace().mix(expected + 1);
    if (world.verbose()) {
      world.line(
          "ledger",
          "list version "
              + (expected + 1)
              + " is "
              + next.stream().map(segment -> segment.id + "@" + segment.firstPosition).toList());
    }
    trimTo(next.getFirst());
    return true;
  }

  private void trimTo(Segment kept) {
    int before = firstKept;
    while (firstKept < entries.size()
        && segmentOf.get(firstKept).id != kept.id
        && entries.get(firstKept).first().value() < kept.firstPosition) {
      firstKept++;
    }
    if (firstKept > before) {
      world.line("ledger", "trimmed to " + first());
      onTrim.run();
    }
  }

  Segment create(Life writer, long firstPosition) {
    return new Segment(++segments, writer, firstPosition);
  }

  /** From now on its writer gets nothing in. */
  void fence(Segment segment) {
    segment.fenced = true;
  }

  /** Settles what is in doubt in a fenced segment: some of it is in, the rest never will be. */
  void recover(Segment segment, SimRandom chooser) {
    segment.fenced = true;
    if (segment.closed) {
      return;
    }
    int in = chooser.between(0, segment.doubtful.size());
    for (Append append : segment.doubtful.subList(0, in)) {
      write(segment, append.entry);
    }
    segment.doubtful.clear();
    segment.closed = true;
  }

  /**
   * The writer itself ends a segment of which nothing is in doubt. That it was fenced or recovered
   * meanwhile need not stop it: the end is the same. Only the list then says who goes on.
   */
  boolean close(Segment segment, SimRandom chooser) {
    if (segment.isShut() && chooser.chance(0.3)) {
      return false;
    }
    segment.closed = true;
    return true;
  }

  /** The first entry in doubt becomes durable. */
  void land(Segment segment) {
    write(segment, segment.doubtful.removeFirst().entry);
  }

  private void write(Segment segment, LedgerEntry entry) {
    String who = segment.writer.node() + " in segment " + segment.id;
    if (entry.first().value() <= end()) {
      world.violated(
          "no position is used twice", who + " writes " + entry.first() + " after " + end());
      return;
    }
    world.trace().mix(entry.last().value());
    world.line("ledger", who + " wrote " + entry.first() + " to " + entry.last());
    entries.add(entry);
    segmentOf.add(segment);
    durableAtNanos.add(world.nowNanos());
    segment.last = entry.last().value();
    segment.entries++;
    onWrite.forEach(listener -> listener.accept(entry));
  }

  /** A node knows from a time on that everything up to a position is durable. */
  void acknowledge(long position, long nanos) {
    acknowledgedAtNanos.merge(position, nanos, Math::min);
  }

  /** The end of what any node knew to be durable at a time: later reads see at least that. */
  long acknowledgedBy(long nanos) {
    acknowledgedAtNanos.forEach(
        (position, knownAtNanos) -> {
          if (knownAtNanos <= nanos) {
            acknowledged = Math.max(acknowledged, position);
          }
        });
    acknowledgedAtNanos.headMap(acknowledged, true).clear();
    return acknowledged;
  }

  /** How many entries a reader sees that lags behind a time, but not behind a position. */
  int visible(long cutoffNanos, long atLeast) {
    int visible = entries.size();
    while (visible > 0
        && durableAtNanos.get(visible - 1) > cutoffNanos
        && entries.get(visible - 1).last().value() > atLeast) {
      visible--;
    }
    return visible;
  }

  /** The index of the entry that holds a position, or of the first after it. */
  int indexOf(long position) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries.get(middle).last().value() < position) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
