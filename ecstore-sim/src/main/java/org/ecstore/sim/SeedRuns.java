package org.ecstore.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.LongConsumer;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.Violation;

/**
 * Many seeds, on several threads: each seed is a world of its own, so the result does not depend on
 * their number.
 */
public final class SeedRuns {
  /**
   * What came of them, in order of seeds.
   *
   * @param seeds how many were run
   * @param violations how many of them broke a promise
   * @param broken the first violation of each of these, of {@value #BROKEN_MAX} at most
   * @param faults how often each of the greater misfortunes, and of what else is wanted, came about
   * @param seedsWith in how many of the seeds
   */
  public record Report(
      long seeds,
      long violations,
      double virtualHours,
      long attempts,
      long commits,
      long events,
      long traceHash,
      List<Violation> broken,
      Map<String, Integer> faults,
      Map<String, Integer> seedsWith) {
    public Report {
      broken = List.copyOf(broken);
    }

    /** The violation of the lowest seed that broke a promise. */
    public Optional<Violation> first() {
      return broken.stream().findFirst();
    }

    /**
     * What came about in too few of the seeds, in words; nothing if these are few themselves.
     *
     * @param adapters whether real adapters were asked for
     * @param readers whether readers of changes were
     */
    public List<String> missed(boolean adapters, boolean readers) {
      return LeastShares.missed(seeds, seedsWith, new LeastShares.Asked(adapters, readers));
    }
  }

  /** Seeds of which it is said how they broke a promise. */
  private static final int BROKEN_MAX = 20;

  private long seeds;
  private long violations;
  private long virtualNanos;
  private long attempts;
  private long commits;
  private long events;
  private long traceHash;
  private final List<Violation> broken = new ArrayList<>();
  private final Map<String, Integer> faults = new TreeMap<>();
  private final Map<String, Integer> seedsWith = new TreeMap<>();

  private SeedRuns() {}

  /**
   * Runs seeds.
   *
   * @param firstSeed the lowest
   * @param count how many
   * @param threads how many at a time
   * @param untilFound stop at the first violation
   * @param progress told each seed that is done
   */
  public static Report run(
      long firstSeed,
      int count,
      int threads,
      NodeMutation mutation,
      boolean untilFound,
      LongConsumer progress) {
    SeedRuns sum = new SeedRuns();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    // So that a run that stops early has not begun all the rest.
    Semaphore ahead = new Semaphore(4 * threads);
    try {
      List<Future<SimResult>> under = new ArrayList<>();
      int next = 0;
      for (int done = 0; done < count; done++) {
        while (next < count && ahead.tryAcquire()) {
          long seed = firstSeed + next++;
          under.add(pool.submit(() -> Simulation.run(seed, mutation)));
        }
        SimResult result = under.get(done).get();
        ahead.release();
        sum.add(result);
        progress.accept(result.settings().seed());
        if (untilFound && sum.violations > 0) {
          break;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the simulator itself failed: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
    return sum.report();
  }

  private void add(SimResult result) {
    seeds++;
    if (!result.violations().isEmpty()) {
      violations++;
      if (broken.size() < BROKEN_MAX) {
        broken.add(result.violations().getFirst());
      }
    }
    virtualNanos += result.virtualNanos();
    attempts += result.attempts();
    commits += result.commits();
    events += result.events();
    traceHash = SimRandom.mix(traceHash * 31 + result.traceHash());
    result.faults().forEach((what, times) -> faults.merge(what, times, Integer::sum));
    result.faults().keySet().forEach(what -> seedsWith.merge(what, 1, Integer::sum));
  }

  private Report report() {
    return new Report(
        seeds,
        violations,
        virtualNanos / 3.6e12,
        attempts,
        commits,
        events,
        traceHash,
        broken,
        faults,
        seedsWith);
  }
}
