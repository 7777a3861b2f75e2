package org.ecstore.client;

import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;
import org.junit.jupiter.api.Test;

class CodecTest {
  enum Colour {
    RED,
    GREEN
  }

  record Inner(String text, List<Long> numbers) {}

  record Outer(UUID id, Instant since, Colour colour, Inner inner) {}

  private static final Outer VALUE =
      new Outer(
          new UUID(1, 2), Instant.ofEpochSecond(3, 4), Colour.GREEN, new Inner("t", List.of(5L)));

  @Test
  void recordsComeBackAsTheyWere() {
    Codec<Outer> codec = KryoCodec.of(Outer.class, Inner.class, Colour.class);
    assertEquals(VALUE, codec.decode(codec.encode(VALUE)));
  }

  @Test
  void aTypeThatIsNotRegisteredIsNamed() {
    WrongArgumentException failure =
        assertThrows(WrongArgumentException.class, () -> KryoCodec.of(Outer.class).encode(VALUE));
    assertEquals(Outer.class.getName(), failure.details().get("type"));
    assertThrows(WrongArgumentException.class, () -> KryoCodec.of(Thread.class));
    assertThrows(WrongArgumentException.class, () -> KryoCodec.of(Inner.class, Inner.class));
  }

  static final class Renamed {
    record Inner(String text, List<Long> counts) {}
  }

  @Test
  void aRecordThatHasChangedIsToldWhatToDeclare() {
    Bytes stored = KryoCodec.of(Inner.class).encode(new Inner("t", List.of(5L)));
    WrongArgumentException failure =
        assertThrows(
            WrongArgumentException.class, () -> KryoCodec.of(Renamed.Inner.class).decode(stored));
    assertEquals(
        "1 of the 2 components of a stored "
            + Renamed.Inner.class.getName()
            + " are unknown to it: declare what was renamed by @StoredAs(\"former name\") (not"
            + " stored: counts) and what was removed by @Removed(\"name\")",
        failure.details().get("why"));
  }

  @Test
  void textThatUtf8CannotHoldIsRefusedAndNotChanged() {
    Codec<String> codec = Codec.utf8();
    String pair = "a\ud83d\ude00";
    assertEquals(pair, codec.decode(codec.encode(pair)));
    for (String half : List.of("a\ud83d", "\ude00b", "\ude00\ud83d")) {
      assertThrows(WrongArgumentException.class, () -> codec.encode(half));
    }
    assertThrows(WrongArgumentException.class, () -> codec.decode(Bytes.of(0xc3)));
    assertThrows(WrongArgumentException.class, () -> codec.decode(Bytes.of(0xff, 0x61)));
  }

  @Test
  void longsAreEightBytesAndNothingIsNone() {
    Codec<Long> longs = Codec.longs();
    for (long number : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertEquals(8, longs.encode(number).length());
      assertEquals(number, longs.decode(longs.encode(number)));
    }
    assertThrows(WrongArgumentException.class, () -> longs.decode(Bytes.utf8("1234567")));
    Codec<Nothing> nothing = Codec.nothing();
    assertEquals(Bytes.EMPTY, nothing.encode(Nothing.NOTHING));
    assertEquals(Nothing.NOTHING, nothing.decode(Bytes.EMPTY));
    assertThrows(WrongArgumentException.class, () -> nothing.decode(Bytes.of(0)));
  }

  /** As an application's own might be. */
  @SuppressWarnings("NullAway")
  private static final class NullCodec implements Codec<String> {
    @Override
    public Bytes encode(String value) {
      return value.isEmpty() ? null : Bytes.utf8(value);
    }

    @Override
    public String decode(Bytes encoded) {
      return null;
    }
  }

  @Test
  void aCodecThatGivesNullIsToldSoWithItsTable() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      Table<String> table = Table.of("nulls", new NullCodec());
      WrongArgumentException none =
          assertThrows(
              WrongArgumentException.class,
              () -> fixture.store.execute(tx -> tx.put(table, key(1), "")));
      assertEquals("nulls", none.details().get("table"));
      assertEquals("encode", none.details().get("method"));
      fixture.store.execute(tx -> tx.put(table, key(1), "a"));
      assertThrows(
          WrongArgumentException.class, () -> fixture.store.read(s -> s.get(table, key(1))));
      assertThrows(
          WrongArgumentException.class, () -> fixture.store.read(s -> s.scan(table).toList()));
    }
  }

  @Test
  void valuesOfAnotherCodecAreRefused() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      Table<Outer> typed = Table.of("mixed", KryoCodec.of(Outer.class, Inner.class, Colour.class));
      Table<String> text = Table.of("mixed", Codec.utf8());
      fixture.store.execute(tx -> tx.put(text, key(1), "no record"));
      assertThrows(
          WrongArgumentException.class, () -> fixture.store.read(s -> s.get(typed, key(1))));
      assertThrows(
          WrongArgumentException.class, () -> fixture.store.read(s -> s.scan(typed).toList()));
    }
  }

  @Test
  void aRecordOverTheLimitIsTooLarge() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      Table<Inner> table = Table.of("inner", KryoCodec.of(Inner.class));
      Inner large = new Inner("x".repeat(Limits.VALUE_BYTES_MAX + 1), List.of());
      assertThrows(
          TooLargeException.class, () -> fixture.store.execute(tx -> tx.put(table, key(1), large)));
    }
  }

  @Test
  void arraysAreCopiedSoThatTheirOwnerMayReuseThem() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      Table<byte[]> table = Table.of("arrays", Codec.byteArrays());
      byte[] mine = {1, 2, 3};
      fixture.store.execute(
          tx -> {
            tx.put(table, key(1), mine);
            mine[0] = 9;
            byte[] read = tx.get(table, key(1)).orElseThrow();
            assertArrayEquals(new byte[] {1, 2, 3}, read);
            read[0] = 8;
          });
      assertEquals(
          Optional.of(Bytes.of(1, 2, 3)),
          fixture.store.read(s -> s.get(Table.of("arrays", Codec.bytes()), key(1))));
    }
  }

  @Test
  void aValueThatCannotBeReadNamesItsTableAndItsKey() {
    Table<Bytes> written = Table.of("numbers", Codec.bytes());
    Table<Long> read = Table.of("numbers", Codec.longs());
    try (StoreFixture fixture = new StoreFixture(1)) {
      fixture.store.execute(tx -> tx.put(written, key(7), Bytes.utf8("seven")));
      List<SnapshotWork<Object, RuntimeException>> ways =
          List.of(
              snapshot -> snapshot.get(read, key(7)),
              snapshot -> snapshot.getAll(read, List.of(key(7))),
              snapshot -> snapshot.scan(read, TupleRange.all()).stream().toList());
      for (SnapshotWork<Object, RuntimeException> way : ways) {
        WrongArgumentException refused =
            assertThrows(WrongArgumentException.class, () -> fixture.store.read(way));
        assertEquals("a stored value cannot be read", refused.text());
        assertEquals("numbers", refused.details().get("table"));
        assertEquals(key(7).toString(), refused.details().get("key"));
        assertEquals("the value is no number of 8 bytes {bytes=5}", refused.details().get("why"));
      }
    }
  }
}
