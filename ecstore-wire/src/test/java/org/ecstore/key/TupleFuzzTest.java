package org.ecstore.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.wire.Mutations;
import org.junit.jupiter.api.Test;

class TupleFuzzTest {
  private static final int INPUTS = 100_000;

  /** Whatever decodes has no other encoding. */
  @Test
  void noBytesDoHarmAsATuple() {
    List<Bytes> valid = new ArrayList<>();
    for (long seed = 0; seed < 500; seed++) {
      valid.add(new RandomTuples(seed).next().encode());
    }
    Mutations mutations = new Mutations(1, valid);
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < INPUTS; i++) {
      Bytes encoded = mutations.next();
      try {
        assertEquals(encoded, Tuple.decode(encoded).encode());
        passed++;
      } catch (MalformedTupleException expected) {
        refused++;
      } catch (RuntimeException e) {
        fail("input " + i + ": " + encoded, e);
      }
    }
    assertTrue(passed > INPUTS / 50 && refused > INPUTS / 50, "some pass and some do not");
  }
}
