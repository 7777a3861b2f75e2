package org.ecstore.cluster.bookkeeper;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.bookkeeper.segment.EntryCodec;
import org.ecstore.cluster.bookkeeper.segment.Owner;
import org.ecstore.cluster.bookkeeper.segment.SegmentList;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * The ledger of a simulated cluster whose nodes reach it by the real adapter: each life of a node
 * has a {@link BookKeeperLedger} of its own, over ZooKeeper and bookies that are faked, in virtual
 * time.
 */
final class AdaptedLedger implements SimLedger {
  private static final UUID CLUSTER = new UUID(1, 2);

  private final World world;
  private final FakeBookKeeper bookKeeper;
  private final FakeFaults faults;
  private final BookKeeperSettings settings;
  private final LedgerParts parts;
  private final boolean listIsSynced;
  private final int readBytesMax;
  private final Map<String, OneProcess> processes = new LinkedHashMap<>();
  private final Map<NodeId, Long> cutUntilNanos = new TreeMap<>();
  private final Map<Long, Integer> durableIn = new TreeMap<>();
  private final List<LedgerEntry> durable = new ArrayList<>();
  private final NavigableMap<Long, LedgerEntry> byFirst = new TreeMap<>();
  private long trimmed;
  private Runnable onTrim = () -> {};
  private Consumer<LedgerEntry> onWrite = _ -> {};
  private BiConsumer<TakeOverStep, NodeId> onTakeOver = (_, _) -> {};

  /**
   * A ledger.
   *
   * @param parts of which the adapters are made, right ones or with a planted bug
   * @param listIsSynced whether the list of segments is read behind a sync
   */
  AdaptedLedger(
      World world, SwarmSettings.LedgerFaults drawn, LedgerParts parts, boolean listIsSynced) {
    this.world = world;
    this.parts = parts;
    this.bookKeeper = new FakeBookKeeper(world.scheduler());
    this.listIsSynced = listIsSynced;
    this.readBytesMax = drawn.readBytesMax();
    SimRandom random = world.random("adapted ledger");
    this.faults = faults(random, drawn);
    this.settings = settings(random, drawn);
    FakeMetadata.prepare(bookKeeper, CLUSTER);
    bookKeeper.onDelete(this::deleted);
  }

  private static FakeFaults faults(SimRandom random, SwarmSettings.LedgerFaults drawn) {
    return new FakeFaults(
        Math.clamp(drawn.appendNanosMax() / 3, 10_000, 40_000_000),
        random.chance(0.3) ? 0 : random.between(1, 90) / 100.0,
        random.chance(0.5) ? 0 : random.between(1, 300) / 1000.0,
        drawn.callFailed() / 4,
        drawn.casUnknown() / 4,
        drawn.lostAppend() / 3,
        random.between(0, 100) / 100.0);
  }

  /** Small segments, that are soon full, soon old and soon deleted. */
  private static BookKeeperSettings settings(SimRandom random, SwarmSettings.LedgerFaults drawn) {
    return new BookKeeperSettings(
        3,
        3,
        2,
        random.skewed(100, 200L * drawn.segmentEntriesMax()),
        random.between(300, 20_000),
        256L << 20,
        4096,
        2_000,
        8_000,
        4_000,
        random.between(50, 500),
        random.between(1, 20),
        random.between(100, 10_000),
        random.between(500, 20_000),
        2_000);
  }

  @Override
  public Ledger port(Life life) {
    OneProcess process = new OneProcess(life);
    processes.put(life.name(), process);
    return process.port();
  }

  @Override
  public void crashed(Life life) {
    OneProcess process = processes.remove(life.name());
    if (process != null) {
      process.end();
    }
  }

  /** One life of a node: its sessions, its messages, its ledger. */
  private final class OneProcess implements FakeProcess {
    private final Life life;
    private final BookKeeperLedger service;
    private boolean dead;
    private boolean takesOver;

    OneProcess(Life life) {
      this.life = life;
      FakeWire wire =
          new FakeWire(
              world.scheduler(),
              world.random("ledger wire " + life.name()),
              faults,
              this,
              world::faulty);
      FakeMetadata metadata = new FakeMetadata(bookKeeper, wire, listIsSynced);
      metadata.onChange(this::replaced);
      FakeBookies bookies = new FakeBookies(bookKeeper, wire, AdaptedLedger.this::grown);
      bookies.onStep(this::step);
      this.service = BookKeeperLedger.over(metadata, bookies, settings, log(), this::owner, parts);
    }

    private Owner owner(Consumer<Throwable> bug) {
      return new FakeOwner(
          world.scheduler(),
          this,
          thrown -> {
            world.violated("the ledger's adapter throws nothing", life.name() + ": " + thrown);
            bug.accept(thrown);
          });
    }

    private OperatorLog log() {
      return new OperatorLog() {
        @Override
        public void info(String text) {
          world.line("ledger", life.node() + ": " + text);
        }

        @Override
        public void warn(String text) {
          world.line("ledger", life.node() + " warns: " + text);
        }
      };
    }

    Ledger port() {
      return new CheckedLedger(
          world,
          life.name(),
          AdaptedLedger.this,
          readBytesMax,
          sink -> service.handle(life.node(), sink),
          life::post);
    }

    void end() {
      dead = true;
      service.crash();
    }

    private void step(TakeOverStep step) {
      takesOver |= step == TakeOverStep.FENCED;
      if (takesOver) {
        onTakeOver.accept(step, life.node());
      }
    }

    private void replaced(SegmentList list) {
      if (takesOver) {
        step(TakeOverStep.SWAPPED);
        takesOver = false;
      }
      if (list.trimmed() > trimmed) {
        trimmed = list.trimmed();
        world.line("ledger", "trimmed through " + trimmed);
        onTrim.run();
      }
    }

    @Override
    public boolean isAlive() {
      return !dead;
    }

    @Override
    public long pausedUntilNanos() {
      return life.pausedUntilNanos();
    }

    @Override
    public long cutUntilNanos() {
      return cutUntilNanos.getOrDefault(life.node(), 0L);
    }
  }

  /** More of a segment is known to be durable: by its writer, or because it is closed. */
  private void grown(long id) {
    FakeSegment segment = bookKeeper.segments().get(id);
    if (segment == null) {
      return;
    }
    long closed =
        bookKeeper
            .zooKeeper
            .now(FakeSegment.path(id))
            .map(node -> ((FakeSegment.Meta) node.value()).lastEntry())
            .orElse(-1L);
    long last = Math.max(segment.acknowledged, closed);
    for (int entry = durableIn.getOrDefault(id, 0); entry <= last; entry++) {
      durableIn.put(id, entry + 1);
      written(id, segment.entries.get(entry));
    }
  }

  private void written(long id, byte[] stored) {
    LedgerEntry entry;
    try {
      entry = EntryCodec.decode(stored).entry();
    } catch (EntryCodec.BadEntry e) {
      throw new IllegalStateException(e);
    }
    if (entry.records().isEmpty()) {
      return;
    }
    if (entry.after().value() != end()) {
      world.violated(
          "an entry follows the last one",
          "in segment "
              + id
              + " "
              + entry.first()
              + " follows "
              + entry.after()
              + ", not "
              + end());
      return;
    }
    world.trace().mix(entry.last().value());
    world.line("ledger", "in segment " + id + ": " + entry.first() + " to " + entry.last());
    durable.add(entry);
    byFirst.put(entry.first().value(), entry);
    onWrite.accept(entry);
  }

  @Override
  public List<LedgerEntry> durable() {
    return Collections.unmodifiableList(durable);
  }

  @Override
  public long end() {
    return durable.isEmpty() ? 0 : durable.getLast().last().value();
  }

  @Override
  public void full(boolean isFull) {
    bookKeeper.full(isFull);
  }

  @Override
  public void rollNow() {
    bookKeeper.replaceBookie();
  }

  @Override
  public void cutOff(NodeId node, long nanos) {
    cutUntilNanos.merge(node, world.nowNanos() + nanos, Math::max);
  }

  /** The adapter itself waits no longer than it may. */
  @Override
  public void outOfReach(NodeId node, long nanos) {
    cutOff(node, nanos);
  }

  @Override
  public void unreadable(NodeId node, long nanos) {
    throw new UnsupportedOperationException("who is cut off here can neither read nor write");
  }

  @Override
  public void heal() {
    cutUntilNanos.clear();
  }

  @Override
  public void onTrim(Runnable listener) {
    onTrim = listener;
  }

  @Override
  public void onWrite(Consumer<LedgerEntry> listener) {
    onWrite = listener;
  }

  @Override
  public void onTakeOver(BiConsumer<TakeOverStep, NodeId> listener) {
    onTakeOver = listener;
  }

  /** The durable entry that begins at a position, if there is one. */
  List<LedgerEntry> durableAt(Position first) {
    LedgerEntry entry = byFirst.get(first.value());
    return entry == null ? List.of() : List.of(entry);
  }

  /** Whether no durable entry is between a position and an entry that reaches up to it. */
  boolean isDense(long next, LedgerEntry entry) {
    Map.Entry<Long, LedgerEntry> before = byFirst.lowerEntry(entry.first().value());
    return entry.last().value() >= next
        && (before == null || before.getValue().last().value() < next);
  }

  /** Whether an entry ends at a position, or none is before it. */
  boolean isEnd(Position last) {
    Map.Entry<Long, LedgerEntry> found = byFirst.floorEntry(last.value());
    return found == null ? last.value() == 0 : found.getValue().last().equals(last);
  }

  @Override
  public long first() {
    Long first = byFirst.higherKey(trimmed);
    return first == null ? end() + 1 : first;
  }

  /** A segment that stands in the list must not be deleted. */
  private void deleted(long id) {
    try {
      FakeZooKeeper.Node node = bookKeeper.zooKeeper.now(FakeBookKeeper.LIST).orElseThrow();
      if (SegmentList.decode(((Bytes) node.value()).array()).contains(id)) {
        world.violated("no segment in the list is deleted", "segment " + id);
      }
    } catch (SegmentList.BadList e) {
      throw new IllegalStateException(e);
    }
  }
}
