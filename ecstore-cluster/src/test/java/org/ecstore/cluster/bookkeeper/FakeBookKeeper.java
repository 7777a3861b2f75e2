package org.ecstore.cluster.bookkeeper;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.bookkeeper.client.api.BKException;
import org.ecstore.cluster.bookkeeper.segment.Bookies;
import org.ecstore.sim.world.Scheduler;

/**
 * The bookies of a cluster, which hold its segments, and the ZooKeeper that says of each how it
 * stands.
 */
final class FakeBookKeeper {
  static final String LEDGERS = "/ledgers/";
  static final String LIST = "/list";

  final Scheduler scheduler;
  final FakeZooKeeper zooKeeper = new FakeZooKeeper();
  private final Map<Long, FakeSegment> segments = new TreeMap<>();
  private final Map<Long, Map<Integer, Consumer<FakeSegment.Meta>>> watches = new TreeMap<>();
  private final Map<Integer, String> bookies =
      new TreeMap<>(Map.of(1, "b1:1", 2, "b2:1", 3, "b3:1"));
  private LongConsumer deleted = _ -> {};
  private boolean full;
  private long longestRead;
  private int reads;
  private long entriesNanos;
  private int replaced = 3;
  private long created;
  private int watching;

  FakeBookKeeper(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** From now on bookies take so long to answer with entries. */
  void entriesTake(long nanos) {
    entriesNanos = nanos;
  }

  /** Asks for entries. */
  <T> CompletableFuture<T> slowly(FakeWire wire, Callable<T> read) {
    return entriesNanos == 0
        ? wire.ask(read)
        : wire.ask(() -> null)
            .thenCompose(_ -> later(entriesNanos))
            .thenCompose(_ -> wire.ask(read));
  }

  private CompletableFuture<Void> later(long nanos) {
    CompletableFuture<Void> pause = new CompletableFuture<>();
    scheduler.after(nanos, () -> pause.complete(null));
    return pause;
  }

  /** How often entries went to a client. */
  int reads() {
    return reads;
  }

  /** So many bytes went to a client as the answer to one read. */
  void answered(long bytes) {
    reads++;
    longestRead = Math.max(longestRead, bytes);
  }

  /** The most bytes that were read at once. */
  long longestRead() {
    return longestRead;
  }

  /** The bookies that take writes. */
  List<String> bookies() {
    return full ? List.of() : List.copyOf(bookies.values());
  }

  /** Another bookie comes for one that goes: a writer takes a new segment some time. */
  void replaceBookie() {
    replaced++;
    bookies.put(1 + replaced % 3, "b%d:1".formatted(replaced));
  }

  /** While the disks are full no bookie takes an entry. */
  void full(boolean isFull) {
    full = isFull;
  }

  boolean full() {
    return full;
  }

  FakeSegment create() throws Bookies.TooFewBookies {
    if (full) {
      throw new Bookies.TooFewBookies(List.of(), 2);
    }
    FakeSegment segment = new FakeSegment(++created, bookies());
    segments.put(segment.id, segment);
    return segment;
  }

  FakeSegment segment(long id) throws BKException {
    FakeSegment segment = segments.get(id);
    if (segment == null) {
      throw absent();
    }
    return segment;
  }

  /** Tells of each deletion, in the very moment. */
  void onDelete(LongConsumer listener) {
    deleted = listener;
  }

  void delete(long id) {
    deleted.accept(id);
    segments.remove(id);
  }

  Map<Long, FakeSegment> segments() {
    return segments;
  }

  static BKException absent() {
    return new org.apache.bookkeeper.client.BKException
        .BKNoSuchLedgerExistsOnMetadataServerException();
  }

  /** Tells of changes of a segment's metadata until what is returned is run. */
  Runnable watch(long id, Consumer<FakeSegment.Meta> watcher) {
    int number = ++watching;
    watches.computeIfAbsent(id, _ -> new TreeMap<>()).put(number, watcher);
    return () -> watches.getOrDefault(id, Map.of()).remove(number);
  }

  void changed(long id, FakeSegment.Meta meta) {
    watches.getOrDefault(id, Map.of()).values().forEach(watcher -> watcher.accept(meta));
  }
}
