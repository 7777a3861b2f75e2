package org.ecstore.sim.mutant;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One mutant, seed by seed until it is found. It runs on a thread of its own: one whose loop does
 * not end, and is none that is counted, is left behind with its thread.
 */
final class MutantTrial {
  /** How it ended. */
  record End(SeedEnd.Found found, String detail, long seed, int seeds, long reached) {}

  private final MutantSettings settings;
  private final Mutant mutant;
  private final MutantLoader loader;
  private final String program;
  private long reached;

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
              Thread thread = new Thread(null, work, "mutant", 4L << 20);
              thread.setDaemon(true);
              return thread;
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
    try {
      return runner
          .submit(() -> loader.program(program).run(seed, settings.stepsMax()))
          .get(settings.seedSecondsMax(), TimeUnit.SECONDS);
    } catch (TimeoutException _) {
      // It runs on: nothing ends a thread that does not want to.
      return new SeedEnd(
          SeedEnd.Found.NO_PROGRESS,
          "no end within " + settings.seedSecondsMax() + " s by the clock; its thread is left",
          1,
          settings.stepsMax());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof VerifyError) {
        throw new IllegalStateException("not a class file any more: " + mutant, e.getCause());
      }
      // Before the program began, or where it could not catch it.
      return new SeedEnd(SeedEnd.Found.FAILURE, String.valueOf(e.getCause()), 1, 0);
    }
  }
}
