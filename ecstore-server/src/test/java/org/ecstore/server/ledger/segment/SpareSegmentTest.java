package org.ecstore.server.ledger.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.testing.Await;
import org.ecstore.server.ledger.FullDisk;
import org.ecstore.server.ledger.LedgerHarness;
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.server.ledger.LedgerWriter;
import org.ecstore.server.ledger.LocalLedgerStore;
import org.ecstore.server.ledger.SimulatedDisk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Segments that are made ahead of need, on a real disk. */
@Timeout(300)
class SpareSegmentTest {
  private static final int SEGMENT_BYTES = 16 << 20;
  private static final LedgerSettings SETTINGS =
      LedgerSettings.DEFAULT.withSegmentBytes(SEGMENT_BYTES);

  @TempDir Path directory;

  private final LedgerHarness.Notes notes = new LedgerHarness.Notes();

  private static LedgerEntry megabyte(long position) {
    return LedgerHarness.entry(position, 1 << 20);
  }

  private static void append(LedgerHarness user, long first, long last) {
    for (long position = first; position <= last; position++) {
      assertInstanceOf(LedgerResult.Appended.class, user.append(megabyte(position)));
    }
  }

  private static void assertHolds(LedgerHarness user, long last) {
    assertEquals(
        LongStream.rangeClosed(1, last).mapToObj(SpareSegmentTest::megabyte).toList(),
        user.readAll(1));
  }

  private Set<String> segments() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      Set<String> names = new TreeSet<>();
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> SegmentHeader.numberIn(name) >= 0 || name.endsWith(".tmp"))
          .forEach(names::add);
      return names;
    }
  }

  private void awaitSpare() {
    Path spare = directory.resolve(SpareSegment.NAME);
    Await.until(
        "a spare segment is made", () -> Files.exists(spare) && Files.size(spare) >= SEGMENT_BYTES);
  }

  @Test
  void theNextSegmentIsThereBeforeItIsNeeded() throws Exception {
    try (LocalLedgerStore store =
        LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, SETTINGS, notes)) {
      LedgerHarness user = new LedgerHarness(store, 1);
      user.fence();
      append(user, 1, 7);
      assertEquals(Set.of(SegmentHeader.fileName(1)), segments());
      append(user, 8, 9);
      awaitSpare();
      append(user, 10, 17);
      assertEquals(Set.of(SegmentHeader.fileName(1), SegmentHeader.fileName(2)), segments());
      append(user, 18, 60); // Past further segments, whether or not the spare was ready.
      assertHolds(user, 60);
    }
    assertEquals(
        Set.of(
            SegmentHeader.fileName(1),
            SegmentHeader.fileName(2),
            SegmentHeader.fileName(3),
            SegmentHeader.fileName(4)),
        segments());
    try (LocalLedgerStore store =
        LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, SETTINGS, notes)) {
      assertHolds(new LedgerHarness(store, 1), 60);
    }
  }

  @Test
  void aSpareThatACrashLeftIsTakenAway() throws IOException {
    LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, SETTINGS, notes).close();
    Files.write(directory.resolve(SpareSegment.NAME), new byte[1000]);
    LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, SETTINGS, notes).close();
    assertEquals(Set.of(SegmentHeader.fileName(1)), segments());
  }

  @Test
  void whenTheDiskFillsUpWhileASpareIsMadeAppendsAreRejectedUntilThereIsRoom() throws IOException {
    AtomicBoolean full = new AtomicBoolean();
    try (LocalLedgerStore store =
        FullDisk.open(directory, LedgerHarness.CLUSTER, SETTINGS, notes, full)) {
      LedgerHarness user = new LedgerHarness(store, 1);
      user.fence();
      append(user, 1, 9);
      full.set(true);
      LedgerResult.Rejected refused =
          assertInstanceOf(LedgerResult.Rejected.class, user.append(megabyte(10)));
      assertTrue(refused.outOfSpace());
      full.set(false);
      user.fence();
      append(user, 10, 40);
      assertHolds(user, 40);
    }
  }

  @Test
  void aTrimmedSegmentsFileIsTheNextSegments() throws Exception {
    try (LocalLedgerStore store =
        LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, SETTINGS, notes)) {
      LedgerHarness user = new LedgerHarness(store, 1);
      user.fence();
      append(user, 1, 20);
      assertInstanceOf(LedgerResult.TrimDone.class, user.trim(18));
      append(user, 21, 40);
      assertInstanceOf(LedgerResult.TrimDone.class, user.trim(38));
      append(user, 41, 60);
      long first = user.read(1, 1) instanceof LedgerResult.Trimmed it ? it.first().value() : 1;
      assertEquals(
          LongStream.rangeClosed(first, 60).mapToObj(SpareSegmentTest::megabyte).toList(),
          user.readAll(first));
    }
    try (LocalLedgerStore store =
        LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, SETTINGS, notes)) {
      LedgerHarness user = new LedgerHarness(store, 1);
      assertEquals(60, assertInstanceOf(LedgerResult.Fenced.class, user.fence()).last().value());
      assertEquals(megabyte(60), user.readAll(60).getFirst());
      append(user, 61, 62);
    }
    // What is behind the end is an older segment's, and no torn tail.
    assertEquals(List.of(), notes.warnings());
  }

  /** Or the writer would give the file kept meanwhile the name of its segment. */
  @Test
  void nothingIsKeptUnderTheNameOfAFileThatWasTaken() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    SpareSegment spare = new SpareSegment(disk, SEGMENT_BYTES);
    List<Segment> segments = new ArrayList<>();
    for (long number = 1; number <= 2; number++) {
      SegmentHeader header =
          new SegmentHeader(LedgerHarness.CLUSTER, number, 5, 0, 0, SEGMENT_BYTES, false);
      segments.add(LedgerWriter.create(disk, header));
    }
    assertTrue(spare.keep(segments.get(0)));
    SpareSegment.Spare taken = spare.take(SEGMENT_BYTES).orElseThrow();
    assertEquals(segments.get(0).file(), taken.file());
    assertFalse(spare.keep(segments.get(1)));
    assertTrue(disk.contents().containsKey(SegmentHeader.fileName(2)));
    spare.free();
    assertTrue(spare.keep(segments.get(1)));
    assertEquals(Set.of(SpareSegment.NAME), disk.contents().keySet());
  }
}
