package org.ecstore.sim.world;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A running hash of everything that happened, in order: two runs with equal hashes were the same
 * run. Optionally prints it too. Only values that are equal in every JVM may be mixed in, so no
 * identity hash codes and no {@code hashCode} of an enum or of a record that holds one.
 */
public final class Trace {
  private final @Nullable Consumer<String> printer;
  private long hash = 0x6a09e667f3bcc908L;
  private long events;

  public Trace(@Nullable Consumer<String> printer) {
    this.printer = printer;
  }

  /** Mixes one value in. */
  public void mix(long value) {
    hash = SimRandom.mix(hash * 31 + value);
  }

  /** Mixes a text in. */
  public void mix(String text) {
    mix(text.hashCode());
  }

  /** Counts one event delivered. */
  public void countEvent() {
    events++;
  }

  /** The hash so far. */
  public long hash() {
    return hash;
  }

  /** Events counted so far. */
  public long events() {
    return events;
  }

  /** Whether lines are printed. */
  public boolean prints() {
    return printer != null;
  }

  /** Prints a line if lines are wanted; the text is made only then. */
  public void line(Supplier<String> text) {
    if (printer != null) {
      printer.accept(text.get());
    }
  }
}
