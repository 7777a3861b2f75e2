package org.ecstore.server.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process is killed at random moments while it appends; another opens what it left. */
class LedgerCrashTest {
  private static final int ROUNDS = 8;
  private static final int OUTSTANDING = 16;

  @TempDir private Path directory;

  /** The length of the entry at a position: mostly short, sometimes many sectors. */
  private static int bytes(long position) {
    return position % 17 == 0 ? 6000 : (int) (position * 37 % 400) + 1;
  }

  private static LedgerSettings settings() {
    return LedgerSettings.DEFAULT.withSegmentBytes(128 << 10);
  }

  /** The process that is killed: appends for ever and prints each position that is acknowledged. */
  static final class Appender {
    private Appender() {}

    public static void main(String[] arguments) throws IOException {
      try (LocalLedgerStore store =
          LocalLedgerStore.open(
              Path.of(arguments[0]),
              LedgerHarness.CLUSTER,
              settings(),
              new LedgerHarness.Notes())) {
        LedgerHarness user = new LedgerHarness(store, 1);
        long position = ((LedgerResult.Fenced) user.fence()).last().value() + 1;
        ArrayDeque<Long> tokens = new ArrayDeque<>();
        while (true) {
          if (tokens.size() == OUTSTANDING) {
            long token = tokens.removeFirst();
            LedgerResult.Appended done = (LedgerResult.Appended) user.awaitAndForget(token);
            System.out.println(done.last().value());
          }
          tokens.addLast(user.beginAppend(LedgerHarness.entry(position, bytes(position))));
          position++;
        }
      }
    }
  }

  private static Process start(Path directory) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Appender.class.getName(),
            directory.toString())
        .redirectErrorStream(true)
        .start();
  }

  @Test
  void whatWasAcknowledgedIsThereAfterAnyKill() throws Exception {
    long seed = 20;
    Random random = new Random(seed);
    long acknowledged = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Process process = start(directory);
      int killAfter = 1 + random.nextInt(600);
      int heard = 0;
      try (BufferedReader output = process.inputReader(StandardCharsets.US_ASCII)) {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
          assertTrue(line.matches("[0-9]+"), "round " + round + " says: " + line);
          assertEquals(heard == 0 ? Long.parseLong(line) : acknowledged + 1, Long.parseLong(line));
          acknowledged = Long.parseLong(line);
          heard++;
          if (heard == killAfter) {
            // By its handle, which leaves the stream open: what was printed by then counts.
            process.toHandle().destroyForcibly();
          }
        }
      } finally {
        process.destroyForcibly();
      }
      assertNotEquals(0, process.waitFor());
      assertTrue(heard >= killAfter, "round " + round + " heard " + heard);
      acknowledged = checkAll(acknowledged, round);
    }
  }

  /** Reads everything; returns the last position, acknowledged or not. */
  private long checkAll(long acknowledged, int round) throws IOException {
    LedgerHarness.Notes notes = new LedgerHarness.Notes();
    try (LocalLedgerStore store =
        LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, settings(), notes)) {
      List<LedgerEntry> found = new LedgerHarness(store, 2).readAll(1);
      assertTrue(found.size() >= acknowledged, "lost in round " + round);
      for (int i = 0; i < found.size(); i++) {
        assertEquals(LedgerHarness.entry(i + 1, bytes(i + 1)), found.get(i), "round " + round);
      }
      assertTrue(
          notes.warnings().size() <= 1
              && notes.warnings().stream().allMatch(text -> text.contains("cut the torn tail")),
          notes.warnings().toString());
      return found.size();
    }
  }
}
