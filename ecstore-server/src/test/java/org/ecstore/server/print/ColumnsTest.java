package org.ecstore.server.print;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnsTest {
  private static final List<String[]> ROWS =
      List.of(
          new String[] {"id", "from", "to", "state"},
          new String[] {"r1", "a".repeat(60), "b".repeat(30), "serving"},
          new String[] {"r2", "b", "", "following"});

  @Test
  void cellsAreAlignedAndNothingIsCutWithoutNeed() {
    List<String> lines = Columns.align(ROWS);
    assertEquals("  r1  " + "a".repeat(60) + "  " + "b".repeat(30) + "  serving", lines.get(1));
    assertEquals("  r2  b" + " ".repeat(59) + "  " + " ".repeat(30) + "  following", lines.get(2));
    assertEquals(lines, Columns.align(ROWS, 109));
  }

  @Test
  void widestColumnsAreClippedToTheWidth() {
    List<String> lines = Columns.align(ROWS, 80);
    assertEquals(80, lines.get(2).length());
    assertEquals("  r1  " + "a".repeat(28) + "...  " + "b".repeat(30) + "  serving", lines.get(1));
    assertTrue(lines.get(2).endsWith("  following"), lines::toString);
  }

  @Test
  void noColumnIsMadeTooNarrowToTellApart() {
    assertEquals("  r1  aaaaaaaaa...  bbbbbbbbb...  serving", Columns.align(ROWS, 20).get(1));
  }

  @Test
  void aNameNeitherBreaksItsLineNorTalksToTheTerminal() {
    List<String[]> rows =
        List.of(new String[] {"application"}, new String[] {"a\n\u001b[2J\u202e"});
    assertEquals("  a\\n\\u001b[2J\\u202e", Columns.align(rows).getLast());
  }
}
