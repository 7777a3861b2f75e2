package org.ecstore.cluster.bookkeeper.bookie;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** The threads of what is started here, told from those of tests that run beside this one. */
final class OwnThreads {
  private final ThreadGroup group;

  OwnThreads(String name) {
    group = new ThreadGroup(name);
  }

  /**
   * What a call returns that is made by a thread of its own; threads that it starts belong to it.
   */
  <T> T start(Callable<T> call) throws InterruptedException, ExecutionException {
    FutureTask<T> task = new FutureTask<>(call);
    new Thread(group, task, group.getName()).start();
    return task.get();
  }

  /** The names of those that have not ended. */
  List<String> alive() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> belongs(thread.getThreadGroup()))
        .map(Thread::getName)
        .sorted()
        .toList();
  }

  /** A thread that has just ended has none. */
  private boolean belongs(@Nullable ThreadGroup of) {
    return of != null && group.parentOf(of);
  }
}
