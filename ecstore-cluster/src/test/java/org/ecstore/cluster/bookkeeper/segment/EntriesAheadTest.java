package org.ecstore.cluster.bookkeeper.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;

/** What is held of entries that were read before they are asked for. */
class EntriesAheadTest {
  private static final int MEBIBYTE = 1 << 20;

  private final EntriesAhead ahead = new EntriesAhead();

  /** An entry of two records behind a position. */
  private static LedgerEntry entry(long after, long first, int bytes) {
    Bytes half = Bytes.wrap(new byte[bytes / 2]);
    return new LedgerEntry(new Position(first), List.of(half, half), new Position(after));
  }

  private static LedgerEntry entry(long first, int bytes) {
    return entry(first - 1, first, bytes);
  }

  private List<LedgerEntry> from(long position, long bytesMax) {
    return ahead.from(position, bytesMax, (entry, next) -> entry.after().value() < next);
  }

  @Test
  void readsBeginWithTheEntryThatHasThePosition() {
    List<LedgerEntry> held = new ArrayList<>();
    for (int first = 1; first < 21; first += 2) {
      held.add(entry(first, 100));
      ahead.hold(held.getLast());
    }
    assertEquals(held, from(1, MEBIBYTE));
    assertEquals(held, from(2, MEBIBYTE));
    assertEquals(held.subList(1, 10), from(3, MEBIBYTE));
    assertEquals(held.subList(9, 10), from(20, MEBIBYTE));
    assertEquals(List.of(), from(21, MEBIBYTE));
  }

  @Test
  void aReadHasAtLeastOneEntryAndAboutAsManyBytesAsItAsksFor() {
    for (int first = 1; first < 21; first += 2) {
      ahead.hold(entry(first, 1000));
    }
    assertEquals(1, from(1, 1).size());
    assertEquals(3, from(1, 2500).size());
  }

  @Test
  void nothingIsHandedOverAcrossAGap() {
    LedgerEntry before = entry(1, 100);
    ahead.hold(before);
    ahead.hold(entry(5, 100));
    assertEquals(List.of(before), from(1, MEBIBYTE));
    assertEquals(List.of(), from(3, MEBIBYTE));
  }

  /** Numbers that are burnt are no gap: the entry says what it follows. */
  @Test
  void anEntryBehindBurntNumbersFollows() {
    List<LedgerEntry> held = List.of(entry(1, 100), entry(2, 9, 100));
    held.forEach(ahead::hold);
    assertEquals(held, from(1, MEBIBYTE));
    assertEquals(held.subList(1, 2), from(3, MEBIBYTE));
  }

  @Test
  void whatWasReadFirstGoesFirst() {
    for (int first = 1; first < 41; first += 2) {
      ahead.hold(entry(first, MEBIBYTE));
    }
    assertEquals(List.of(), from(1, 1));
    long held = EntriesAhead.bytes(from(41 - 2 * 7, Long.MAX_VALUE));
    assertTrue(held > 7 * MEBIBYTE && held < 8 * MEBIBYTE, () -> held + " bytes");
    assertEquals(List.of(), from(41 - 2 * 8, 1));
  }

  @Test
  void whatIsOfNoUseAnyMoreGoes() {
    ahead.hold(entry(1, 100));
    ahead.age();
    assertEquals(1, from(1, 1).size());
    ahead.age();
    assertEquals(1, from(1, 1).size());
    ahead.age();
    ahead.age();
    assertEquals(List.of(), from(1, 1));
  }
}
