package org.ecstore.cluster.bookkeeper.segment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;

class EntryCodecTest {
  private static final LedgerEntry ENTRY =
      new LedgerEntry(
          new Position(70), List.of(Bytes.utf8("a"), Bytes.EMPTY, Bytes.utf8("a longer record")));

  @Test
  void whatIsEncodedIsDecoded() throws Exception {
    LedgerEntry burnt = new LedgerEntry(ENTRY.first(), ENTRY.records(), new Position(61));
    LedgerEntry silent = new LedgerEntry(new Position(9), List.of());
    for (LedgerEntry entry : List.of(ENTRY, burnt, silent)) {
      for (long confirmed : new long[] {-1, 0, 1L << 40}) {
        byte[] array = EntryCodec.encode(entry, confirmed);
        assertEquals(EntryCodec.bytes(entry), array.length);
        assertEquals(new EntryCodec.Stored(confirmed, entry), EntryCodec.decode(array));
      }
    }
  }

  /** Ledgers of before have no other. */
  @Test
  void anEntryBeforeWhichNoNumberIsBurntIsInTheFirstFormat() {
    assertEquals(1, ByteBuffer.wrap(EntryCodec.encode(ENTRY, 3)).getInt());
  }

  @Test
  void anEntryThatFollowsItselfIsRefused() {
    LedgerEntry burnt = new LedgerEntry(ENTRY.first(), ENTRY.records(), new Position(61));
    for (long after : new long[] {-1, 70, Long.MAX_VALUE}) {
      byte[] array = EntryCodec.encode(burnt, 3);
      ByteBuffer.wrap(array).putLong(24, after);
      assertThrows(EntryCodec.BadEntry.class, () -> EntryCodec.decode(array));
    }
  }

  @Test
  void whatIsCutOffIsRefused() {
    byte[] array = EntryCodec.encode(ENTRY, 3);
    for (int length = 0; length < array.length; length++) {
      byte[] cut = Arrays.copyOf(array, length);
      assertThrows(EntryCodec.BadEntry.class, () -> EntryCodec.decode(cut), "length " + length);
    }
    byte[] longer = Arrays.copyOf(array, array.length + 1);
    assertThrows(EntryCodec.BadEntry.class, () -> EntryCodec.decode(longer));
  }

  @Test
  void anUnknownFormatIsRefused() {
    byte[] array = EntryCodec.encode(ENTRY, 3);
    ByteBuffer.wrap(array).putInt(0, 3);
    assertThrows(EntryCodec.BadEntry.class, () -> EntryCodec.decode(array));
  }

  /** Damage is found by BookKeeper's checksum; here it only must not do harm. */
  @Test
  void damageIsRefusedOrGivesAnEntryOfTheSameLength() {
    Random random = new Random(11);
    for (int i = 0; i < 20_000; i++) {
      byte[] array = EntryCodec.encode(ENTRY, 3);
      byte[] damaged = array.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        EntryCodec.Stored stored = EntryCodec.decode(damaged);
        assertArrayEquals(damaged, EntryCodec.encode(stored.entry(), stored.confirmed()));
      } catch (EntryCodec.BadEntry e) {
        assertEquals(EntryCodec.BadEntry.class, e.getClass());
      }
    }
  }
}
