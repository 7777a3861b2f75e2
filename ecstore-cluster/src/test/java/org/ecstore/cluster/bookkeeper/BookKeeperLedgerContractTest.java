package org.ecstore.cluster.bookkeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerContractTest;
import org.ecstore.core.testing.Pause;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ledger's contract on three bookies; each node has a connection of its own, as a process. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class BookKeeperLedgerContractTest extends LedgerContractTest {
  private static final long EVENT_SECONDS = 60;

  @TempDir private static Path directory;

  private static TestBookies bookies;

  private static final AtomicInteger LEDGERS = new AtomicInteger();

  @BeforeAll
  static void startBookies() {
    bookies = new TestBookies(directory, "contract", 3);
  }

  @AfterAll
  static void endBookies() {
    bookies.close();
  }

  @Override
  protected Fixture newLedger() {
    return new OnBookies("ledger" + LEDGERS.incrementAndGet());
  }

  /** Takes events to the test's thread; those of handles from before a reopening are dropped. */
  private static final class OnBookies implements Fixture {
    private final LinkedBlockingQueue<Runnable> deliveries = new LinkedBlockingQueue<>();
    private final Map<NodeId, BookKeeperLedger> processes = new LinkedHashMap<>();
    private final UUID cluster = UUID.randomUUID();
    private final String name;
    private int generation;

    OnBookies(String name) {
      this.name = name;
    }

    private BookKeeperLedger open() {
      try {
        return BookKeeperLedger.open(
            bookies.paths().withLedger(name),
            cluster,
            BookKeeperSettings.DEFAULT.withSegmentBytes(16_000),
            bookies.notes,
            UnaryOperator.identity());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Ledger handle(NodeId node, Consumer<Event> sink) {
      int born = generation;
      return processes
          .computeIfAbsent(node, _ -> open())
          .handle(
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
      try {
        Runnable delivery = deliveries.poll(EVENT_SECONDS, TimeUnit.SECONDS);
        if (delivery == null) {
          throw new IllegalStateException("no event; the journal: " + bookies.notes.lines());
        }
        delivery.run();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void pause() {
      try {
        Pause.of(Duration.ofMillis(200));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /**
     * What the dead writer acknowledged last, no other node knows to be durable before a fence:
     * opening the ledger again is to fence it.
     */
    @Override
    public void reopen() {
      generation++;
      processes.values().forEach(BookKeeperLedger::crash);
      processes.clear();
      try (BookKeeperLedger service = open()) {
        new LedgerUser(service, 3).fence();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      processes.values().forEach(BookKeeperLedger::close);
    }
  }
}
