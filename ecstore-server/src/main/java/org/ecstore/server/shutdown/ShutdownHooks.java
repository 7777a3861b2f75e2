package org.ecstore.server.shutdown;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done when this process ends before its work is done, as when its user interrupts it:
 * first the processes that it started for itself are ended, then the files go that all wrote. From
 * the moment it begins, nothing new is started. Nothing of this happens to a process that is
 * killed. Safe for use by all threads.
 */
public final class ShutdownHooks {
  private static final Logger LOG = LoggerFactory.getLogger(ShutdownHooks.class);

  /** What comes first is done before what comes next begins. */
  public enum Step {
    PROCESSES,
    FILES
  }

  private static final ShutdownHooks OF_THIS_PROCESS = new ShutdownHooks();

  static {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(OF_THIS_PROCESS::run, "ending"));
    } catch (IllegalStateException e) {
      LOG.debug("this process is ending", e);
      OF_THIS_PROCESS.run();
    }
  }

  /** Guarded by this. */
  private final Map<Step, List<Task>> tasks = new EnumMap<>(Step.class);

  /** Guarded by this. */
  private boolean begun;

  ShutdownHooks() {
    for (Step step : Step.values()) {
      tasks.put(step, new ArrayList<>());
    }
  }

  /** Something to be done, until it is taken back. */
  public static final class Task implements AutoCloseable {
    private final ShutdownHooks of;
    private final Step step;
    private final Runnable what;

    private Task(ShutdownHooks of, Step step, Runnable what) {
      this.of = of;
      this.step = step;
      this.what = what;
    }

    /** It need not be done any more. */
    @Override
    public void close() {
      of.remove(this);
    }
  }

  /** A process for the time of a piece of work, which is ended hard with that, or with this one. */
  public static final class Child implements AutoCloseable {
    private final Process process;
    private final Task task;

    private Child(Process process) {
      this.process = process;
      this.task = at(Step.PROCESSES, process::destroyForcibly);
    }

    /** It. */
    public Process process() {
      return process;
    }

    @Override
    public void close() {
      process.destroyForcibly();
      task.close();
    }
  }

  /** What starts a process, or makes what must go. */
  public interface Start<T> {
    T start() throws IOException;
  }

  /** It is too late to start something. */
  public static final class EndingException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private EndingException() {
      super("this process is ending");
    }
  }

  /**
   * Has something done at the end.
   *
   * @throws EndingException if that has begun
   */
  public static Task at(Step step, Runnable what) {
    return OF_THIS_PROCESS.add(step, what);
  }

  /**
   * Starts something, unless the end has begun; that waits until it is started.
   *
   * @throws EndingException if it has
   */
  public static <T> T unless(Start<T> start) throws IOException {
    return OF_THIS_PROCESS.start(start);
  }

  /**
   * Starts a process that ends with this one, if not before.
   *
   * @throws EndingException if the end has begun
   */
  public static Child child(ProcessBuilder builder) throws IOException {
    return unless(() -> new Child(builder.start()));
  }

  /** Whether it has begun: what fails now fails because of it. */
  public static boolean hasBegun() {
    return OF_THIS_PROCESS.isBegun();
  }

  synchronized Task add(Step step, Runnable what) {
    check();
    Task task = new Task(this, step, what);
    tasksOf(step).add(task);
    return task;
  }

  synchronized <T> T start(Start<T> start) throws IOException {
    check();
    return start.start();
  }

  synchronized boolean isBegun() {
    return begun;
  }

  private synchronized void remove(Task task) {
    tasksOf(task.step).remove(task);
  }

  private List<Task> tasksOf(Step step) {
    return tasks.getOrDefault(step, List.of());
  }

  private void check() {
    if (begun) {
      throw new EndingException();
    }
  }

  private synchronized List<Task> begin(Step step) {
    begun = true;
    return List.copyOf(tasksOf(step));
  }

  /** Does all of it; what fails does not keep the rest from being done. */
  void run() {
    for (Step step : Step.values()) {
      for (Task task : begin(step)) {
        try {
          task.what.run();
        } catch (RuntimeException e) {
          LOG.warn("not all is as it was: {}", e.getMessage());
        }
      }
    }
  }
}
