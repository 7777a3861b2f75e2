package org.ecstore.core.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Continuations that wait, each for something of its own and until a time of its own, and no more
 * than so many at once.
 *
 * <p>Invariants: what is parked has neither been resumed nor timed out, and is one or the other
 * once at most; those that end together end in the order in which they were parked. All that one
 * call ends are out before the first of them runs, so that it may park again, or end others.
 *
 * @param <T> what a continuation waits for
 */
public final class ParkedCalls<T> {
  /** One that is parked, for its owner to find it by without a look at the others. */
  public static final class Parked<T> {
    private final T cause;
    private final long untilNanos;
    private final Runnable ready;
    private final Runnable late;
    private @Nullable Parked<T> before;
    private @Nullable Parked<T> after;
    private boolean waits = true;

    private Parked(T cause, long untilNanos, Runnable ready, Runnable late) {
      this.cause = cause;
      this.untilNanos = untilNanos;
      this.ready = ready;
      this.late = late;
    }

    /** What it waits for. */
    public T cause() {
      return cause;
    }

    /** Runs it, once it has been taken. */
    public void resume() {
      ready.run();
    }

    /** Tells it that it has waited too long, once it has been taken. */
    public void timeOut() {
      late.run();
    }
  }

  private final int max;
  private @Nullable Parked<T> first;
  private @Nullable Parked<T> last;
  private int size;

  /**
   * Nothing is parked yet.
   *
   * @param max how many may be parked at once
   */
  public ParkedCalls(int max) {
    this.max = max;
  }

  /** How many are parked. */
  public int size() {
    return size;
  }

  /**
   * Parks a continuation; if too many are parked already, {@code late} runs at once.
   *
   * @param untilNanos by the clock whose time {@link #takeLate} is given
   * @param ready runs when it is resumed
   * @param late runs when it is timed out
   * @return what is parked; empty if too many were
   */
  public Optional<Parked<T>> park(T cause, long untilNanos, Runnable ready, Runnable late) {
    if (size >= max) {
      late.run();
      return Optional.empty();
    }
    Parked<T> one = new Parked<>(cause, untilNanos, ready, late);
    link(one);
    return Optional.of(one);
  }

  /** Resumes those that have what they wait for. */
  public void wake(Predicate<? super T> over) {
    takeIf(over).forEach(Parked::resume);
  }

  /** Times those out that have waited until now. */
  public void expire(long nowNanos) {
    takeLate(nowNanos).forEach(Parked::timeOut);
  }

  /** Takes one out, for the caller to resume; false if it is out already. */
  public boolean take(Parked<T> one) {
    if (!one.waits) {
      return false;
    }
    unlink(one);
    return true;
  }

  /** Takes those out that have what they wait for, in one pass, for the caller to resume. */
  public List<Parked<T>> takeIf(Predicate<? super T> over) {
    return takeAll(one -> over.test(one.cause));
  }

  /** Takes those out that have waited until now, in one pass, for the caller to time out. */
  public List<Parked<T>> takeLate(long nowNanos) {
    return takeAll(one -> one.untilNanos - nowNanos <= 0);
  }

  private List<Parked<T>> takeAll(Predicate<Parked<T>> goes) {
    List<Parked<T>> taken = new ArrayList<>(0);
    for (Parked<T> one = first; one != null; one = one.after) {
      if (goes.test(one)) {
        taken.add(one);
      }
    }
    taken.forEach(this::unlink);
    return taken;
  }

  private void link(Parked<T> one) {
    one.before = last;
    if (last == null) {
      first = one;
    } else {
      last.after = one;
    }
    last = one;
    size++;
  }

  private void unlink(Parked<T> one) {
    if (one.before == null) {
      first = one.after;
    } else {
      one.before.after = one.after;
    }
    if (one.after == null) {
      last = one.before;
    } else {
      one.after.before = one.before;
    }
    one.before = null;
    one.after = null;
    one.waits = false;
    size--;
  }
}
