package org.ecstore.bench.validate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.TableSetting;
import org.ecstore.txn.qos.table.TableWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredSourceTest {
  private static final MeasuredSubject SUBJECT = Validating.subject("0.23.0", 2);

  @TempDir private Path directory;
  private Path file = Path.of("");
  private Path runs = Path.of("");

  @BeforeEach
  void write() throws IOException {
    file = directory.resolve("je-small-zipf-read.csv");
    runs = directory.resolve("je-small-zipf-read.runs.jsonl");
    Files.writeString(file, TableWriter.full(Validating.table(SUBJECT)));
    Files.writeString(runs, SUBJECT.json() + "\n");
  }

  private String refusal(String build, int processors) {
    return String.valueOf(
        assertThrows(BadInputException.class, () -> MeasuredSource.read(file, build, processors))
            .getMessage());
  }

  @Test
  void aTableIsReadWithHowItWasMeasured() throws IOException {
    MeasuredSource source = MeasuredSource.read(file, "0.23.0", 2);
    assertEquals(SUBJECT, source.subject());
    assertEquals(Validating.table(SUBJECT).cells(), source.table().cells());
  }

  /** As tables were before their heads had copies and the machine's processors. */
  @Test
  void aTableWhoseHeadDoesNotSayHowItWasMeasuredIsReadWithItsRuns() throws IOException {
    String text = Files.readString(file);
    String before = text.replace("# copies: 1\n", "").replace("# processors: 2\n", "");
    assertEquals(text.lines().count() - 2, before.lines().count());
    Files.writeString(file, before);
    MeasuredSource source = MeasuredSource.read(file, "0.23.0", 2);
    assertEquals(SUBJECT, source.subject());
    assertEquals(TableSetting.UNKNOWN, source.table().subject().setting());
    assertTrue(refusal("0.23.0", 4).contains("processors is 2 there, not 4"));
  }

  @Test
  void oneOfAnotherBuildOrMachineIsRefusedWithWhatDiffers() {
    String refusal = refusal("0.24.0", 4);
    assertTrue(refusal.contains("build is 0.23.0 there, not 0.24.0"), refusal);
    assertTrue(refusal.contains("processors is 2 there, not 4"), refusal);
    assertTrue(refusal.contains("measure it anew"), refusal);
  }

  @Test
  void oneThatIsNotOfItsRunsIsRefusedWithWhatDiffers() throws IOException {
    String text = Files.readString(file);
    Files.writeString(
        file,
        text.replace("# capacity: 0.2", "# capacity: 0.3")
            .replace("small", "large")
            .replace("# processors: 2", "# processors: 8"));
    String refusal = refusal("0.23.0", 2);
    assertTrue(refusal.contains("it was measured on node class large, not small"), refusal);
    assertTrue(refusal.contains("it was measured on capacity 0.3, not 0.2"), refusal);
    assertTrue(refusal.contains("on a machine with 8 processors, not 2"), refusal);
  }

  @Test
  void oneWithoutItsRunsIsRefused() throws IOException {
    Files.writeString(runs, "{\"engine\":\"je\"}\n");
    assertTrue(refusal("0.23.0", 2).contains("does not say in its first line"));
    Files.writeString(runs, "");
    assertTrue(refusal("0.23.0", 2).contains("has no line"));
    Files.delete(runs);
    assertTrue(refusal("0.23.0", 2).contains("runs.jsonl is not there"));
  }
}
