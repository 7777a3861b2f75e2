package org.ecstore.sim.probe;

/**
 * Counts what the changed classes of one class loader do: how often the place of a mutation is
 * reached, and how often any loop goes round. Mutants of other loaders have another one, so no two
 * threads share it.
 */
public final class Probe {
  /** A run went round its loops more often than any run that gets on. */
  public static final class OutOfSteps extends Error {
    OutOfSteps() {
      super("loops go round without end", null, false, false);
    }
  }

  private static long reached;
  private static long steps;
  private static long stepsMax;

  private Probe() {}

  /** Counts from zero. */
  public static void begin(long most) {
    reached = 0;
    steps = 0;
    stepsMax = most;
  }

  /** The mutated instruction is about to be executed; called by changed bytecode. */
  public static void reach() {
    reached++;
  }

  /** A loop goes round; called by changed bytecode. */
  public static void step() {
    if (++steps > stepsMax) {
      throw new OutOfSteps();
    }
  }

  public static long reached() {
    return reached;
  }

  public static long steps() {
    return steps;
  }
}
