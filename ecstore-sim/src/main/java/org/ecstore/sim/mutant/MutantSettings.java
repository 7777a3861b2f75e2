package org.ecstore.sim.mutant;

import java.util.OptionalInt;

/**
 * Which mutants are drawn and how long each is looked for.
 *
 * @param rule only of classes that cite it
 * @param within only mutants whose identity begins so; empty for all
 * @param only all mutants of this name ({@link MutantName}), and none is drawn; empty to draw
 * @param firstDraw the first mutant's seed; each further one has the next
 * @param count how many are drawn
 * @param firstSeed the first simulated seed
 * @param seedsMax how many seeds each is given
 * @param stepsMax how often the loops of a seed may go round
 * @param seedSecondsMax how long a seed may have a processor, for loops that are not counted
 * @param threads mutants at a time
 */
public record MutantSettings(
    OptionalInt rule,
    String within,
    String only,
    long firstDraw,
    int count,
    long firstSeed,
    int seedsMax,
    long stepsMax,
    int seedSecondsMax,
    int threads) {
  /** Several times what the longest of thousands of seeds needs. */
  public static final long STEPS_MAX = 1_000_000_000L;
}
