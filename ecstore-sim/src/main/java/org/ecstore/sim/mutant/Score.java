package org.ecstore.sim.mutant;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many mutants were found, of those that can be.
 *
 * @param mutants all of them
 * @param equivalent those that were shown to break no promise
 * @param notFound those that were reached and not found
 * @param notReached those whose place no seed executed
 */
public record Score(int mutants, int found, int equivalent, int notFound, int notReached) {
  /** The score of some results. */
  public static Score of(List<MutantResult> results) {
    return new Score(
        results.size(),
        count(results, MutantResult.State.FOUND),
        count(results, MutantResult.State.EQUIVALENT),
        count(results, MutantResult.State.NOT_FOUND),
        count(results, MutantResult.State.NOT_REACHED));
  }

  /** The score of each rule: a mutant counts for each rule that its class cites. */
  public static Map<Integer, Score> byRule(List<MutantResult> results) {
    Map<Integer, Score> scores = new TreeMap<>();
    results.stream()
        .flatMap(result -> result.rules().stream())
        .distinct()
        .forEach(rule -> scores.put(rule, of(citing(results, rule))));
    return scores;
  }

  private static List<MutantResult> citing(List<MutantResult> results, int rule) {
    return results.stream().filter(result -> result.rules().contains(rule)).toList();
  }

  private static int count(List<MutantResult> results, MutantResult.State state) {
    return (int) results.stream().filter(result -> result.state() == state).count();
  }

  /** The share that was found of what is not equivalent; 1 if all is. */
  public double score() {
    int able = mutants - equivalent;
    return able == 0 ? 1 : (double) found / able;
  }
}
