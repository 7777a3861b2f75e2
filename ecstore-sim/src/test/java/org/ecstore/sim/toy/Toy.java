package org.ecstore.sim.toy;

import org.ecstore.check.Check;
import org.ecstore.id.Position;
import org.ecstore.sim.mutant.MutantProgram;
import org.ecstore.sim.mutant.SeedEnd;
import org.ecstore.sim.probe.Probe;

/**
 * A class so small that all its mutants are known, and a program that knows what it must answer.
 */
public final class Toy implements MutantProgram {
  private long cleared;

  @Override
  public SeedEnd run(long seed, long stepsMax) {
    Probe.begin(stepsMax);
    try {
      boolean right =
          smaller(1, 2) == 1
              && smaller(2, 1) == 1
              && smaller(1, 1) == 1
              && newer(new Position(2), new Position(1))
              && !newer(new Position(1), new Position(1))
              && after(new Position(4)).value() == 5
              && increased(4) == 5
              && clearedOnce() == 1
              && sum(3) == 6;
      return end(right ? SeedEnd.Found.NOT_AT_ALL : SeedEnd.Found.VIOLATION);
    } catch (Probe.OutOfSteps _) {
      return end(SeedEnd.Found.NO_PROGRESS);
    }
  }

  private static SeedEnd end(SeedEnd.Found found) {
    return new SeedEnd(found, "", Probe.reached(), Probe.steps());
  }

  static int smaller(int a, int b) {
    if (a < b) {
      return a;
    }
    return b;
  }

  static boolean newer(Position a, Position b) {
    return a.isAfter(b);
  }

  static Position after(Position a) {
    return a.next();
  }

  static long increased(long a) {
    return a + 1;
  }

  private long clearedOnce() {
    clear(7L, this);
    return cleared;
  }

  private void clear(long wide, Toy other) {
    Check.that(wide == 7, "it is seven");
    other.cleared++;
  }

  static int sum(int most) {
    int sum = 0;
    int i = 0;
    while (i < most) {
      i = i + 1;
      sum += i;
    }
    return sum;
  }

  static int unused(int a) {
    return a > 0 ? 1 : 2;
  }
}
