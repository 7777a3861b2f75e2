package org.ecstore.engines.window;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.ecstore.core.port.Event;

/**
 * The work of a {@link WindowedEngine} in the virtual time of a simulation, or by a test: each step
 * is one completion, all of them run later and by turns, changes in their order. Pages and folds
 * are as short as they may be. No threads: calls and completions must take turns.
 */
public final class TaskCompletions implements WindowTasks {
  private static final int PAGE_ROWS_MAX = 3;
  private static final int WRITES_AT_ONCE = 3;

  /** Runs a completion once, later: after a delay in virtual time, in any order. */
  @FunctionalInterface
  public interface Later {
    /** Runs it once, later. */
    void run(Runnable completion);
  }

  private final RandomGenerator random;
  private final Later later;
  private final Consumer<Event> sink;
  private final Deque<Runnable> inOrder = new ArrayDeque<>();
  private boolean open = true;
  private BooleanSupplier overloaded = () -> false;
  private Later readsLater;
  private Later foldsLater;

  /**
   * Work that is done by completions.
   *
   * @param sink gets the results of reads
   */
  public TaskCompletions(RandomGenerator random, Later later, Consumer<Event> sink) {
    this.random = random;
    this.later = later;
    this.readsLater = later;
    this.foldsLater = later;
    this.sink = sink;
  }

  /** From now on refuses those reads of which this says that they are too many. */
  public void overload(BooleanSupplier tooMany) {
    overloaded = tooMany;
  }

  /** From now on steps of reads come when this says. */
  public void readsLater(Later other) {
    readsLater = other;
  }

  /** From now on steps of folds come when this says. */
  public void foldsLater(Later other) {
    foldsLater = other;
  }

  /** The machine has stopped: what was under way has no result and no effect. */
  public void crash() {
    open = false;
    inOrder.clear();
  }

  private void whileOpen(Runnable completion) {
    later.run(() -> ifOpen(completion));
  }

  private void ifOpen(Runnable completion) {
    if (open) {
      completion.run();
    }
  }

  /** Whichever completion runs first does what is first in line. */
  private void queue(Runnable work) {
    inOrder.addLast(work);
    whileOpen(() -> inOrder.removeFirst().run());
  }

  @Override
  public void deliver(Runnable result) {
    queue(result);
  }

  @Override
  public boolean read(boolean isLong, Steps read, Supplier<Event> refusal) {
    if (overloaded.getAsBoolean()) {
      return false;
    }
    readsLater.run(() -> ifOpen(() -> step(read)));
    return true;
  }

  private void step(Steps read) {
    Optional<Event> result = read.step();
    result.ifPresentOrElse(sink, () -> readsLater.run(() -> ifOpen(() -> step(read))));
  }

  @Override
  public void change(Runnable change, Runnable refuse) {
    queue(change);
  }

  @Override
  public void fold(Runnable step) {
    foldsLater.run(() -> ifOpen(step));
  }

  @Override
  public int pageRows() {
    return 1 + random.nextInt(PAGE_ROWS_MAX);
  }

  @Override
  public int writesAtOnce() {
    return WRITES_AT_ONCE;
  }

  @Override
  public int foldKeys() {
    return 1;
  }

  @Override
  public void close() {
    while (!inOrder.isEmpty()) {
      inOrder.removeFirst().run();
    }
    open = false;
  }
}
