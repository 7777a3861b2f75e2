package org.ecstore.server.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.ledger.SimulatedDisk.Fault;
import org.ecstore.server.ledger.SimulatedDisk.Operation;
import org.ecstore.server.ledger.segment.SegmentHeader;
import org.ecstore.server.ledger.segment.WrongLedgerException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a ledger does while its disk is full or broken, and after. */
class DiskFailureTest {
  @TempDir private Path directory;

  private final LedgerHarness.Notes notes = new LedgerHarness.Notes();

  private static void fail(SimulatedDisk disk, Set<Operation> operations, Fault fault) {
    disk.faults((operation, count) -> operations.contains(operation) ? fault : Fault.NONE);
  }

  private static void heal(SimulatedDisk disk) {
    disk.faults((operation, count) -> Fault.NONE);
  }

  private static LedgerEntry other(long position) {
    return new LedgerEntry(new Position(position), List.of(Bytes.utf8("another " + position)));
  }

  private void assertKept(SimulatedDisk disk, List<LedgerEntry> expected) throws IOException {
    try (LocalLedgerStore store =
        LedgerHarness.open(directory, disk.powerLoss(), new LedgerHarness.Notes())) {
      assertEquals(expected, new LedgerHarness(store, 9).readAll(1));
    }
  }

  @Test
  void withoutRoomForASegmentAppendsAreRejectedUntilThereIsSome() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    List<LedgerEntry> kept = new ArrayList<>();
    try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
      LedgerHarness user = new LedgerHarness(store, 1);
      user.fence();
      fail(disk, Set.of(Operation.CREATE), Fault.FULL);
      LedgerResult result = user.append(LedgerHarness.entry(1, 1000));
      for (int i = 2; result instanceof LedgerResult.Appended; i++) {
        kept.add(LedgerHarness.entry(i - 1, 1000));
        result = user.append(LedgerHarness.entry(i, 1000));
      }
      assertTrue(assertInstanceOf(LedgerResult.Rejected.class, result).outOfSpace());
      assertTrue(kept.size() > 5, "the first segment was filled");
      int next = kept.size() + 1;
      LedgerResult again = user.append(LedgerHarness.entry(next + 1, 10));
      assertInstanceOf(LedgerResult.Rejected.class, again, "not before a fence");
      assertInstanceOf(LedgerResult.Fenced.class, user.fence());
      again = user.append(LedgerHarness.entry(next, 1000));
      assertTrue(assertInstanceOf(LedgerResult.Rejected.class, again).outOfSpace());
      assertEquals(kept, user.readAll(1), "reads go on");
      heal(disk);
      assertEquals(new LedgerResult.Fenced(new Position(1), kept.getLast().last()), user.fence());
      kept.add(other(next));
      assertInstanceOf(LedgerResult.Appended.class, user.append(other(next)));
      assertEquals(kept, user.readAll(1));
    }
    assertKept(disk, kept);
    assertTrue(notes.warnings().stream().anyMatch(text -> text.contains("no room")));
  }

  @Test
  void withoutRoomInTheMiddleOfAWriteTheSegmentIsCutBack() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      List<LedgerEntry> kept = new ArrayList<>();
      try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
        LedgerHarness user = new LedgerHarness(store, 1);
        user.fence();
        kept.add(LedgerHarness.entry(1, 100));
        user.append(kept.getFirst());
        fail(disk, Set.of(Operation.WRITE), Fault.FULL);
        LedgerResult result = user.append(LedgerHarness.entry(2, 3000));
        assertTrue(assertInstanceOf(LedgerResult.Rejected.class, result).outOfSpace());
        assertEquals(kept, user.readAll(1));
        heal(disk);
        assertEquals(new LedgerResult.Fenced(new Position(1), new Position(1)), user.fence());
        kept.add(other(2));
        assertInstanceOf(LedgerResult.Appended.class, user.append(other(2)));
      }
      assertKept(disk, kept);
    }
  }

  @Test
  void aWriteThatCannotBeCutBackIsUnknownAndGoneWithTheNextFence() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      LedgerEntry first = LedgerHarness.entry(1, 100);
      try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
        LedgerHarness user = new LedgerHarness(store, 1);
        user.fence();
        user.append(first);
        disk.faults(
            (operation, count) ->
                switch (operation) {
                  case WRITE -> Fault.FULL;
                  case TRUNCATE, CREATE -> Fault.BROKEN;
                  default -> Fault.NONE;
                });
        assertInstanceOf(
            LedgerResult.AppendUnknown.class, user.append(LedgerHarness.entry(2, 3000)));
        assertInstanceOf(LedgerResult.Failed.class, user.fence(), "doubt cannot be settled");
        assertInstanceOf(LedgerResult.AppendUnknown.class, user.append(other(3)));
        heal(disk);
        assertEquals(new LedgerResult.Fenced(new Position(1), new Position(1)), user.fence());
        assertInstanceOf(LedgerResult.Appended.class, user.append(other(2)));
        assertEquals(List.of(first, other(2)), user.readAll(1));
      }
      assertKept(disk, List.of(first, other(2)));
    }
  }

  @Test
  void aFailedForceIsNeverTrusted() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      LedgerEntry first = LedgerHarness.entry(1, 100);
      try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
        LedgerHarness user = new LedgerHarness(store, 1);
        user.fence();
        user.append(first);
        disk.faults(
            (operation, count) ->
                operation == Operation.FORCE && count == 1 ? Fault.BROKEN : Fault.NONE);
        assertInstanceOf(
            LedgerResult.AppendUnknown.class, user.append(LedgerHarness.entry(2, 2000)));
        assertEquals(List.of(first), user.readAll(1), "not durable, not seen");
        // The disk works again: a second force of the same file would be told that all is well.
        assertInstanceOf(LedgerResult.AppendUnknown.class, user.append(LedgerHarness.entry(3, 10)));
        assertEquals(new LedgerResult.Fenced(new Position(1), new Position(1)), user.fence());
        assertInstanceOf(LedgerResult.Appended.class, user.append(other(2)));
        assertEquals(List.of(first, other(2)), user.readAll(1));
      }
      assertKept(disk, List.of(first, other(2)));
    }
  }

  @Test
  void whatAFailedForceLeftReadableIsDurableOnceItWasServed() throws IOException {
    int found = 0;
    for (int seed = 0; seed < 20; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      List<LedgerEntry> entries = List.of(LedgerHarness.entry(1, 100), LedgerHarness.entry(2, 900));
      try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
        LedgerHarness user = new LedgerHarness(store, 1);
        user.fence();
        user.append(entries.get(0));
        fail(disk, Set.of(Operation.FORCE), Fault.BROKEN);
        assertInstanceOf(LedgerResult.AppendUnknown.class, user.append(entries.get(1)));
      }
      heal(disk);
      // The process ends here and starts again; the system's cache still shows the entry.
      List<LedgerEntry> served;
      try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
        served = new LedgerHarness(store, 1).readAll(1);
      }
      assertEquals(entries, served);
      assertKept(disk, served);
      found++;
    }
    assertEquals(20, found);
  }

  @Test
  void everythingInFlightFailsWithTheForceInOrder() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(3);
    try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
      LedgerHarness user = new LedgerHarness(store, 1);
      user.fence();
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch submitted = new CountDownLatch(1);
      disk.faults(
          (operation, count) -> {
            if (operation == Operation.FORCE && count == 1) {
              begun.countDown();
              LedgerHarness.await(submitted);
            }
            return operation == Operation.FORCE && count == 2 ? Fault.BROKEN : Fault.NONE;
          });
      List<Long> tokens = new ArrayList<>();
      for (int i = 1; i <= 40; i++) {
        tokens.add(user.beginAppend(LedgerHarness.entry(i, 200)));
        LedgerHarness.await(begun);
      }
      submitted.countDown();
      List<LedgerEntry> kept = new ArrayList<>();
      boolean failed = false;
      for (int i = 1; i <= 40; i++) {
        LedgerResult result = user.await(tokens.get(i - 1));
        if (result instanceof LedgerResult.Appended) {
          assertTrue(!failed, "nothing is appended after a failure");
          kept.add(LedgerHarness.entry(i, 200));
        } else {
          assertInstanceOf(LedgerResult.AppendUnknown.class, result);
          failed = true;
        }
      }
      assertTrue(failed && !kept.isEmpty(), "the second force failed");
      assertEquals(kept.getLast().last(), ((LedgerResult.Fenced) user.fence()).last());
      assertEquals(kept, user.readAll(1));
    }
  }

  @Test
  void aSegmentThatMayOrMayNotHaveBegunTakesNothingAway() throws IOException {
    for (int seed = 0; seed < 20; seed++) {
      SimulatedDisk disk = new SimulatedDisk(seed);
      List<LedgerEntry> kept = new ArrayList<>();
      try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
        LedgerHarness user = new LedgerHarness(store, 1);
        user.fence();
        kept.add(LedgerHarness.entry(1, 9000));
        user.append(kept.getFirst());
        fail(disk, Set.of(Operation.RENAME), Fault.BROKEN);
        assertInstanceOf(LedgerResult.Rejected.class, user.append(LedgerHarness.entry(2, 9000)));
        heal(disk);
        user.fence();
        // It would fit into the first segment, but a second one may say that the first has ended.
        kept.add(other(2));
        assertInstanceOf(LedgerResult.Appended.class, user.append(other(2)));
      }
      assertKept(disk, kept);
    }
  }

  @Test
  void aTrimThatFailsMayBeTriedAgain() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    List<LedgerEntry> entries = new ArrayList<>();
    try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
      LedgerHarness user = new LedgerHarness(store, 1);
      user.fence();
      for (int i = 1; i <= 50; i++) {
        entries.add(LedgerHarness.entry(i, 1000));
        user.append(entries.getLast());
      }
      fail(disk, Set.of(Operation.RENAME, Operation.DELETE), Fault.BROKEN);
      assertInstanceOf(LedgerResult.Failed.class, user.trim(40));
      assertEquals(entries, user.readAll(1));
      heal(disk);
      Position first = assertInstanceOf(LedgerResult.TrimDone.class, user.trim(40)).first();
      assertTrue(first.value() > 10 && first.value() <= 40);
      assertEquals(entries.subList((int) first.value() - 1, 50), user.readAll(first.value()));
    }
  }

  @Test
  void tooMuchAtOnceIsRejectedInOrderAndNeedsAFence() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    LedgerSettings tight = new LedgerSettings(16 << 10, 1000, 3000, 1000, 0);
    try (LocalLedgerStore store =
        LocalLedgerStore.open(
            DirectoryLock.acquire(directory), disk, LedgerHarness.CLUSTER, tight, notes)) {
      LedgerHarness user = new LedgerHarness(store, 1);
      user.fence();
      CountDownLatch submitted = new CountDownLatch(1);
      disk.faults(
          (operation, count) -> {
            if (operation == Operation.FORCE && count == 1) {
              LedgerHarness.await(submitted);
            }
            return Fault.NONE;
          });
      List<Long> tokens = new ArrayList<>();
      for (int i = 1; i <= 20; i++) {
        tokens.add(user.beginAppend(LedgerHarness.entry(i, 500)));
      }
      submitted.countDown();
      int appended = 0;
      for (int i = 0; i < 20; i++) {
        LedgerResult result = user.await(tokens.get(i));
        if (result instanceof LedgerResult.Appended) {
          assertEquals(i, appended, "nothing is appended after a rejection");
          appended++;
        } else {
          assertInstanceOf(LedgerResult.Rejected.class, result);
        }
      }
      assertTrue(appended >= 1 && appended < 20, "appended " + appended);
      assertEquals(appended, ((LedgerResult.Fenced) user.fence()).last().value());
      assertInstanceOf(LedgerResult.Appended.class, user.append(other(appended + 1)));
    }
  }

  @Test
  void aClosedLedgerRefusesEverything() throws IOException {
    LocalLedgerStore store =
        LedgerHarness.open(directory, new SimulatedDisk(1), new LedgerHarness.Notes());
    LedgerHarness user = new LedgerHarness(store, 1);
    user.fence();
    store.close();
    assertInstanceOf(LedgerResult.Rejected.class, user.append(other(1)));
    assertInstanceOf(LedgerResult.Failed.class, user.read(1, 100));
    assertInstanceOf(LedgerResult.Failed.class, user.trim(1));
    assertInstanceOf(LedgerResult.Failed.class, user.fence());
  }

  @Test
  void anotherClustersLedgerIsRefused() throws IOException {
    LedgerSettings settings = LedgerHarness.SMALL;
    LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, settings, notes).close();
    UUID wrong = new UUID(8, 8);
    WrongLedgerException refused =
        assertThrows(
            WrongLedgerException.class,
            () -> LocalLedgerStore.open(directory, wrong, settings, notes).close());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(wrong.toString()), message);
    assertTrue(message.contains(LedgerHarness.CLUSTER.toString()), message);
    LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, settings, notes).close();
  }

  @Test
  void aLedgerIsOpenOnce() throws IOException {
    LedgerSettings settings = LedgerHarness.SMALL;
    LocalLedgerStore first =
        LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, settings, notes);
    assertThrows(
        DirectoryInUseException.class,
        () -> LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, settings, notes).close());
    first.close();
    LocalLedgerStore.open(directory, LedgerHarness.CLUSTER, settings, notes).close();
  }

  @Test
  void anUnfinishedSegmentIsNoLedger() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(1);
    disk.create(LocalLedgerStore.UNFINISHED, 500).close();
    try (LocalLedgerStore store = LedgerHarness.open(directory, disk, notes)) {
      LedgerHarness user = new LedgerHarness(store, 1);
      user.fence();
      assertInstanceOf(LedgerResult.Appended.class, user.append(other(1)));
    }
    assertEquals(Set.of(SegmentHeader.fileName(1)), disk.contents().keySet());
  }
}
