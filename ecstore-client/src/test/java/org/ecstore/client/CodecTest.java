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
}
