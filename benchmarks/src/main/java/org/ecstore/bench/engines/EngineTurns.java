package org.ecstore.bench.engines;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.engines.EngineTurn.Phase;
import org.ecstore.engines.kind.EngineKind;

/**
 * Turns of all engines, one after another, so that what else goes on at the machine meets all of
 * them alike. The turns of the first round, which fill the engines, do not count.
 */
public final class EngineTurns {
  private static final long VERSIONS_EACH = 100_000_000L;

  private final Map<EngineKind, Map<Phase, List<EngineCosts>>> costs = new HashMap<>();

  private EngineTurns() {}

  /**
   * Runs them.
   *
   * @param kinds of engines that need no server
   * @param directory empty; what is left there is not needed any more
   * @param step runs after each turn
   */
  public static EngineTurns run(
      List<EngineKind> kinds, Path directory, EngineLoad load, int rounds, Runnable step)
      throws InterruptedException {
    EngineTurns turns = new EngineTurns();
    for (int round = 0; round <= rounds; round++) {
      for (EngineKind engine : kinds) {
        Path own = directory.resolve(engine.name());
        Map<Phase, EngineCosts> turn = EngineTurn.run(engine, own, load, round * VERSIONS_EACH);
        if (round > 0) {
          turns.add(engine, turn);
        }
        step.run();
      }
    }
    return turns;
  }

  private void add(EngineKind engine, Map<Phase, EngineCosts> turn) {
    Map<Phase, List<EngineCosts>> of =
        costs.computeIfAbsent(engine, first -> new EnumMap<>(Phase.class));
    turn.forEach((phase, cost) -> of.computeIfAbsent(phase, first -> new ArrayList<>()).add(cost));
  }

  /** The median of the processor time of a phase, for each operation, in nanoseconds. */
  public double cpuNanos(EngineKind engine, Phase phase) {
    return of(engine, phase).stream()
        .mapToDouble(EngineCosts::cpuNanos)
        .sorted()
        .skip(of(engine, phase).size() / 2)
        .findFirst()
        .orElseThrow();
  }

  /** The median of the share of time in which the collector ran. */
  public double collecting(EngineKind engine, Phase phase) {
    return of(engine, phase).stream()
        .mapToDouble(EngineCosts::collecting)
        .sorted()
        .skip(of(engine, phase).size() / 2)
        .findFirst()
        .orElseThrow();
  }

  private List<EngineCosts> of(EngineKind engine, Phase phase) {
    return costs.getOrDefault(engine, Map.of()).getOrDefault(phase, List.of());
  }
}
