package org.ecstore.engines.je;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Two calls that take turns: only one of them runs at a time, and the other one goes on only at a
 * {@link #step} of the first at which the schedule says so, or when the first has ended.
 */
final class Turns {
  private final Object lock = new Object();
  private final List<Thread> both = new ArrayList<>();
  private final boolean[] ended = new boolean[2];
  private BooleanSupplier passes = () -> false;
  private int turn;

  /** Between two steps of a call; other threads pass through it. */
  void step() {
    synchronized (lock) {
      int self = both.indexOf(Thread.currentThread());
      if (self < 0 || ended[1 - self] || !passes.getAsBoolean()) {
        return;
      }
      turn = 1 - self;
      lock.notifyAll();
      await(self);
    }
  }

  private void await(int self) {
    while (turn != self && !ended[1 - self]) {
      try {
        lock.wait();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /**
   * Runs two calls and returns what the first one answers.
   *
   * @param schedule asked at each step whether the turn passes to the other call
   */
  <T> T run(Supplier<T> first, Runnable second, BooleanSupplier schedule) {
    FutureTask<T> answer = new FutureTask<>(() -> inTurn(0, first));
    FutureTask<Boolean> done =
        new FutureTask<>(
            () ->
                inTurn(
                    1,
                    () -> {
                      second.run();
                      return true;
                    }));
    synchronized (lock) {
      passes = schedule;
      turn = 0;
      ended[0] = false;
      ended[1] = false;
      both.clear();
      both.add(Thread.ofPlatform().daemon().unstarted(answer));
      both.add(Thread.ofPlatform().daemon().unstarted(done));
      both.forEach(Thread::start);
    }
    try {
      done.get();
      return answer.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private <T> T inTurn(int self, Supplier<T> call) {
    synchronized (lock) {
      await(self);
    }
    try {
      return call.get();
    } finally {
      synchronized (lock) {
        ended[self] = true;
        turn = 1 - self;
        lock.notifyAll();
      }
    }
  }
}
