package org.ecstore.server.coordination;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.CoordinationContractTest;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.io.TempDir;

class LocalCoordinationContractTest extends CoordinationContractTest {
  @TempDir private Path directory;

  @Override
  protected Fixture newCoordination() {
    return new LocalFixture(directory);
  }

  /** Takes events to the test's thread; those of handles from before a reopening are dropped. */
  private static final class LocalFixture implements Fixture {
    private final LinkedBlockingQueue<Runnable> deliveries = new LinkedBlockingQueue<>();
    private final Path directory;
    private LocalCoordination coordination;
    private int generation;

    LocalFixture(Path directory) {
      this.directory = directory;
      this.coordination = open(directory);
    }

    private static LocalCoordination open(Path directory) {
      try {
        return LocalCoordination.open(directory, new QuietJournal());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
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
          throw new AssertionError("no event comes");
        }
        delivery.run();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void reopen() {
      coordination.close();
      generation++;
      coordination = open(directory);
    }

    @Override
    public void close() {
      coordination.close();
    }
  }
}
