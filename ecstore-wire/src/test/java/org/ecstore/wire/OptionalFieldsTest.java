package org.ecstore.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class OptionalFieldsTest {
  private static final OptionalField<Long> AGE =
      new OptionalField<>(2, "age", "all", "", WireWriter::varint, WireReader::natural);
  private static final OptionalField<String> NAME =
      new OptionalField<>(300, "name", "all", "", WireWriter::rawText, in -> in.restAsText(4));

  private static OptionalFields read(Bytes bytes) {
    return OptionalFields.read(new WireReader(bytes));
  }

  @Test
  void fieldsComeBackByTheirTags() {
    WireWriter out = new WireWriter();
    AGE.write(out, 300L);
    NAME.write(out, "tom");
    assertEquals(Bytes.of(2, 2, 0xac, 2, 0xac, 2, 3, 't', 'o', 'm'), out.toBytes());
    OptionalFields fields = read(out.toBytes());
    assertEquals(Optional.of(300L), fields.get(AGE));
    assertEquals(Optional.of("tom"), fields.get(NAME));
    assertEquals(2, fields.count());
  }

  @Test
  void nothingIsNothingAndCostsNothing() {
    assertSame(OptionalFields.NONE, read(Bytes.EMPTY));
    assertEquals(Optional.empty(), OptionalFields.NONE.get(AGE));
    assertEquals(0, OptionalFields.NONE.count());
  }

  @Test
  void unknownFieldsArePassedBy() {
    OptionalFields fields = read(Bytes.of(1, 3, 9, 9, 9, 2, 1, 7, 5, 0));
    assertEquals(Optional.of(7L), fields.get(AGE));
    assertEquals(Optional.empty(), fields.get(NAME));
    assertEquals(3, fields.count());
  }

  @Test
  void tagsMustAscendFromOne() {
    for (Bytes wrong :
        List.of(
            Bytes.of(0, 0),
            Bytes.of(2, 0, 2, 0),
            Bytes.of(2, 0, 1, 0),
            Bytes.of(0xff, 0xff, 0xff, 0xff, 0x0f, 0))) {
      assertMessage("tags of optional fields must ascend", () -> read(wrong));
    }
  }

  @Test
  void whatIsCutShortOrLongerThanItsValueIsRefused() {
    assertMessage("ends early", () -> read(Bytes.of(2)));
    assertMessage("count beyond the message: 2", () -> read(Bytes.of(2, 2, 0)));
    assertMessage(
        "count beyond the message", () -> read(Bytes.of(2, 0xff, 0xff, 0xff, 0xff, 0x7f, 0)));
    assertMessage("trailing bytes: 1", () -> read(Bytes.of(2, 2, 0, 0)).get(AGE));
    assertMessage("ends early", () -> read(Bytes.of(2, 0)).get(AGE));
    assertMessage("5 bytes where 4", () -> read(Bytes.of(0xac, 2, 5, 1, 1, 1, 1, 1)).get(NAME));
  }

  @Test
  void moreFieldsOrBytesThanTheLimitsAreRefused() {
    WireWriter most = new WireWriter();
    for (int tag = 1; tag <= Limits.OPTIONAL_FIELDS_MAX; tag++) {
      most.varint(tag).varint(0);
    }
    assertEquals(Limits.OPTIONAL_FIELDS_MAX, read(most.toBytes()).count());
    most.varint(100).varint(0);
    assertMessage("more than 16 optional fields", () -> read(most.toBytes()));
    int room = Limits.OPTIONAL_BYTES_MAX - 3;
    WireWriter longest = new WireWriter().varint(9).varint(room).raw(new byte[room]);
    assertEquals(1, read(longest.toBytes()).count());
    assertMessage("8193 bytes of optional fields", () -> read(longest.u8(0).toBytes()));
  }

  @Test
  void aTagMeansOneFieldOnly() {
    assertEquals(List.of(AGE, NAME), OptionalField.table(List.of(AGE, NAME)));
    assertThrows(IllegalArgumentException.class, () -> OptionalField.table(List.of(AGE, AGE)));
    assertThrows(IllegalArgumentException.class, () -> OptionalField.table(List.of(NAME, AGE)));
  }

  private static void assertMessage(String part, Executable call) {
    String message =
        String.valueOf(assertThrows(MalformedMessageException.class, call).getMessage());
    assertTrue(message.contains(part), () -> message);
  }
}
