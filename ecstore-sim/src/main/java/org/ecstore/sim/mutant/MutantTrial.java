package org.ecstore.sim.mutant;

import java.lang.management.ManagementFactory;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One mutant, seed by seed until it is found. It runs on a thread of its own: one whose loop does
 * not end, and is none that is counted, is left behind with its thread.
 */
final class MutantTrial {
  /** How it ended. */
  record End(SeedEnd.Found found, String detail, long seed, int seeds, long reached) {}

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final MutantSettings settings;
  private final Mutant mutant;
  private final MutantLoader loader;
  private final String program;
  private long reached;

  /** The thread of the seeds, once there is one. */
  private volatile long thread;

  MutantTrial(MutantSettings settings, Mutant mutant, MutantLoader loader, String program) {
    this.settings = settings;
    this.mutant = mutant;
    this.loader = loader;
    this.program = program;
  }

  End run() throws InterruptedException {
    ExecutorService runner =
        Executors.newSingleThreadExecutor(
            work -> {
              Thread runs = new Thread(null, work, "mutant", 4L << 20);
              runs.setDaemon(true);
              thread = runs.threadId();
              return runs;
            });
    try {
      return seeds(runner);
    } finally {
      runner.shutdownNow();
    }
  }

  private End seeds(ExecutorService runner) throws InterruptedException {
    for (int i = 0; i < settings.seedsMax(); i++) {
      long seed = settings.firstSeed() + i;
      SeedEnd end = seed(runner, seed);
      reached += end.reached();
      if (end.found() != SeedEnd.Found.NOT_AT_ALL) {
        return new End(end.found(), end.detail(), seed, i + 1, reached);
      }
    }
    return new End(SeedEnd.Found.NOT_AT_ALL, "", 0, settings.seedsMax(), reached);
  }

  private SeedEnd seed(ExecutorService runner, long seed) throws InterruptedException {
    long before = processorNanos();
    Future<SeedEnd> end =
        runner.submit(() -> loader.program(program).run(seed, settings.stepsMax()));
    try {
      while (processorNanos() - before < settings.seedSecondsMax() * NANOS_PER_SECOND) {
        try {
          return end.get(1, TimeUnit.SECONDS);
        } catch (TimeoutException _) {
          // On a machine with much else to do a seed takes long, and is right all the same.
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof VerifyError) {
        throw new IllegalStateException("not a class file any more: " + mutant, e.getCause());
      }
      // Before the program began, or where it could not catch it.
      return new SeedEnd(SeedEnd.Found.FAILURE, String.valueOf(e.getCause()), 1, 0);
    }
    // It runs on: nothing ends a thread that does not want to.
    return new SeedEnd(
        SeedEnd.Found.NO_PROGRESS,
        "no end within "
            + settings.seedSecondsMax()
            + " s of a processor's time; its thread is left",
        1,
        settings.stepsMax());
  }

  /** How long the thread of the seeds has had a processor; 0 before it has begun. */
  private long processorNanos() {
    return thread == 0
        ? 0
        : Math.max(0, ManagementFactory.getThreadMXBean().getThreadCpuTime(thread));
  }
}
