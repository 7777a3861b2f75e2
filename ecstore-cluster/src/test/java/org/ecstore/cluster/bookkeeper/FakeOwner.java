package org.ecstore.cluster.bookkeeper;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.cluster.bookkeeper.segment.Owner;
import org.ecstore.sim.world.Scheduler;

/** The owner of a ledger in virtual time. It does nothing while its process is paused or dead. */
final class FakeOwner implements Owner {
  private final Scheduler scheduler;
  private final FakeProcess process;
  private final Consumer<Throwable> bug;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private boolean closed;

  FakeOwner(Scheduler scheduler, FakeProcess process, Consumer<Throwable> bug) {
    this.scheduler = scheduler;
    this.process = process;
    this.bug = bug;
  }

  @Override
  public boolean submit(Runnable task) {
    if (closed) {
      return false;
    }
    tasks.add(task);
    scheduler.after(0, this::runNext);
    return true;
  }

  private void runNext() {
    if (closed || !process.isAlive()) {
      return;
    }
    if (process.pausedUntilNanos() > scheduler.nowNanos()) {
      scheduler.at(process.pausedUntilNanos(), this::runNext);
      return;
    }
    try {
      tasks.remove().run();
    } catch (RuntimeException | Error e) {
      bug.accept(e);
    }
  }

  @Override
  public void after(long millis, Runnable task) {
    scheduler.after(TimeUnit.MILLISECONDS.toNanos(millis), () -> execute(task));
  }

  @Override
  public Runnable unlessCalledOff(long millis, Runnable task) {
    boolean[] calledOff = {false};
    after(
        millis,
        () -> {
          if (!calledOff[0]) {
            task.run();
          }
        });
    return () -> calledOff[0] = true;
  }

  @Override
  public void every(long millis, Runnable task) {
    after(
        millis,
        () -> {
          task.run();
          every(millis, task);
        });
  }

  @Override
  public long nanos() {
    return scheduler.nowNanos();
  }

  /** What was handed over before is dropped too: the process ends here. */
  @Override
  public void close() {
    closed = true;
  }
}
