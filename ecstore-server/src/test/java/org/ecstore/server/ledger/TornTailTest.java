package org.ecstore.server.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.server.ledger.segment.EntryFormat;
import org.ecstore.server.ledger.segment.SegmentHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A torn tail is cut and said; damage anywhere else stops the opening; nothing wrong is served. */
class TornTailTest {
  private static final String FIRST = SegmentHeader.fileName(1);

  @TempDir private Path directory;

  /** What a ledger of some entries looks like on disk, and where the entries begin. */
  private record Written(Map<String, byte[]> files, List<LedgerEntry> entries, List<Long> offsets) {
    byte[] firstSegment() {
      return Objects.requireNonNull(files.get(FIRST)).clone();
    }

    long end() {
      return offsets.getLast() + EntryFormat.bytes(entries.getLast());
    }
  }

  /** One entry after the other, each forced alone, in one segment. */
  private Written write(int count) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    List<LedgerEntry> entries = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    long offset = SegmentHeader.BYTES;
    try (LocalLedgerStore store = LedgerHarness.open(directory, disk, new LedgerHarness.Notes())) {
      LedgerHarness user = new LedgerHarness(store, 1);
      user.fence();
      for (int i = 0; i < count; i++) {
        LedgerEntry entry = LedgerHarness.entry(1 + i, 10 + 13 * (i % 5));
        entries.add(entry);
        offsets.add(offset);
        offset += EntryFormat.bytes(entry);
        assertInstanceOf(LedgerResult.Appended.class, user.append(entry));
      }
    }
    return new Written(disk.contents(), entries, offsets);
  }

  private static Map<String, byte[]> with(Written written, byte[] first) {
    Map<String, byte[]> files = new TreeMap<>(written.files());
    files.put(FIRST, first);
    return files;
  }

  /** Opening serves exactly these entries, says where it cut, and goes on; twice. */
  private void assertCut(Map<String, byte[]> files, List<LedgerEntry> kept, long offset)
      throws IOException {
    SimulatedDisk disk = SimulatedDisk.holding(files, 0);
    LedgerHarness.Notes notes = new LedgerHarness.Notes();
    LedgerEntry next = LedgerHarness.entry(kept.size() + 1, 20);
    try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
      String said = String.join("; ", notes.warnings());
      assertTrue(said.contains(FIRST), said);
      assertTrue(said.contains("offset " + offset + ":") || said.contains("has " + offset), said);
      LedgerHarness user = new LedgerHarness(store, 1);
      LedgerResult.Fenced fenced = assertInstanceOf(LedgerResult.Fenced.class, user.fence());
      assertEquals(kept.size(), fenced.last().value());
      assertEquals(kept, user.readAll(1));
      assertInstanceOf(LedgerResult.Appended.class, user.append(next));
    }
    List<LedgerEntry> all = new ArrayList<>(kept);
    all.add(next);
    try (LocalLedgerStore store =
        LedgerHarness.open(directory, disk.powerLoss(), new LedgerHarness.Notes())) {
      assertEquals(all, new LedgerHarness(store, 1).readAll(1));
    }
  }

  private void assertCorrupt(Map<String, byte[]> files, String file, long offset) {
    SimulatedDisk disk = SimulatedDisk.holding(files, 0);
    CorruptLedgerException refused =
        assertThrows(
            CorruptLedgerException.class,
            () -> LedgerHarness.open(directory, disk, new LedgerHarness.Notes()).close());
    assertEquals(disk.path(file), refused.file());
    assertEquals(offset, refused.offset());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(file) && message.contains("at offset " + offset), message);
    assertTrue(message.contains("Restore this file"), message);
    assertEquals(files.keySet(), disk.contents().keySet());
    files.forEach((name, bytes) -> assertTrue(Arrays.equals(bytes, disk.content(name)), name));
  }

  @Test
  void aFlippedByteInTheLastEntryCutsIt() throws IOException {
    Written written = write(6);
    long start = written.offsets().getLast();
    for (long at = start; at < written.end(); at++) {
      for (int mask : new int[] {0x01, 0x80, 0xff}) {
        byte[] bytes = written.firstSegment();
        bytes[(int) at] ^= (byte) mask;
        assertCut(with(written, bytes), written.entries().subList(0, 5), start);
      }
    }
  }

  @Test
  void aLastEntryThatIsCutOffIsCut() throws IOException {
    Written written = write(6);
    long start = written.offsets().getLast();
    for (long at = start; at < written.end(); at++) {
      byte[] cut = Arrays.copyOf(written.firstSegment(), (int) at);
      assertCut(with(written, cut), written.entries().subList(0, 5), start);
    }
  }

  @Test
  void aLastEntryWhoseEndWasNotWrittenIsCut() throws IOException {
    Written written = write(6);
    long start = written.offsets().getLast();
    // A record's bytes are never zero here, so each of these is really torn.
    for (long at = start + 1; at < written.end(); at++) {
      byte[] bytes = written.firstSegment();
      Arrays.fill(bytes, (int) at, (int) written.end(), (byte) 0);
      assertCut(with(written, bytes), written.entries().subList(0, 5), start);
    }
  }

  @Test
  void garbageAfterTheLastEntryIsCut() throws IOException {
    Written written = write(3);
    for (int at : new int[] {0, 1, 31, 32, 500, 10_000}) {
      byte[] bytes = written.firstSegment();
      bytes[(int) written.end() + at] = 0x4c;
      assertCut(with(written, bytes), written.entries(), written.end());
    }
  }

  @Test
  void whatLooksLikeAnEntryInsideATornRecordProvesNothing() throws IOException {
    Written written = write(2);
    // Bytes of another ledger, stored as a value: an entry that claims to be written later.
    LedgerEntry stored = LedgerHarness.entry(90, 30);
    byte[] header = EntryFormat.header(stored, 4711, written.end() + 100);
    ByteBuffer torn = ByteBuffer.wrap(written.firstSegment());
    torn.position((int) written.end() + 200);
    torn.put(header).putInt(30).put(stored.records().getFirst().array());
    assertCut(with(written, torn.array()), written.entries(), written.end());
  }

  @Test
  void damageInTheMiddleStopsTheOpening() throws IOException {
    Written written = write(12);
    for (int i = 0; i < 11; i++) {
      long start = written.offsets().get(i);
      long end = written.offsets().get(i + 1);
      for (long at = start; at < end; at += 5) {
        byte[] bytes = written.firstSegment();
        bytes[(int) at] ^= 0x04;
        assertCorrupt(with(written, bytes), FIRST, start);
      }
    }
  }

  @Test
  void aHoleInTheMiddleStopsTheOpening() throws IOException {
    Written written = write(12);
    byte[] bytes = written.firstSegment();
    long start = written.offsets().get(4);
    Arrays.fill(bytes, (int) start, (int) (long) written.offsets().get(8), (byte) 0);
    assertCorrupt(with(written, bytes), FIRST, start);
  }

  @Test
  void aDamagedHeaderStopsTheOpening() throws IOException {
    Written written = write(3);
    for (int at = 0; at < SegmentHeader.BYTES; at += at < 100 ? 1 : 97) {
      byte[] bytes = written.firstSegment();
      bytes[at] ^= 0x10;
      assertCorrupt(with(written, bytes), FIRST, 0);
    }
    for (int length : new int[] {0, 1, 71, SegmentHeader.BYTES - 1}) {
      byte[] cut = Arrays.copyOf(written.firstSegment(), length);
      assertCorrupt(with(written, cut), FIRST, 0);
    }
  }

  @Test
  void damageInAnEarlierSegmentStopsTheOpeningAtItsLastEntryToo() throws IOException {
    Written written = write(400);
    assertTrue(written.files().size() >= 3, "several segments: " + written.files().keySet());
    byte[] bytes = written.firstSegment();
    int used = bytes.length;
    while (bytes[used - 1] == 0) {
      used--;
    }
    int last = 0;
    while (written.offsets().get(last + 1) < used) {
      last++;
    }
    for (int at = used - 40; at < used; at++) {
      byte[] flipped = bytes.clone();
      flipped[at] ^= 0x08;
      long start = at >= written.offsets().get(last) ? written.offsets().get(last) : -1;
      assertCorrupt(
          with(written, flipped), FIRST, start >= 0 ? start : written.offsets().get(last - 1));
    }
    byte[] cut = Arrays.copyOf(bytes, used - 1);
    assertCorrupt(with(written, cut), FIRST, written.offsets().get(last));
  }

  @Test
  void aMissingSegmentStopsTheOpening() throws IOException {
    Map<String, byte[]> files = new TreeMap<>(write(400).files());
    String second = SegmentHeader.fileName(2);
    files.remove(second);
    assertCorrupt(files, second, 0);
  }

  @Test
  void aSegmentInTheWrongPlaceStopsTheOpening() throws IOException {
    Map<String, byte[]> files = new TreeMap<>(write(400).files());
    files.put(SegmentHeader.fileName(2), Objects.requireNonNull(files.get(FIRST)).clone());
    assertCorrupt(files, SegmentHeader.fileName(2), 0);
  }

  /** Entries 2 to 4 are written with one force, then perhaps entry 5; each fills whole sectors. */
  private Written writeBatch(boolean followed) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    List<LedgerEntry> entries = new ArrayList<>();
    List<Long> offsets = new ArrayList<>();
    long offset = SegmentHeader.BYTES;
    for (int i = 1; i <= (followed ? 5 : 4); i++) {
      entries.add(LedgerHarness.entry(i, 1024 - EntryFormat.HEADER_BYTES - Integer.BYTES));
      offsets.add(offset);
      offset += EntryFormat.bytes(entries.getLast());
    }
    try (LocalLedgerStore store = LedgerHarness.open(directory, disk, new LedgerHarness.Notes())) {
      LedgerHarness user = new LedgerHarness(store, 1);
      user.fence();
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch submitted = new CountDownLatch(1);
      disk.faults(
          (operation, count) -> {
            if (operation == SimulatedDisk.Operation.FORCE && count == 1) {
              begun.countDown();
              LedgerHarness.await(submitted);
            }
            return SimulatedDisk.Fault.NONE;
          });
      user.beginAppend(entries.get(0));
      LedgerHarness.await(begun);
      user.beginAppend(entries.get(1));
      user.beginAppend(entries.get(2));
      long last = user.beginAppend(entries.get(3));
      submitted.countDown();
      assertInstanceOf(LedgerResult.Appended.class, user.await(last));
      if (followed) {
        assertInstanceOf(LedgerResult.Appended.class, user.append(entries.get(4)));
      }
    }
    return new Written(disk.contents(), entries, offsets);
  }

  @Test
  void aHoleInTheLastBatchIsTheTraceOfACrashThoughLaterEntriesOfTheBatchAreWhole()
      throws IOException {
    Written written = writeBatch(false);
    EntryFormat.Header last =
        EntryFormat.header(
            ByteBuffer.wrap(written.firstSegment()), (int) (long) written.offsets().get(3));
    assertEquals(written.offsets().get(1), last.batchStart());
    for (int i = 1; i <= 3; i++) {
      byte[] bytes = written.firstSegment();
      bytes[(int) (written.offsets().get(i) + 20)] ^= 1;
      assertCut(with(written, bytes), written.entries().subList(0, i), written.offsets().get(i));
    }
  }

  @Test
  void whatWasCutNeverComesBackThoughTheForceOfTheCutFails() throws IOException {
    Written written = writeBatch(false);
    byte[] torn = written.firstSegment();
    torn[(int) (written.offsets().get(1) + 20)] ^= 1;
    LedgerEntry next = new LedgerEntry(new Position(2), written.entries().get(2).records());
    for (int seed = 0; seed < 20; seed++) {
      SimulatedDisk disk = SimulatedDisk.holding(with(written, torn), seed);
      disk.faults(
          (operation, count) ->
              operation == SimulatedDisk.Operation.FORCE
                  ? SimulatedDisk.Fault.BROKEN
                  : SimulatedDisk.Fault.NONE);
      assertThrows(
          IOException.class,
          () -> LedgerHarness.open(directory, disk, new LedgerHarness.Notes()).close());
      disk.faults((operation, count) -> SimulatedDisk.Fault.NONE);
      // The zeros are in the cache only, and taken for written; below them entries 3 and 4 wait.
      try (LocalLedgerStore store =
          LedgerHarness.open(directory, disk, new LedgerHarness.Notes())) {
        LedgerHarness user = new LedgerHarness(store, 1);
        user.fence();
        assertInstanceOf(LedgerResult.Appended.class, user.append(next));
      }
      try (LocalLedgerStore store =
          LedgerHarness.open(directory, disk.powerLoss(), new LedgerHarness.Notes())) {
        assertEquals(
            List.of(written.entries().get(0), next), new LedgerHarness(store, 1).readAll(1));
      }
    }
  }

  @Test
  void aHoleInABatchThatWasDurableIsDamage() throws IOException {
    Written written = writeBatch(true);
    for (int i = 0; i <= 3; i++) {
      byte[] bytes = written.firstSegment();
      bytes[(int) (written.offsets().get(i) + 20)] ^= 1;
      assertCorrupt(with(written, bytes), FIRST, written.offsets().get(i));
    }
  }

  @Test
  void damageThatComesLaterIsNotServed() throws IOException {
    Written written = write(100);
    SimulatedDisk disk = SimulatedDisk.holding(written.files(), 0);
    LedgerHarness.Notes notes = new LedgerHarness.Notes();
    try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
      LedgerHarness user = new LedgerHarness(store, 1);
      disk.damage(FIRST, (int) (written.offsets().get(50) + 8));
      LedgerResult.Entries before =
          assertInstanceOf(LedgerResult.Entries.class, user.read(40, 300));
      assertEquals(new Position(40), before.entries().getFirst().first());
      LedgerResult.Failed failed = assertInstanceOf(LedgerResult.Failed.class, user.read(51, 300));
      assertTrue(failed.detail().contains(FIRST), failed.detail());
      assertTrue(failed.detail().contains("offset " + written.offsets().get(50)));
      assertEquals(1, notes.warnings().size());
    }
  }

  @Test
  void entriesHoldWhatTheFormatSays() {
    LedgerEntry entry = new LedgerEntry(new Position(7), List.of(Bytes.utf8("ab"), Bytes.EMPTY));
    byte[] header = EntryFormat.header(entry, 5, 4096);
    byte[] body = {0, 0, 0, 2, 'a', 'b', 0, 0, 0, 0};
    byte[] all = Arrays.copyOf(header, header.length + body.length);
    System.arraycopy(body, 0, all, header.length, body.length);
    EntryFormat.Header read = EntryFormat.header(ByteBuffer.wrap(all), 0);
    assertTrue(read.isPlausible(4096, 4096 + all.length, 6));
    assertTrue(!read.isPlausible(4096, 4096 + all.length, 7), "a position of an older segment");
    assertTrue(EntryFormat.checks(read, all, 0, 5));
    assertTrue(!EntryFormat.checks(read, all, 0, 6), "the salt of another segment");
    assertEquals(entry, EntryFormat.decode(read, all, 0).orElseThrow());
    assertEquals(all.length, EntryFormat.bytes(entry));
  }
}
