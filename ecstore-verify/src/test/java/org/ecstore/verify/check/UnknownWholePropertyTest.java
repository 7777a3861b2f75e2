package org.ecstore.verify.check;

import static org.ecstore.verify.check.HandMade.SESSION;
import static org.ecstore.verify.check.HandMade.nothing;
import static org.ecstore.verify.check.HandMade.value;
import static org.ecstore.verify.check.HandMade.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.ecstore.verify.history.MicroOp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Registers, blindly written two at a time; of many transactions the outcome stays unknown. A store
 * that did such a one wholly or not at all is never accused; one that did half of it is found out.
 */
@Timeout(120)
class UnknownWholePropertyTest {
  private static final int SEEDS = 300;
  private static final int KEYS = 3;
  private static final int TRANSACTIONS = 25;

  private static HandMade history(long seed, boolean torn) {
    Random random = new Random(seed);
    HandMade made = new HandMade();
    Map<Long, TreeMap<Long, Long>> versions = new TreeMap<>();
    for (long key = 0; key < KEYS; key++) {
      of(versions, key);
    }
    long position = 1;
    long process = 0;
    for (long i = 1; i <= TRANSACTIONS; i++) {
      long first = random.nextInt(KEYS);
      long second = (first + 1) % KEYS;
      process++;
      made.invoke(process, write(first, 10 * i), write(second, 10 * i + 1));
      boolean unknown = random.nextInt(3) == 0;
      if (!unknown || random.nextBoolean()) {
        position += 1 + random.nextInt(2);
        of(versions, first).put(position, 10 * i);
        if (!torn || !unknown) {
          of(versions, second).put(position, 10 * i + 1);
        }
      }
      if (unknown) {
        made.info(process);
      } else {
        made.ok(process, position - 1, position);
      }
      for (int reads = random.nextInt(3); reads > 0; reads--) {
        read(made, versions, ++process, 1 + random.nextInt((int) position), random);
      }
    }
    read(made, versions, ++process, position, null);
    return made;
  }

  private static TreeMap<Long, Long> of(Map<Long, TreeMap<Long, Long>> versions, long key) {
    return versions.computeIfAbsent(key, _ -> new TreeMap<>());
  }

  /** Reads every key at a snapshot, or chance keys. */
  private static void read(
      HandMade made,
      Map<Long, TreeMap<Long, Long>> versions,
      long process,
      long snapshot,
      @Nullable Random random) {
    List<MicroOp> seen = new ArrayList<>();
    versions.forEach(
        (key, history) -> {
          if (random == null || random.nextBoolean()) {
            var version = history.floorEntry(snapshot);
            seen.add(version == null ? nothing(key) : value(key, version.getValue()));
          }
        });
    made.done(process, snapshot, 0, seen.toArray(MicroOp[]::new));
  }

  @Test
  void wholeTransactionsAreNeverAccused() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Report report = history(seed, false).check(SESSION);
      assertEquals(Map.of(), report.counts(), "seed " + seed + ": " + report);
    }
  }

  @Test
  void halfTransactionsAreFound() {
    int found = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      found += history(seed, true).kinds(SESSION).contains("fractured") ? 1 : 0;
    }
    assertTrue(found > SEEDS / 2, "found in " + found + " of " + SEEDS);
  }
}
