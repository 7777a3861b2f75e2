package org.ecstore.bench.qos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.ecstore.bench.report.HeadedLog.OtherHeadException;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.GridPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableRunLogTest {
  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("je-small-zipf-read" + TableRunLog.ENDING);
  }

  private TableRunLog open() throws IOException {
    return TableRunLog.open(directory, Measuring.SUBJECT);
  }

  private String refusal(Class<? extends Exception> kind, MeasuredSubject subject) {
    Exception refused = assertThrows(kind, () -> TableRunLog.open(directory, subject));
    return String.valueOf(refused.getMessage());
  }

  @Test
  void whatWasKeptIsThereAgain() throws IOException {
    assertEquals(List.of(), TableRunLog.there(directory, Measuring.SUBJECT));
    TableRunLog log = open();
    List<TableRun> runs = List.of(Measuring.run(4, 1, 1, 12.345678), Measuring.run(8, 1, 1, 0.1));
    for (TableRun run : runs) {
      log.add(run);
    }
    assertEquals(runs, log.runs());
    assertEquals(runs, open().runs());
    assertEquals(List.of(runs.get(1)), open().runs(new GridPoint(8, 1)));
    assertEquals(runs, TableRunLog.there(directory, Measuring.SUBJECT));
  }

  @Test
  void whatACrashToreOffIsCutAndTheRestGoesOn() throws IOException {
    TableRunLog log = open();
    log.add(Measuring.run(4, 1, 1, 10));
    long whole = Files.size(file());
    log.add(Measuring.run(8, 1, 1, 20));
    byte[] bytes = Files.readAllBytes(file());
    for (long length = whole; length < bytes.length; length += 7) {
      Files.write(file(), Arrays.copyOf(bytes, (int) length));
      TableRunLog again = open();
      assertEquals(List.of(Measuring.run(4, 1, 1, 10)), again.runs());
      again.add(Measuring.run(16, 1, 1, 30));
      assertEquals(2, open().runs().size(), "after " + length + " bytes");
    }
    Files.writeString(file(), "{\"engine\":\"je\",\"cla");
    assertEquals(List.of(), open().runs(), "even its first line");
  }

  @Test
  void runsOfAnotherBuildOrClassOrWayOfMeasuringAreRefusedWithWhatDiffers() throws IOException {
    open().add(Measuring.run(4, 1, 1, 10));
    String refusal = refusal(OtherHeadException.class, Measuring.subject("0.23.0", "0.3"));
    assertTrue(refusal.contains("build is 0.22.0 there, not 0.23.0"), refusal);
    assertTrue(refusal.contains("capacity is 0.2 there, not 0.3"), refusal);
    assertTrue(refusal.contains("--out"), refusal);
    assertEquals(1, open().runs().size(), "they stay as they are");
  }

  @Test
  void whatIsNoFileOfRunsIsRefusedWithTheLine() throws IOException {
    open().add(Measuring.run(4, 1, 1, 10));
    Files.writeString(file(), "what is this\n", StandardOpenOption.APPEND);
    assertTrue(refusal(BadInputException.class, Measuring.SUBJECT).endsWith("line 3: is no JSON"));
    Files.writeString(file(), Measuring.SUBJECT.json() + "\n{\"clients\":0}\n");
    assertTrue(refusal(BadInputException.class, Measuring.SUBJECT).endsWith("line 2: is no run"));
    Files.writeString(file(), "[]\n");
    assertTrue(
        refusal(OtherHeadException.class, Measuring.SUBJECT)
            .contains("engine is not said there, not je"));
  }
}
