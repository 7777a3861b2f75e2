package org.ecstore.cluster.bookkeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.NodeId;
import org.ecstore.server.ledger.LedgerService;
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.server.ledger.LocalLedgerStore;

/**
 * Measures appends through the port, on three bookies of this process and on the local ledger, with
 * 1, 16 and 64 outstanding. Run by hand: {@code LedgerMeasurement [seconds] [bytes]}.
 */
final class LedgerMeasurement {
  private LedgerMeasurement() {}

  public static void main(String[] arguments) throws Exception {
    int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
    int bytes = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200;
    Path directory = Files.createTempDirectory("ecstore-ledger-measurement");
    try {
      UUID cluster = UUID.randomUUID();
      try (LedgerService local =
          LocalLedgerStore.open(
              directory.resolve("local"), cluster, LedgerSettings.DEFAULT, new Notes())) {
        run("local file", local, seconds, bytes);
      }
      try (TestBookies bookies = new TestBookies(directory, "measurement", 3);
          LedgerService service =
              BookKeeperLedger.open(
                  bookies.paths(),
                  cluster,
                  BookKeeperSettings.DEFAULT,
                  bookies.notes,
                  UnaryOperator.identity())) {
        run("three bookies", service, seconds, bytes);
      }
    } finally {
      delete(directory);
    }
  }

  private static void run(String name, LedgerService service, int seconds, int bytes)
      throws InterruptedException {
    LinkedBlockingQueue<LedgerResult> results = new LinkedBlockingQueue<>();
    Consumer<Event> sink = event -> results.add(((Event.LedgerDone) event).result());
    Ledger ledger = service.handle(new NodeId(1), sink);
    ledger.fence(1);
    long position = ((LedgerResult.Fenced) results.take()).last().value() + 1;
    for (int outstanding : new int[] {1, 1, 16, 64}) {
      position = run(name, ledger, results, position, outstanding, seconds, bytes);
    }
  }

  private static long run(
      String name,
      Ledger ledger,
      LinkedBlockingQueue<LedgerResult> results,
      long from,
      int outstanding,
      int seconds,
      int bytes)
      throws InterruptedException {
    Histogram nanos = new Histogram(3);
    ArrayDeque<Long> begun = new ArrayDeque<>();
    long position = from;
    long start = System.nanoTime();
    long end = start + seconds * 1_000_000_000L;
    while (System.nanoTime() < end || !begun.isEmpty()) {
      while (begun.size() < outstanding && System.nanoTime() < end) {
        begun.add(System.nanoTime());
        ledger.append(position, LedgerUser.filled(position, bytes));
        position++;
      }
      if (!begun.isEmpty()) {
        if (!(results.take() instanceof LedgerResult.Appended)) {
          throw new IllegalStateException("not appended");
        }
        nanos.recordValue(System.nanoTime() - begun.remove());
      }
    }
    double took = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%-14s %3d outstanding, %d B: %8.0f/s, p50 %.2f ms, p99 %.2f ms%n",
        name,
        outstanding,
        bytes,
        nanos.getTotalCount() / took,
        nanos.getValueAtPercentile(50) / 1e6,
        nanos.getValueAtPercentile(99) / 1e6);
    return position;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
