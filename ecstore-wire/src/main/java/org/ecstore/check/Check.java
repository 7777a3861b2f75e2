package org.ecstore.check;

/**
 * Assertions that are always on. A failed check is a bug in ecStore, never bad input: it stops the
 * node that found it (its event loop does not go on with a state it does not understand).
 */
public final class Check {
  private Check() {}

  /** A bug was found: the state contradicts an invariant. */
  public static final class Failed extends IllegalStateException {
    public Failed(String message) {
      super(message);
    }
  }

  /** Throws {@link Failed} with the constant text unless the condition holds. */
  public static void that(boolean condition, String invariant) {
    if (!condition) {
      throw new Failed(invariant);
    }
  }

  /** As {@link #that(boolean, String)}, with two values for the reader of the failure. */
  public static void that(boolean condition, String invariant, Object first, Object second) {
    if (!condition) {
      throw new Failed(invariant + ": " + first + ", " + second);
    }
  }
}
