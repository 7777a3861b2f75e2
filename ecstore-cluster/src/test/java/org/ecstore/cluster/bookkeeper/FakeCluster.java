package org.ecstore.cluster.bookkeeper;

import java.util.UUID;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.sim.world.Scheduler;
import org.ecstore.sim.world.SimRandom;

/** Faked ZooKeeper and bookies in virtual time, for tests that say themselves what goes wrong. */
final class FakeCluster {
  final Scheduler scheduler = new Scheduler();
  final FakeBookKeeper bookKeeper = new FakeBookKeeper(scheduler);
  private final SimRandom random = new SimRandom(1);
  private final UUID id = new UUID(1, 2);

  FakeCluster() {
    FakeMetadata.prepare(bookKeeper, id);
  }

  /** A process with the ledger open; its sessions are up to date until the test says otherwise. */
  FakeUser process(int node, BookKeeperSettings settings) {
    return process(node, settings, new LedgerParts());
  }

  /** The same with other parts of the ledger. */
  FakeUser process(int node, BookKeeperSettings settings, LedgerParts parts) {
    FakeWire wire =
        new FakeWire(
            scheduler,
            random.fork("wire " + node),
            FakeFaults.NONE,
            FakeProcess.ALWAYS,
            () -> false);
    return new FakeUser(this, node, wire, settings, parts);
  }
}
