package org.ecstore.tools.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;

class CsvRecordsTest {
  private static final List<TypedColumn> KEY =
      List.of(new TypedColumn("id", TypedColumn.Type.TEXT));
  private static final int RECORD_MAX = LineReader.LINE_BYTES_MAX;

  private static CsvRecords records(String text) throws Exception {
    InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    return new CsvRecords(in, "table", KEY, List.of());
  }

  /** Else it would take the rest of the file into memory. */
  @Test
  void aQuoteThatIsNotClosedEndsTheImportWhereItIs() throws Exception {
    String open = "id,name\n1,a\n2,\"b\n" + "3,c\n".repeat(RECORD_MAX / 2);
    CsvRecords records = records(open);
    assertEquals(Tuple.of("1"), records.next().orElseThrow().key());
    BadRecordException bad = assertThrows(BadRecordException.class, records::next);
    String why = String.valueOf(bad.getMessage());
    assertTrue(why.contains("the record is longer than " + RECORD_MAX + " characters"), why);
    assertEquals(2, records.number());
    assertEquals(3, records.line());
  }

  @Test
  void aHeaderThatDoesNotEndIsNone() {
    String open = "\"id,name\n" + "1,a\n".repeat(RECORD_MAX / 2);
    BadRecordException bad = assertThrows(BadRecordException.class, () -> records(open));
    assertTrue(String.valueOf(bad.getMessage()).contains("longer than"), bad::toString);
  }

  @Test
  void aFileOfManyRecordsMayBeLongerThanTheLongestOne() throws Exception {
    String row = ",\"" + "x".repeat(RECORD_MAX / 16) + "\"\n";
    CsvRecords records = records("id,name\n" + ("1" + row).repeat(20));
    for (int i = 0; i < 20; i++) {
      assertTrue(records.next().isPresent());
    }
    assertTrue(records.next().isEmpty());
  }
}
