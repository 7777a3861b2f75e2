package org.ecstore.key;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TuplePropertyTest {
  private static final int SEEDS = 100_000;

  @Test
  void byteOrderIsValueOrder() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomTuples random = new RandomTuples(seed);
      Tuple a = random.next();
      Tuple b = random.next();
      int expected = Integer.signum(a.compareTo(b));
      assertEquals(-expected, Integer.signum(b.compareTo(a)), message(seed, a, b));
      assertEquals(expected == 0, a.equals(b), message(seed, a, b));
      assertEquals(expected, Integer.signum(a.encode().compareTo(b.encode())), message(seed, a, b));
    }
  }

  @Test
  void sharedFirstElementsDoNotDisturbTheOrder() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomTuples random = new RandomTuples(seed);
      Tuple first = random.next();
      Tuple a = first.concat(random.next());
      Tuple b = first.concat(random.next());
      assertEquals(
          Integer.signum(a.compareTo(b)),
          Integer.signum(a.encode().compareTo(b.encode())),
          message(seed, a, b));
    }
  }

  @Test
  void tuplesComeBackAsTheyWere() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Tuple tuple = new RandomTuples(seed).next();
      assertEquals(tuple, Tuple.decode(tuple.encode()), message(seed, tuple, tuple));
    }
  }

  @Test
  void prefixRangesHoldExactlyTheTuplesThatBeginSo() {
    for (long seed = 0; seed < SEEDS; seed++) {
      RandomTuples random = new RandomTuples(seed);
      Tuple prefix = random.next();
      Tuple extended = prefix.concat(random.next());
      Tuple other = random.next();
      assertEquals(
          true, prefix.prefixRange().contains(extended.encode()), message(seed, prefix, extended));
      assertEquals(
          other.startsWith(prefix),
          prefix.prefixRange().contains(other.encode()),
          message(seed, prefix, other));
    }
  }

  private static String message(long seed, Tuple a, Tuple b) {
    return "seed " + seed + ": " + a + " and " + b;
  }
}
