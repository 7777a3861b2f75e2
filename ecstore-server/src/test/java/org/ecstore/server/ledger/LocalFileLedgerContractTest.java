package org.ecstore.server.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerContractTest;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ledger's contract on real files, and on a simulated disk that loses power at each reopening.
 */
class LocalFileLedgerContractTest {
  @TempDir private Path directory;

  @Nested
  class OnFiles extends LedgerContractTest {
    @Override
    protected Fixture newLedger() {
      return new StoreFixture(
          () ->
              LocalLedgerStore.open(
                  directory, LedgerHarness.CLUSTER, LedgerHarness.SMALL, new LedgerHarness.Notes()),
          () -> {});
    }
  }

  @Nested
  class OnDiskThatLosesPower extends LedgerContractTest {
    private SimulatedDisk disk = new SimulatedDisk(7);

    @Override
    protected Fixture newLedger() {
      return new StoreFixture(
          () -> LedgerHarness.open(directory, disk, new LedgerHarness.Notes()),
          () -> disk = disk.powerLoss());
    }
  }

  private interface Opener {
    LocalLedgerStore open() throws IOException;
  }

  /** Takes events to the test's thread; those of handles from before a reopening are dropped. */
  private static final class StoreFixture implements LedgerContractTest.Fixture {
    private final LinkedBlockingQueue<Runnable> deliveries = new LinkedBlockingQueue<>();
    private final Opener opener;
    private final Runnable crash;
    private LocalLedgerStore store;
    private int generation;

    StoreFixture(Opener opener, Runnable crash) {
      this.opener = opener;
      this.crash = crash;
      this.store = open(opener);
    }

    private static LocalLedgerStore open(Opener opener) {
      try {
        return opener.open();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Ledger handle(NodeId node, Consumer<Event> sink) {
      int born = generation;
      return store.handle(
          node,
          event ->
              deliveries.add(
                  () -> {
                    if (born == generation) {
                      sink.accept(event);
                    }
                  }));
    }

    @Override
    public void awaitEvent() {
      LedgerHarness.next(deliveries).run();
    }

    @Override
    public void reopen() {
      crash.run();
      LedgerHarness.close(store);
      generation++;
      store = open(opener);
    }

    @Override
    public void close() {
      LedgerHarness.close(store);
    }
  }
}
