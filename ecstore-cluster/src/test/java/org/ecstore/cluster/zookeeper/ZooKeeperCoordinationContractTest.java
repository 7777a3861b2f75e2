package org.ecstore.cluster.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.CoordinationContractTest;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The port's contract on a real server, of which nothing but its directory survives reopening. */
@Timeout(180)
class ZooKeeperCoordinationContractTest extends CoordinationContractTest {
  @TempDir private Path directory;

  @Override
  protected Fixture newCoordination() {
    try {
      return new ServerFixture(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes events to the test's thread; those of handles from before a reopening are dropped. */
  private static final class ServerFixture implements Fixture {
    private final LinkedBlockingQueue<Runnable> deliveries = new LinkedBlockingQueue<>();
    private final Path directory;
    private final Notes notes = new Notes();
    private EmbeddedZooKeeper server;
    private ZooKeeperCoordination coordination;
    private int generation;

    ServerFixture(Path directory) throws IOException {
      this.directory = directory;
      this.server = EmbeddedZooKeeper.standalone(directory, EmbeddedZooKeeper.LOOPBACK, 0, notes);
      this.coordination = open();
    }

    private ZooKeeperCoordination open() throws IOException {
      return ZooKeeperCoordination.open(
          server.connectString(), "contract", ZooKeeperSettings.defaults(), notes);
    }

    @Override
    public Coordination handle(NodeId node, Consumer<Event> sink) {
      int born = generation;
      return coordination.handle(
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
    public void end(NodeId node) {
      coordination.end(node);
    }

    @Override
    public void awaitEvent() {
      try {
        Runnable delivery = deliveries.poll(60, TimeUnit.SECONDS);
        if (delivery == null) {
          throw new AssertionError("no event comes; warnings: " + notes.warnings());
        }
        delivery.run();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    /** The server goes first, so that the sessions do not end in good order. */
    @Override
    public void reopen() {
      try {
        server.close();
        coordination.close();
        generation++;
        server = EmbeddedZooKeeper.standalone(directory, EmbeddedZooKeeper.LOOPBACK, 0, notes);
        coordination = open();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      coordination.close();
      server.close();
    }
  }
}
