package org.ecstore.replication.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.ecstore.check.Check;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KeptWritesTest {
  private static final long PART = 1 << 20;

  private final KeptWrites.Together together = new KeptWrites.Together();
  private final KeptWrites kept = new KeptWrites(new Position(10), together);

  private static Position at(long number) {
    return new Position(number);
  }

  private static List<VersionedWrite> commit(long number, int valueBytes) {
    return List.of(
        new VersionedWrite(
            Bytes.utf8("k"), at(number), Optional.of(Bytes.wrap(new byte[valueBytes]))));
  }

  @Test
  void partsAreInOrderOfNumbersHoweverTheyCame() {
    assertTrue(kept.add(at(14), commit(14, 1)));
    assertTrue(kept.add(at(12), commit(12, 1)));
    assertFalse(kept.add(at(10), commit(10, 1)), "nothing at or below the beginning");
    KeptWrites.Part part = kept.between(at(10), at(13), PART);
    assertEquals(at(13), part.through());
    assertEquals(commit(12, 1), part.writes());
    assertEquals(2, kept.between(at(11), at(20), PART).writes().size());
    assertEquals(List.of(), kept.between(at(14), at(20), PART).writes());
  }

  @Test
  void aPartThatIsFullEndsWithItsLastCommit() {
    kept.add(at(11), commit(11, 1 << 20));
    kept.add(at(12), commit(12, 1));
    KeptWrites.Part part = kept.between(at(10), at(15), PART);
    assertEquals(at(11), part.through());
    assertEquals(1, part.writes().size());
    assertEquals(at(15), kept.between(part.through(), at(15), PART).through());
  }

  @Test
  void whatIsForgottenMovesTheBeginning() {
    for (long number = 11; number <= 15; number++) {
      kept.add(at(number), commit(number, 100));
    }
    long each = kept.bytes() / 5;
    kept.add(at(15), commit(15, 100));
    assertEquals(5 * each, kept.bytes(), "the same commit once more takes no more");
    kept.forgetUntil(3 * each);
    assertEquals(at(12), kept.from());
    kept.forgetThrough(at(14));
    assertEquals(at(14), kept.from());
    kept.forgetThrough(at(20));
    assertTrue(kept.isEmpty());
    assertEquals(at(15), kept.from(), "only what was there is known to be gone");
    assertEquals(0, kept.bytes());
  }

  @Test
  void whatIsKeptTogetherIsTheSumWhateverHappens() {
    Random random = new Random(1);
    List<KeptWrites> all = new ArrayList<>(List.of(kept));
    for (int step = 0; step < 20_000; step++) {
      int which = random.nextInt(all.size());
      KeptWrites one = all.get(which);
      long number = random.nextLong(11, 111);
      switch (random.nextInt(8)) {
        case 0 -> one.forgetThrough(at(number));
        case 1 -> one.forgetUntil(random.nextInt(2_000));
        case 2 -> together.forgetUntil(random.nextInt(20_000), all);
        case 3 -> all.add(new KeptWrites(at(10), together));
        case 4 -> {
          if (all.size() > 1) {
            all.remove(which).end();
            one.add(at(number), commit(number, 50));
            assertEquals(0, one.bytes(), "an end is for good");
          }
        }
        default -> one.add(at(number), random.nextBoolean() ? commit(number, 50) : List.of());
      }
      assertEquals(all.stream().mapToLong(KeptWrites::bytes).sum(), together.bytes());
    }
  }

  @Test
  void roomIsMadeWhereMostIsKept() {
    KeptWrites other = new KeptWrites(at(10), together);
    other.add(at(11), commit(11, 10));
    for (long number = 11; number <= 18; number++) {
      kept.add(at(number), commit(number, 1_000));
    }
    together.forgetUntil(together.bytes() - 1, List.of(kept, other));
    assertEquals(at(14), kept.from(), "half of it is gone");
    assertEquals(at(10), other.from());
  }

  @Test
  @Timeout(10)
  void roomThatCannotBeMadeIsABug() {
    kept.add(at(11), commit(11, 1_000));
    assertThrows(Check.Failed.class, () -> together.forgetUntil(100, List.of()));
    KeptWrites other = new KeptWrites(at(10));
    assertThrows(Check.Failed.class, () -> together.forgetUntil(100, List.of(other)));
  }

  @Test
  void whatIsKeptDoesNotChangeWithTheListItCameIn() {
    List<VersionedWrite> writes = new ArrayList<>(commit(11, 1_000));
    kept.add(at(11), writes);
    writes.clear();
    assertEquals(commit(11, 1_000), kept.between(at(10), at(11), PART).writes());
    kept.forgetThrough(at(11));
    assertEquals(0, together.bytes());
  }

  @Test
  void commitsWithoutWritesTakeRoomToo() {
    for (long number = 11; number <= 1_000; number++) {
      kept.add(at(number), List.of());
      kept.forgetUntil(1_000);
    }
    assertTrue(kept.from().isAfter(at(900)), () -> kept.from().toString());
  }
}
