package org.ecstore.cluster.bookkeeper;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.ecstore.cluster.bookkeeper.metadata.Metadata;
import org.ecstore.cluster.bookkeeper.segment.SegmentList;
import org.ecstore.key.Bytes;

/** The list of segments over a session of a process. */
final class FakeMetadata implements Metadata {
  private final FakeBookKeeper bookKeeper;
  private final FakeWire wire;
  final FakeZooKeeper.Session session;

  /** Whether each read of the list comes behind a sync. */
  private final boolean syncs;

  private Consumer<SegmentList> changed = _ -> {};
  private int readsLost;

  FakeMetadata(FakeBookKeeper bookKeeper, FakeWire wire, boolean syncs) {
    this.bookKeeper = bookKeeper;
    this.wire = wire;
    this.syncs = syncs;
    this.session = bookKeeper.zooKeeper.new Session(wire.random, wire.faults, wire.faulty);
  }

  /** Tells of each change of the list over this session, in the very moment. */
  void onChange(Consumer<SegmentList> listener) {
    changed = listener;
  }

  /** The next reads of the list find no connection. */
  void loseReads(int reads) {
    readsLost = reads;
  }

  /** Makes the list of a new cluster. */
  static void prepare(FakeBookKeeper bookKeeper, UUID cluster) {
    var _ =
        bookKeeper.zooKeeper
            .new Session(new org.ecstore.sim.world.SimRandom(0), FakeFaults.NONE, () -> false)
            .create(FakeBookKeeper.LIST, Bytes.wrap(SegmentList.empty(cluster).encode()));
  }

  @Override
  public CompletableFuture<Versioned> readSegments() {
    return wire.ask(
        () -> {
          if (readsLost > 0) {
            readsLost--;
            throw new Disconnected("ZooKeeper: connection lost", new IOException());
          }
          String list = FakeBookKeeper.LIST;
          FakeZooKeeper.Node node =
              (syncs ? session.readSynced(list) : session.read(list)).orElseThrow();
          return new Versioned((Bytes) node.value(), node.version());
        });
  }

  @Override
  public CompletableFuture<Integer> writeSegments(byte[] data, int version) {
    return wire.ask(
        () -> {
          try {
            int written = session.write(FakeBookKeeper.LIST, Bytes.wrap(data), version).version();
            changed.accept(SegmentList.decode(data));
            return written;
          } catch (FakeZooKeeper.BadVersion e) {
            throw new VersionConflict(version);
          }
        });
  }

  @Override
  public CompletableFuture<List<String>> writableBookies() {
    return wire.ask(bookKeeper::bookies);
  }

  @Override
  public void close() {}
}
