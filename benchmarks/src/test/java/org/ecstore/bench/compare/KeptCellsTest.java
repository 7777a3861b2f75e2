package org.ecstore.bench.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptCellsTest {
  private static final Cell READS = Cell.of("read-only", 40);
  private static final ObjectNode SETTINGS =
      JsonNodeFactory.instance.objectNode().put("records", 5L).put("seconds", 2.0);

  @TempDir private Path temp;

  private Path file() {
    return temp.resolve("cells.jsonl");
  }

  private static ObjectNode result(double throughput) {
    return JsonNodeFactory.instance.objectNode().put("throughput", throughput);
  }

  private KeptCells again() throws IOException {
    return KeptCells.in(file(), SETTINGS.deepCopy());
  }

  @Test
  void whatWasMeasuredIsThereTheNextTime() throws IOException {
    KeptCells kept = again();
    ObjectNode saidOfIt = JsonNodeFactory.instance.objectNode().put("nodes", 3);
    saidOfIt.putObject("settings");
    kept.keepSaid("a", saidOfIt);
    kept.keep(1, "a", READS, result(7));
    kept.keep(1, "a", READS.at(200), result(8));
    KeptCells later = again();
    assertEquals(Optional.of(result(7)), later.of(1, "a", READS));
    assertEquals(Optional.of(result(8)), later.of(1, "a", READS.at(200)));
    assertEquals(Optional.empty(), later.of(2, "a", READS));
    assertEquals(Optional.empty(), later.of(1, "b", READS));
    assertEquals(3, later.said("a").orElseThrow().get("nodes").asInt());
    assertTrue(later.hasAll("a", List.of(READS, READS.at(200)), 1));
    assertFalse(later.hasAll("a", List.of(READS), 2), "of the second round nothing is there");
    assertFalse(later.hasAll("b", List.of(), 1), "nothing was said of it");
  }

  /** The process was killed while it wrote. */
  @Test
  void aLineThatIsNotWholeIsCutOff() throws IOException {
    again().keep(1, "a", READS, result(7));
    Files.writeString(file(), "{\"round\":2,\"sto", StandardOpenOption.APPEND);
    KeptCells later = again();
    assertEquals(Optional.of(result(7)), later.of(1, "a", READS));
    later.keep(2, "a", READS, result(9));
    assertEquals(Optional.of(result(9)), again().of(2, "a", READS));
  }

  @Test
  void cellsOfOtherSettingsAreRefused() throws IOException {
    again().keep(1, "a", READS, result(7));
    ObjectNode others = SETTINGS.deepCopy().put("records", 6);
    String message =
        String.valueOf(
            assertThrows(BadInputException.class, () -> KeptCells.in(file(), others)).getMessage());
    assertTrue(message.contains("records is 5 there, not 6"), message);
    assertTrue(message.contains("give another --out"), message);
    ObjectNode nested = SETTINGS.deepCopy();
    nested.putObject("quorum").put("n", 4);
    assertThrows(BadInputException.class, () -> KeptCells.in(file(), nested));
  }

  /** What another program has written, or a user has changed. */
  @Test
  void whatIsNoFileOfCellsIsRefused() throws IOException {
    Files.writeString(file(), "no JSON\n");
    assertRefused("line 1: is no JSON");
    Files.write(file(), new byte[] {(byte) 0xe9, '\n'});
    assertRefused("cells.jsonl: is no text in UTF-8");
    Files.delete(file());
    again().keepSaid("a", JsonNodeFactory.instance.objectNode().put("nodes", 3));
    assertRefused("line 2: is no run");
  }

  private void assertRefused(String why) {
    String message =
        String.valueOf(assertThrows(BadInputException.class, this::again).getMessage());
    assertTrue(message.contains(why), message);
  }

  @Test
  void aSettingWithinAnotherIsOneOfThem() throws IOException {
    ObjectNode three = SETTINGS.deepCopy();
    three.putObject("quorum").put("n", 3);
    ObjectNode four = SETTINGS.deepCopy();
    four.putObject("quorum").put("n", 4);
    KeptCells.in(file(), three).keep(1, "a", READS, result(7));
    assertThrows(BadInputException.class, () -> KeptCells.in(file(), four));
    assertEquals(Optional.of(result(7)), KeptCells.in(file(), three).of(1, "a", READS));
  }

  @Test
  void noneKeepsNothing() throws IOException {
    KeptCells none = KeptCells.none();
    none.keepSaid("a", result(1));
    none.keep(1, "a", READS, result(7));
    assertFalse(Files.exists(file()));
  }
}
