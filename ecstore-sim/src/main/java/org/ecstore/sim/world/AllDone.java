package org.ecstore.sim.world;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Whether all of some are done. Who is done stays so, and is not asked again: this is asked before
 * each event.
 */
public final class AllDone<T> implements BooleanSupplier {
  private final List<T> all;
  private final Predicate<T> isDone;
  private int done;

  /** Asks these, in order. */
  public AllDone(List<T> all, Predicate<T> isDone) {
    this.all = List.copyOf(all);
    this.isDone = isDone;
  }

  @Override
  public boolean getAsBoolean() {
    while (done < all.size() && isDone.test(all.get(done))) {
      done++;
    }
    return done == all.size();
  }
}
