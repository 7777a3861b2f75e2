package org.ecstore.replication.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;

class KeptWritesTest {
  private final KeptWrites kept = new KeptWrites(new Position(10));

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
    KeptWrites.Part part = kept.between(at(10), at(13));
    assertEquals(at(13), part.through());
    assertEquals(commit(12, 1), part.writes());
    assertEquals(2, kept.between(at(11), at(20)).writes().size());
    assertEquals(List.of(), kept.between(at(14), at(20)).writes());
  }

  @Test
  void aPartThatIsFullEndsWithItsLastCommit() {
    kept.add(at(11), commit(11, 1 << 20));
    kept.add(at(12), commit(12, 1));
    KeptWrites.Part part = kept.between(at(10), at(15));
    assertEquals(at(11), part.through());
    assertEquals(1, part.writes().size());
    assertEquals(at(15), kept.between(part.through(), at(15)).through());
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
}
