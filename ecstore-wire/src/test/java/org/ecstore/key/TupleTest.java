package org.ecstore.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.ecstore.client.error.WrongArgumentException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class TupleTest {
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  @Test
  void bytesOfTuplesNeverChange() {
    assertBytes("", Tuple.EMPTY);
    assertBytes("05", Tuple.of(new Object[] {null}));
    assertBytes("20616200", Tuple.of("ab"));
    assertBytes("206100ff6200", Tuple.of("a\0b"));
    assertBytes("20e282ac00", Tuple.of("\u20ac"));
    assertBytes("1000ffff00", Tuple.of(Bytes.of(0x00, 0xff)));
    assertBytes("30", Tuple.of(0));
    assertBytes("3101", Tuple.of(1));
    assertBytes("31ff", Tuple.of(255));
    assertBytes("320100", Tuple.of(256));
    assertBytes("387fffffffffffffff", Tuple.of(Long.MAX_VALUE));
    assertBytes("2f", Tuple.of(-1));
    assertBytes("2efe", Tuple.of(-2));
    assertBytes("2e00", Tuple.of(-256));
    assertBytes("2dfeff", Tuple.of(-257));
    assertBytes("278000000000000000", Tuple.of(Long.MIN_VALUE));
    assertBytes("4000112233445566778899aabbccddeeff", Tuple.of(ID));
    assertBytes("50800000000000000000000000", Tuple.of(Instant.EPOCH));
    assertBytes("507fffffffffffffff3b9ac9ff", Tuple.of(Instant.EPOCH.minusNanos(1)));
    assertBytes("206200310720620005", Tuple.of("b", 7, "b", null));
    assertBytes("6061", Tuple.of(false, true));
    assertBytes("648000000000000000", Tuple.of(0.0));
    assertBytes("647fffffffffffffff", Tuple.of(-0.0));
    assertBytes("64bff8000000000000", Tuple.of(1.5));
    assertBytes("644007ffffffffffff", Tuple.of(-1.5));
    assertBytes("64fff8000000000000", Tuple.of(Double.NaN));
    assertBytes("688000000000", Tuple.of(LocalDate.EPOCH));
    assertBytes("687fffffffff", Tuple.of(LocalDate.EPOCH.minusDays(1)));
    assertBytes("6d", Tuple.of(new BigDecimal("0.00")));
    assertBytes("6e31011000", Tuple.of(new BigDecimal("1.5")));
    assertBytes("6e301000", Tuple.of(new BigDecimal("0.15")));
    assertBytes("6e2f10332400", Tuple.of(new BigDecimal("0.015503500")));
    assertBytes("6ccefeefff", Tuple.of(new BigDecimal("-1.5")));
    assertBytes("6e31033300", Tuple.of(new BigDecimal("500")));
    assertBytes("70fa", Tuple.of(Tuple.desc(null)));
    assertBytes("70cef8", Tuple.of(Tuple.desc(7)));
    assertBytes("70df9effff", Tuple.of(Tuple.desc("a")));
    assertBytes("70df9eff009dffff", Tuple.of(Tuple.desc("a\0b")));
    assertBytes("7093310110003101", Tuple.of(Tuple.desc(new BigDecimal("-1.5")), 1));
  }

  private static void assertBytes(String hex, Tuple tuple) {
    assertEquals(hex, HexFormat.of().formatHex(tuple.encode().array()), tuple::toString);
    assertEquals(tuple, Tuple.decode(tuple.encode()));
  }

  /** Written down by hand, so that compareTo and encode cannot be wrong together. */
  @Test
  void valuesInAscendingOrder() {
    List<Tuple> ascending =
        List.of(
            Tuple.EMPTY,
            Tuple.of(new Object[] {null}),
            Tuple.of(null, null),
            Tuple.of(null, "a"),
            Tuple.of(Bytes.EMPTY),
            Tuple.of(Bytes.EMPTY, 1),
            Tuple.of(Bytes.of(0)),
            Tuple.of(Bytes.of(0, 0)),
            Tuple.of(Bytes.of(0, 0xff)),
            Tuple.of(Bytes.of(1)),
            Tuple.of(Bytes.of(0x7f)),
            Tuple.of(Bytes.of(0xff)),
            Tuple.of(""),
            Tuple.of("", null),
            Tuple.of("", Instant.MAX),
            Tuple.of("\0"),
            Tuple.of("\0", 5),
            Tuple.of("\0\0"),
            Tuple.of("\u0001"),
            Tuple.of("a"),
            Tuple.of("a", -1),
            Tuple.of("a", 0),
            Tuple.of("a\0"),
            Tuple.of("aa"),
            Tuple.of("b"),
            Tuple.of("\u00e9"),
            Tuple.of("\uffff"),
            Tuple.of("\ud800\udc00"),
            Tuple.of("\udbff\udfff"),
            Tuple.of(Long.MIN_VALUE),
            Tuple.of(Long.MIN_VALUE + 1),
            Tuple.of(Integer.MIN_VALUE),
            Tuple.of(-65537),
            Tuple.of(-65536),
            Tuple.of(-257),
            Tuple.of(-256),
            Tuple.of(-255),
            Tuple.of(-2),
            Tuple.of(-1),
            Tuple.of(0),
            Tuple.of(0, 9),
            Tuple.of(1),
            Tuple.of(255),
            Tuple.of(256),
            Tuple.of(65535),
            Tuple.of(65536),
            Tuple.of(Long.MAX_VALUE),
            Tuple.of(new UUID(0, 0)),
            Tuple.of(new UUID(0, 1)),
            Tuple.of(new UUID(0, -1)),
            Tuple.of(new UUID(1, 0)),
            Tuple.of(new UUID(-1, 0)),
            Tuple.of(new UUID(-1, -1)),
            Tuple.of(Instant.MIN),
            Tuple.of(Instant.MIN.plusNanos(1)),
            Tuple.of(Instant.EPOCH.minusNanos(1)),
            Tuple.of(Instant.EPOCH),
            Tuple.of(Instant.EPOCH.plusNanos(1)),
            Tuple.of(Instant.EPOCH.plusSeconds(1)),
            Tuple.of(Instant.MAX.minusNanos(1)),
            Tuple.of(Instant.MAX),
            Tuple.of(false),
            Tuple.of(true),
            Tuple.of(Double.NEGATIVE_INFINITY),
            Tuple.of(-1e300),
            Tuple.of(-1.5),
            Tuple.of(-Double.MIN_VALUE),
            Tuple.of(-0.0),
            Tuple.of(0.0),
            Tuple.of(Double.MIN_VALUE),
            Tuple.of(2.0),
            Tuple.of(Double.POSITIVE_INFINITY),
            Tuple.of(Double.NaN),
            Tuple.of(LocalDate.MIN),
            Tuple.of(LocalDate.of(1969, 12, 31)),
            Tuple.of(LocalDate.EPOCH),
            Tuple.of(LocalDate.of(2026, 1, 31)),
            Tuple.of(LocalDate.MAX),
            Tuple.of(new BigDecimal("-1E+2147483647")),
            Tuple.of(new BigDecimal("-10")),
            Tuple.of(new BigDecimal("-1.55")),
            Tuple.of(new BigDecimal("-1.5")),
            Tuple.of(new BigDecimal("-1.49999")),
            Tuple.of(new BigDecimal("-1E-2147483647")),
            Tuple.of(new BigDecimal("0")),
            Tuple.of(new BigDecimal("1E-2147483647")),
            Tuple.of(new BigDecimal("0.99")),
            Tuple.of(new BigDecimal("1")),
            Tuple.of(new BigDecimal("1"), 1),
            Tuple.of(new BigDecimal("1.0000000000000000000000001")),
            Tuple.of(new BigDecimal("1.5")),
            Tuple.of(new BigDecimal("1.50001")),
            Tuple.of(new BigDecimal("10")),
            Tuple.of(new BigDecimal("1E+2147483647")),
            Tuple.of(Tuple.desc(new BigDecimal("7"))),
            Tuple.of(Tuple.desc(new BigDecimal("-7"))),
            Tuple.of(Tuple.desc(1.0)),
            Tuple.of(Tuple.desc(9)),
            Tuple.of(Tuple.desc(0)),
            Tuple.of(Tuple.desc(-9)),
            Tuple.of(Tuple.desc("b")),
            Tuple.of(Tuple.desc("aa")),
            Tuple.of(Tuple.desc("a\0")),
            Tuple.of(Tuple.desc("a")),
            Tuple.of(Tuple.desc("a"), 1),
            Tuple.of(Tuple.desc("a"), 2),
            Tuple.of(Tuple.desc("")),
            Tuple.of(Tuple.desc(Bytes.of(0, 1))),
            Tuple.of(Tuple.desc(Bytes.of(0))),
            Tuple.of(Tuple.desc(null)),
            Tuple.of(Tuple.desc(null), Tuple.desc(2)),
            Tuple.of(Tuple.desc(null), Tuple.desc(1)));
    for (int i = 0; i < ascending.size(); i++) {
      for (int j = 0; j < ascending.size(); j++) {
        Tuple a = ascending.get(i);
        Tuple b = ascending.get(j);
        int expected = Integer.compare(i, j);
        assertEquals(expected, Integer.signum(a.compareTo(b)), () -> a + " to " + b);
        assertEquals(
            expected, Integer.signum(a.encode().compareTo(b.encode())), () -> a + " to " + b);
      }
    }
  }

  @Test
  void elementsComeBackByType() {
    Instant now = Instant.ofEpochSecond(1_800_000_000L, 123_456_789);
    byte[] array = {1, 2};
    Tuple tuple = Tuple.decode(Tuple.of("s", 1, 2L, ID, now, Bytes.of(3), array, null).encode());
    array[0] = 9;
    assertEquals(8, tuple.size());
    assertEquals("s", tuple.string(0));
    assertEquals(1, tuple.number(1));
    assertEquals(2, tuple.number(2));
    assertEquals(ID, tuple.uuid(3));
    assertEquals(now, tuple.instant(4));
    assertEquals(Bytes.of(3), tuple.bytes(5));
    assertEquals(Bytes.of(1, 2), tuple.bytes(6));
    assertTrue(tuple.isNull(7));
    assertFalse(tuple.isNull(0));
    assertEquals(1L, tuple.element(1));
  }

  private enum Suit {
    CLUBS,
    SPADES
  }

  @Test
  void elementsOfTheLaterTypesComeBack() {
    LocalDate date = LocalDate.of(2026, 1, 31);
    Tuple tuple =
        Tuple.of(true, 1.5, date, new BigDecimal("12.50"), Suit.SPADES, (short) 3, Tuple.desc(9));
    Tuple back = Tuple.decode(tuple.encode());
    assertEquals(tuple, back);
    assertEquals(tuple.hashCode(), back.hashCode());
    assertTrue(back.bool(0));
    assertEquals(1.5, back.real(1));
    assertEquals(date, back.date(2));
    assertEquals(new BigDecimal("12.5"), back.decimal(3));
    assertEquals(Suit.SPADES, back.constant(4, Suit.class));
    assertEquals(3, back.number(5));
    assertEquals(9, back.number(6));
    assertEquals(Tuple.desc(9L), back.element(6));
    assertTrue(Tuple.of(Tuple.desc(null)).isNull(0));
    assertEquals(
        "(true, 1.5, 2026-01-31, 12.5, \"SPADES\", 3, desc(9), desc(\"a\"))",
        tuple.append(Tuple.desc("a")).toString());
    assertMessage(
        WrongArgumentException.class,
        "the enum has no such constant {element=0, enum=",
        () -> Tuple.of("HEARTS").constant(0, Suit.class));
    assertMessage(WrongArgumentException.class, "is=a long", () -> Tuple.of(Tuple.desc(1)).bool(0));
  }

  @Test
  void aTupleOwnsItsElements() {
    Object[] given = {"a", new byte[] {1}};
    Tuple tuple = Tuple.of(given);
    ((byte[]) given[1])[0] = 2;
    given[0] = "b";
    assertEquals(Tuple.of("a", Bytes.of(1)), tuple);
  }

  @Test
  void wrongAccessNamesWhatIsThere() {
    Tuple tuple = Tuple.of("s", 1, null);
    assertMessage(
        WrongArgumentException.class,
        "the element of the tuple is not a long {element=0, is=a string, tuple=(\"s\", 1, null)}",
        () -> tuple.number(0));
    assertMessage(
        WrongArgumentException.class, "is not a UUID {element=1, is=a long,", () -> tuple.uuid(1));
    assertMessage(
        WrongArgumentException.class,
        "is not a string {element=2, is=null,",
        () -> tuple.string(2));
    assertMessage(
        WrongArgumentException.class,
        "the tuple has no such element {element=3,",
        () -> tuple.isNull(3));
    assertMessage(
        WrongArgumentException.class,
        "the tuple has no such element {element=-1,",
        () -> tuple.bytes(-1));
  }

  @Test
  void whatCannotBeOrderedIsRefused() {
    assertMessage(
        WrongArgumentException.class,
        "and null {element=1, class=java.lang.Float}",
        () -> Tuple.of("a", 1.5f));
    assertMessage(
        WrongArgumentException.class,
        "a descending element is descending already",
        () -> Tuple.desc(Tuple.desc(1)));
    assertMessage(
        WrongArgumentException.class,
        "the decimal has more digits than a key can hold {element=1,",
        () -> Tuple.of(1, BigDecimal.ONE.movePointRight(10_000).subtract(BigDecimal.ONE)));
    assertMessage(
        WrongArgumentException.class,
        "out of range without its trailing zeros {element=0}",
        () -> Tuple.of(new BigDecimal(BigInteger.TEN, Integer.MIN_VALUE)));
    assertMessage(
        WrongArgumentException.class,
        "and null {element=0, class=org.ecstore.key.Tuple}",
        () -> Tuple.of(Tuple.EMPTY));
  }

  @Test
  void halfSurrogatePairsAreRefused() {
    for (String text : List.of("a\ud800", "\udc00", "\ud800\ud800\udc00", "\udc00\ud800")) {
      assertMessage(
          WrongArgumentException.class,
          "the text has half of a pair of surrogates {element=1,",
          () -> Tuple.of(0, text));
    }
    assertEquals("\ud83d\ude00!", Tuple.of("\ud83d\ude00!").string(0));
  }

  @Test
  void bytesThatAreNoTupleAreRefused() {
    for (String hex :
        List.of(
            "00",
            "01",
            "06",
            "11",
            "26",
            "39",
            "41",
            "51",
            "ff", // unknown tags
            "10",
            "1001",
            "20",
            "2061",
            "2000ff", // without a terminator
            "20ff00",
            "20c08000",
            "20eda08000",
            "20e28200", // not UTF-8
            "31",
            "3201",
            "2e",
            "277fff", // too short
            "3100",
            "320001",
            "3800ffffffffffffff",
            "388000000000000000", // not as few bytes
            "2eff",
            "2dff00",
            "277fffffffffffffff",
            "27ffffffffffffffff", // not as few bytes
            "40",
            "40001122334455667788", // half a UUID
            "50",
            "508000000000000000",
            "5080000000000000003b9aca00", // nanoseconds
            "50000000000000000000000000",
            "50ffffffffffffffff00000000", // out of range
            "62",
            "6480",
            "64fff8000000000001", // a NaN of its own kind
            "6880",
            "680000000000",
            "68ffffffffff", // no date
            "6e",
            "6e3101",
            "6e310100", // no digits
            "6e31010100",
            "6e31016500",
            "6e31010200", // digits that are none, or begin with a zero
            "6e3101100100", // a zero too much
            "6e381000000000000000101000",
            "6e05",
            "6ccefe",
            "70",
            "7070",
            "708f",
            "70cf00",
            "70df9eff",
            "70df9effef")) {
      Bytes bytes = Bytes.wrap(HexFormat.of().parseHex(hex));
      assertThrows(MalformedTupleException.class, () -> Tuple.decode(bytes), hex);
    }
  }

  /** Before a number is made of the digits, which takes the square of their count. */
  @Test
  void aDecimalOfAMillionDigitsIsRefusedAtOnce() {
    byte[] bytes = new byte[1 << 20];
    Arrays.fill(bytes, (byte) 0x64);
    bytes[0] = 0x6e;
    bytes[1] = 0x31;
    bytes[2] = 0x01;
    bytes[bytes.length - 1] = 0;
    assertMessage(
        MalformedTupleException.class,
        "more digits than a key can hold",
        () -> Tuple.decode(Bytes.wrap(bytes)));
    BigDecimal most = new BigDecimal(BigInteger.TWO.pow(16_384).subtract(BigInteger.ONE), 7);
    assertEquals(most, Tuple.decode(Tuple.of(most).encode()).decimal(0));
    BigDecimal more = new BigDecimal(BigInteger.TWO.pow(16_384).add(BigInteger.ONE), 7);
    assertMessage(
        WrongArgumentException.class, "more digits than a key can hold", () -> Tuple.of(more));
  }

  @Test
  void tuplesBehindAPrefixKeepTheirOrder() {
    Bytes prefix = Bytes.of(0x07, 0x00);
    Tuple tuple = Tuple.of("a", 1);
    assertEquals(prefix.concat(tuple.encode()), tuple.encode(prefix));
    assertEquals(tuple, Tuple.decode(prefix, tuple.encode(prefix)));
    assertMessage(
        MalformedTupleException.class,
        "without the prefix",
        () -> Tuple.decode(Bytes.of(0x08), tuple.encode(prefix)));
    assertTrue(tuple.prefixRange(prefix).contains(tuple.append(2).encode(prefix)));
    assertFalse(tuple.prefixRange(prefix).contains(tuple.append(2).encode()));
  }

  @Test
  void textRangesHoldTextsThatBeginSoAndWhatFollowsThem() {
    Bytes prefix = Bytes.utf8("p");
    for (String begun : List.of("", "a", "a\0", "\u00e4", "a\ud83d\ude00")) {
      KeyRange range = Tuple.of(7, begun).textRange(prefix);
      for (String rest : List.of("", "\0", "b", "\uffff", "\udbff\udfff")) {
        assertTrue(range.contains(Tuple.of(7, begun + rest).encode(prefix)), begun + rest);
        assertTrue(range.contains(Tuple.of(7, begun + rest, null).encode(prefix)), begun + rest);
      }
      assertFalse(range.contains(Tuple.of(7).encode(prefix)));
      assertFalse(range.contains(Tuple.of(8, begun).encode(prefix)));
      assertFalse(range.contains(Tuple.of(7, 1).encode(prefix)));
      assertFalse(range.contains(Tuple.of(7, begun).encode()));
    }
    assertFalse(Tuple.of("ab").textRange(prefix).contains(Tuple.of("a").encode(prefix)));
    assertFalse(Tuple.of("ab").textRange(prefix).contains(Tuple.of("ac").encode(prefix)));
    assertThrows(WrongArgumentException.class, () -> Tuple.of(1).textRange(prefix));
    assertThrows(WrongArgumentException.class, () -> Tuple.EMPTY.textRange(prefix));
  }

  @Test
  void prefixRangesHoldExtensionsOfElementsNotOfBytes() {
    Tuple tuple = Tuple.of("a");
    assertTrue(tuple.prefixRange().contains(Tuple.of("a").encode()));
    assertTrue(tuple.prefixRange().contains(Tuple.of("a", Instant.MAX).encode()));
    assertFalse(tuple.prefixRange().contains(Tuple.of("aa").encode()));
    assertFalse(tuple.prefixRange().contains(Tuple.of("a\0").encode()));
    assertTrue(Tuple.EMPTY.prefixRange().contains(Tuple.of(Instant.MAX).encode()));
    assertTrue(Tuple.EMPTY.prefixRange().contains(Bytes.EMPTY));
  }

  private static void assertMessage(
      Class<? extends RuntimeException> type, String part, Executable call) {
    String message = String.valueOf(assertThrows(type, call).getMessage());
    assertTrue(message.contains(part), () -> message);
  }
}
