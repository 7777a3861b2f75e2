package org.ecstore.sim.mutant;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Draws mutants of the protocol classes and looks for each with the simulator. A seed draws one
 * mutant, uniformly over all that there are, so that a run may be continued by its seeds. Each
 * mutant has a class loader of its own, gone with it: nothing is rebuilt.
 */
public final class MutantRuns {
  /** The simulator itself. */
  private static final String SIMULATION = "org.ecstore.sim.SimulatedMutant";

  private final MutantSettings settings;
  private final ClassLoader parent = MutantRuns.class.getClassLoader();
  private final ClassBytes bytes = new ClassBytes(parent);
  private final ProtocolClasses classes = ProtocolClasses.known();
  private final Equivalents equivalents = Equivalents.known();
  private final Map<String, byte[]> counted = MutantLoader.cache();
  private final List<Mutant> all;

  /**
   * Runs with these settings.
   *
   * @throws IllegalArgumentException if there is nothing to draw from
   */
  public MutantRuns(MutantSettings settings) {
    this.settings = settings;
    List<String> types =
        settings.rule().isPresent() ? classes.citing(settings.rule().getAsInt()) : classes.all();
    Predicate<Mutant> wanted =
        settings.only().isEmpty()
            ? mutant -> mutant.identity().startsWith(settings.within())
            : MutantName.of(settings.only());
    this.all =
        types.stream()
            .flatMap(type -> bytes.mutants(type).stream())
            .filter(wanted)
            .sorted()
            .toList();
    if (all.isEmpty()) {
      throw new IllegalArgumentException(
          "there is nothing to change"
              + (settings.rule().isPresent()
                  ? " in classes that cite rule " + settings.rule().getAsInt()
                  : "")
              + (settings.within().isEmpty() ? "" : " within " + settings.within())
              + (settings.only().isEmpty() ? "" : " by the name " + settings.only()));
    }
  }

  /** How many mutants there are to draw from. */
  public int population() {
    return all.size();
  }

  /**
   * What the seeds draw, in order; what an earlier seed drew already is not there again. Of a name
   * all that have it, by their number.
   */
  public Map<Long, Mutant> drawn() {
    Map<Long, Mutant> drawn = new LinkedHashMap<>();
    if (!settings.only().isEmpty()) {
      all.forEach(mutant -> drawn.put(drawn.size() + 1L, mutant));
      return drawn;
    }
    for (long draw = settings.firstDraw(); draw < settings.firstDraw() + settings.count(); draw++) {
      Mutant mutant = all.get(new SplittableRandom(draw).nextInt(all.size()));
      if (!drawn.containsValue(mutant)) {
        drawn.put(draw, mutant);
      }
    }
    return drawn;
  }

  /**
   * Runs all that are drawn.
   *
   * @param progress told each result, in order of the draws
   */
  public List<MutantResult> run(Consumer<MutantResult> progress) {
    ExecutorService pool = Executors.newFixedThreadPool(settings.threads());
    try {
      Deque<Future<MutantResult>> under = new ArrayDeque<>();
      drawn().forEach((draw, mutant) -> under.add(pool.submit(() -> trial(draw, mutant))));
      List<MutantResult> results = new ArrayList<>();
      while (!under.isEmpty()) {
        MutantResult result = under.remove().get();
        results.add(result);
        progress.accept(result);
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the mutants' runner failed: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private MutantResult trial(long draw, Mutant mutant) throws InterruptedException {
    List<Integer> rules = classes.rulesOf(mutant.topLevel());
    Optional<String> reason = equivalents.reason(mutant);
    if (reason.isPresent()) {
      return new MutantResult(
          draw,
          mutant,
          rules,
          MutantResult.State.EQUIVALENT,
          SeedEnd.Found.NOT_AT_ALL,
          0,
          0,
          0,
          reason.get());
    }
    MutantLoader loader = new MutantLoader(parent, bytes, mutant, counted);
    MutantTrial.End end = new MutantTrial(settings, mutant, loader, SIMULATION).run();
    return new MutantResult(
        draw,
        mutant,
        rules,
        state(end),
        end.found(),
        end.seed(),
        end.seeds(),
        end.reached(),
        end.detail());
  }

  private static MutantResult.State state(MutantTrial.End end) {
    if (end.found() != SeedEnd.Found.NOT_AT_ALL) {
      return MutantResult.State.FOUND;
    }
    return end.reached() == 0 ? MutantResult.State.NOT_REACHED : MutantResult.State.NOT_FOUND;
  }
}
