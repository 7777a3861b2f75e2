package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.ecstore.cluster.bookkeeper.bookie.BookieSettings;
import org.ecstore.cluster.bookkeeper.bookie.EmbeddedBookie;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.server.ChildProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One of three bookies is a process of its own, which is stopped and killed. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class BookieProcessTest {
  @TempDir private Path directory;

  /** The process. */
  static final class Main {
    private Main() {}

    public static void main(String[] arguments) throws Exception {
      BookieSettings settings =
          BookieSettings.of(
                  Path.of(arguments[2]),
                  "process",
                  BookieSettings.LOOPBACK,
                  Integer.parseInt(arguments[3]))
              .withSessionMillis(Integer.parseInt(arguments[4]));
      EmbeddedBookie.start(arguments[0], arguments[1], settings, new Notes());
      System.out.println("ready");
    }
  }

  private static void signal(String name, ChildProcess process)
      throws IOException, InterruptedException {
    int code =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    assertEquals(0, code);
  }

  private ChildProcess startProcess(TestBookies bookies, int port, int sessionMillis)
      throws IOException {
    ChildProcess process =
        new ChildProcess(
            Main.class,
            bookies.connect(),
            "process",
            directory.resolve("process"),
            port,
            sessionMillis);
    String line = process.line();
    while (!line.equals("ready")) {
      if (line.isEmpty()) {
        throw new AssertionError("the bookie does not start: " + process.rest());
      }
      line = process.line();
    }
    return process;
  }

  /** Appends a number of entries, one after another. */
  private static void append(LedgerUser writer, List<LedgerEntry> entries, int count)
      throws InterruptedException {
    for (int i = 0; i < count; i++) {
      entries.add(LedgerUser.filled(entries.size() + 1, 300));
      assertInstanceOf(LedgerResult.Appended.class, writer.append(entries.getLast()));
    }
  }

  @Test
  void neitherAStoppedNorAKilledBookieStopsAppendsOrATakeOver() throws Exception {
    UUID cluster = UUID.randomUUID();
    BookKeeperSettings settings = BookKeeperSettings.DEFAULT;
    try (TestBookies bookies = new TestBookies(directory, "process", 2);
        ChildProcess process = startProcess(bookies, 0, 60_000);
        BookKeeperLedger first = open(bookies, cluster, settings);
        BookKeeperLedger second = open(bookies, cluster, settings)) {
      LedgerUser writer = new LedgerUser(first, 1);
      LedgerUser next = new LedgerUser(second, 2);
      List<LedgerEntry> entries = new ArrayList<>();
      writer.fence();
      append(writer, entries, 30);
      assertEquals(3, bookies.ensembles().getLast().size());
      signal("STOP", process);
      append(writer, entries, 30);
      assertEquals(60, next.fence().last().value());
      append(next, entries, 30);
      assertEquals(entries, next.readAll(1));
      signal("CONT", process);
      append(next, entries, 30);
      process.kill();
      append(next, entries, 30);
      assertEquals(150, writer.fence().last().value());
      assertEquals(3, bookies.ensembles().getLast().size(), "it counts as there for a while");
      append(writer, entries, 30);
      assertEquals(entries, next.readAll(1));
    }
  }

  /**
   * It would wait for the session of the one that was killed only as long as its own lasts, and
   * then take it for one that lives.
   */
  @Test
  void aBookieThatWasKilledStartsAgainBeforeZooKeeperHasForgottenIt() throws Exception {
    int port = new FreePorts().next();
    try (TestBookies bookies = new TestBookies(directory, "process", 0)) {
      try (ChildProcess process = startProcess(bookies, port, 60_000)) {
        process.kill();
      }
      try (ChildProcess again = startProcess(bookies, port, 1_000)) {
        again.kill();
      }
    }
  }

  private static BookKeeperLedger open(
      TestBookies bookies, UUID cluster, BookKeeperSettings settings) throws IOException {
    return BookKeeperLedger.open(
        bookies.paths(), cluster, settings, bookies.notes, UnaryOperator.identity());
  }
}
