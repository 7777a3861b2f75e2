package org.ecstore.server.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.server.ledger.SimulatedDisk.Fault;
import org.ecstore.server.ledger.SimulatedDisk.Operation;
import org.ecstore.server.ledger.segment.SegmentHeader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bursts of appends, and trims, while the disk fails and the power goes at random operations. After
 * each fence and each reopening: every acknowledged entry is there, no rejected one is, an unknown
 * one is there from the next fence on for ever or never, and all is in order, from the first one on
 * that was not to be trimmed; whether or not a segment's file was an older one's.
 */
class PowerLossPropertyTest {
  private static final int SEEDS = 300;
  private static final int ROUNDS = 6;
  private static final List<Fault> FAULTS = List.of(Fault.FULL, Fault.BROKEN, Fault.POWER_LOSS);
  private static final List<Operation> OPERATIONS =
      List.of(
          Operation.CREATE,
          Operation.WRITE,
          Operation.WRITE,
          Operation.FORCE,
          Operation.FORCE,
          Operation.RENAME,
          Operation.DELETE,
          Operation.TRUNCATE);

  /** The last byte of a header's field. */
  private static final int REUSED_AT = 75;

  @TempDir private Path directory;

  private final Map<Fault, Integer> struck = new EnumMap<>(Fault.class);
  private int lost;
  private int reused;

  @Test
  @Tag("slow")
  void whatIsAcknowledgedSurvivesAndWhatIsNotIsConsistent() throws IOException {
    for (int seed = 0; seed < SEEDS; seed++) {
      try {
        new Run(seed).go();
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
    for (Fault fault : FAULTS) {
      assertTrue(struck.getOrDefault(fault, 0) > 50, "faults that struck: " + struck);
    }
    assertTrue(lost > 50, "unknown entries that were lost: " + lost);
    assertTrue(reused > 200, "segments in files of older ones: " + reused);
  }

  private final class Run {
    private final long seed;
    private final Random random;
    private SimulatedDisk disk;

    /** What the ledger held at the last fence: settled for ever. */
    private List<LedgerEntry> settled = new ArrayList<>();

    /** What was appended since, and what became of it, if anything did. */
    private final Map<LedgerEntry, LedgerResult> since = new LinkedHashMap<>();

    private int attempts;

    /** Below this it may have been trimmed. */
    private long trimmedBelow;

    Run(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.disk = new SimulatedDisk(seed);
    }

    void go() throws IOException {
      for (int round = 0; round < ROUNDS; round++) {
        LocalLedgerStore store;
        try {
          store = LedgerHarness.open(directory, disk, new LedgerHarness.Notes());
        } catch (CorruptLedgerException e) {
          throw new AssertionError("a crash was taken for damage", e);
        } catch (IOException e) {
          // The power went, or the disk failed, while opening: tried again, perhaps at once.
          disk.faults((operation, count) -> Fault.NONE);
          if (disk.isOff() || random.nextBoolean()) {
            disk = disk.powerLoss();
          }
          continue;
        }
        try {
          strike();
          use(new LedgerHarness(store, 1 + random.nextInt(3)));
        } finally {
          disk.faults((operation, count) -> Fault.NONE);
          disk = random.nextBoolean() ? disk.powerLoss() : disk;
          LedgerHarness.close(store);
        }
        disk.contents()
            .forEach(
                (name, bytes) ->
                    reused += SegmentHeader.numberIn(name) > 0 && bytes[REUSED_AT] != 0 ? 1 : 0);
        if (random.nextBoolean() && !disk.isOff()) {
          strike();
        }
      }
      disk = disk.powerLoss();
      try (LocalLedgerStore store =
          LedgerHarness.open(directory, disk, new LedgerHarness.Notes())) {
        settle(new LedgerHarness(store, 1));
      }
    }

    /** Lets one operation to come fail, or several in a row. */
    private void strike() {
      Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
      Operation operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
      int first = 1 + random.nextInt(operation == Operation.CREATE ? 2 : 12);
      int last = first + random.nextInt(3);
      disk.faults(
          (begun, count) -> {
            if (begun != operation || count < first || count > last) {
              return Fault.NONE;
            }
            struck.merge(fault, 1, Integer::sum);
            return fault;
          });
    }

    private void use(LedgerHarness user) {
      for (int burst = 0; burst < 5 && !disk.isOff(); burst++) {
        if (!(settle(user) instanceof LedgerResult.Fenced fenced)) {
          continue;
        }
        long last = fenced.last().value();
        long position = last + 1 + random.nextInt(3);
        Map<Long, LedgerEntry> tokens = new LinkedHashMap<>();
        for (int i = random.nextInt(12); i >= 0; i--) {
          LedgerEntry entry = fresh(position, last);
          last = entry.last().value();
          position = last + 1;
          tokens.put(user.beginAppend(entry), entry);
        }
        tokens.forEach((token, entry) -> since.put(entry, user.await(token)));
        if (random.nextBoolean()) {
          trimmedBelow = Math.max(trimmedBelow, 1 + random.nextLong(position));
          user.trim(trimmedBelow);
        }
      }
    }

    private LedgerEntry fresh(long position, long after) {
      List<Bytes> records = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        byte[] record = new byte[random.nextInt(random.nextInt(8) == 0 ? 9000 : 600)];
        random.nextBytes(record);
        records.add(Bytes.utf8("attempt " + attempts++).concat(Bytes.wrap(record)));
      }
      return new LedgerEntry(new Position(position), records, new Position(after));
    }

    /** Fences, and compares the ledger with what was said of it. */
    private LedgerResult settle(LedgerHarness user) {
      LedgerResult result = user.fence();
      if (!(result instanceof LedgerResult.Fenced fenced)) {
        return result;
      }
      long first =
          user.read(1, 1) instanceof LedgerResult.Trimmed trimmed ? trimmed.first().value() : 1;
      List<LedgerEntry> found = user.readAll(first);
      for (int i = 1; i < found.size(); i++) {
        assertEquals(found.get(i - 1).last(), found.get(i).after(), "what an entry follows");
      }
      if (first == 1 || !found.isEmpty()) {
        assertEquals(found.isEmpty() ? 0 : found.getLast().last().value(), fenced.last().value());
      }
      while (!settled.isEmpty() && settled.getFirst().first().value() < first) {
        assertTrue(settled.removeFirst().last().value() < trimmedBelow, "trimmed");
      }
      since.keySet().removeIf(entry -> entry.last().value() < Math.min(first, trimmedBelow));
      assertEquals(settled, found.subList(0, settled.size()), "settled entries");
      List<LedgerEntry> rest = new ArrayList<>(found.subList(settled.size(), found.size()));
      since.forEach(
          (entry, outcome) -> {
            boolean there = !rest.isEmpty() && rest.getFirst().equals(entry);
            if (there) {
              rest.removeFirst();
            }
            switch (outcome) {
              case LedgerResult.Appended done -> assertTrue(there, "acknowledged and lost");
              case LedgerResult.Rejected no -> assertTrue(!there, "rejected and there");
              default -> {
                assertInstanceOf(LedgerResult.AppendUnknown.class, outcome);
                lost += there ? 0 : 1;
              }
            }
          });
      assertEquals(List.of(), rest, "entries that no node appended since the last fence");
      settled = found;
      since.clear();
      return result;
    }

    @Override
    public String toString() {
      return "seed " + seed;
    }
  }
}
