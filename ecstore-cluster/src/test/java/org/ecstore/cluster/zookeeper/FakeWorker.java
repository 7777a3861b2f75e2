package org.ecstore.cluster.zookeeper;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.ecstore.sim.world.Scheduler;

/** A worker in virtual time. It does nothing while its process is paused or dead. */
final class FakeWorker implements Worker {
  private final Scheduler scheduler;
  private final BooleanSupplier alive;
  private final LongSupplier pausedUntilNanos;
  private final Consumer<Throwable> failed;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private boolean closed;

  FakeWorker(
      Scheduler scheduler,
      BooleanSupplier alive,
      LongSupplier pausedUntilNanos,
      Consumer<Throwable> failed) {
    this.scheduler = scheduler;
    this.alive = alive;
    this.pausedUntilNanos = pausedUntilNanos;
    this.failed = failed;
  }

  @Override
  public boolean execute(Runnable task) {
    if (closed || !alive.getAsBoolean()) {
      return false;
    }
    tasks.add(task);
    scheduler.after(0, this::runNext);
    return true;
  }

  private void runNext() {
    if (closed || !alive.getAsBoolean()) {
      return;
    }
    long until = pausedUntilNanos.getAsLong();
    if (until > scheduler.nowNanos()) {
      scheduler.at(until, this::runNext);
      return;
    }
    try {
      tasks.remove().run();
    } catch (RuntimeException | Error e) {
      closed = true;
      failed.accept(e);
    }
  }

  @Override
  public Runnable after(Duration delay, Runnable task) {
    boolean[] calledOff = {false};
    scheduler.after(
        delay.toNanos(),
        () ->
            execute(
                () -> {
                  if (!calledOff[0]) {
                    task.run();
                  }
                }));
    return () -> calledOff[0] = true;
  }

  @Override
  public long nanos() {
    return scheduler.nowNanos();
  }

  @Override
  public void close() {
    closed = true;
  }
}
