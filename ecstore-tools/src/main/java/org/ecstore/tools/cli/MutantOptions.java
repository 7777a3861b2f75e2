package org.ecstore.tools.cli;

import java.util.OptionalInt;
import org.ecstore.sim.mutant.MutantSettings;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.OptionBounds;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which mutants {@code ecstore sim --mutants} draws. */
final class MutantOptions {
  private static final int RULES = 26;
  private static final int COUNT = 20;
  private static final int SEEDS = 200;
  private static final int SEED_SECONDS_MAX = 300;

  @Option(
      names = "--mutants",
      description = {
        "Change the protocol itself, one instruction at a time, as its classes load (a condition, "
            + "a boundary, one more or less, a call left out), and look for each change with the "
            + "simulator. What is not found shows what the simulator lacks."
      })
  private boolean mutants;

  @Option(
      names = "--rule",
      paramLabel = "N",
      description = "With --mutants: only in classes that cite this rule of the protocol.")
  private @Nullable Integer rule;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description =
          "With --mutants: the seed that draws the first mutant, 1 if not given; each next seed "
              + "draws the next, so a run is continued by its number.")
  private @Nullable Long seed;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "With --mutants: how many are drawn; " + COUNT + " if not given.")
  private @Nullable Integer count;

  @Option(
      names = "--seeds-max",
      paramLabel = "N",
      description =
          "With --mutants: how many seeds each is looked for in, from --first-seed on; "
              + SEEDS
              + " if not given.")
  private @Nullable Integer seedsMax;

  @Option(
      names = "--within",
      paramLabel = "NAME",
      description = "With --mutants: draw only those whose name begins so, as the output says it.")
  private @Nullable String within;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      description = {
        "With --mutants: draw none, but run all of this name, given as class#method, instruction "
            + "and kind of change: 'txn.steward.Merge#obstacle ifeq ALWAYS_JUMPS'. It holds for "
            + "any build; what a seed draws does not."
      })
  private @Nullable String only;

  /** Whether mutants are asked for. */
  boolean asked() {
    return mutants;
  }

  /** Refuses what is not for this command without mutants. */
  void checkNotGiven() {
    checkNotGiven("--rule", rule);
    checkNotGiven("--seed", seed);
    checkNotGiven("--count", count);
    checkNotGiven("--seeds-max", seedsMax);
    checkNotGiven("--within", within);
    checkNotGiven("--only", only);
  }

  private static void checkNotGiven(String name, @Nullable Object value) {
    if (value != null) {
      throw new BadInputException(name + " is about mutants: add --mutants");
    }
  }

  /** What is asked for. */
  MutantSettings settings(long firstSeed, int threads) {
    OptionalInt asked = rule == null ? OptionalInt.empty() : OptionalInt.of(rule);
    asked.ifPresent(number -> OptionBounds.checkBetween("--rule", number, 1, RULES));
    if (only != null && (within != null || seed != null || count != null || rule != null)) {
      throw new BadInputException("--only draws none: leave out --rule, --seed, --count, --within");
    }
    return new MutantSettings(
        asked,
        within == null ? "" : within,
        only == null ? "" : only.strip(),
        seed == null ? 1 : seed,
        positive("--count", count, COUNT),
        firstSeed,
        positive("--seeds-max", seedsMax, SEEDS),
        MutantSettings.STEPS_MAX,
        SEED_SECONDS_MAX,
        threads);
  }

  private static int positive(String name, @Nullable Integer value, int usual) {
    int given = value == null ? usual : value;
    OptionBounds.checkAtLeast(name, given, 1);
    return given;
  }
}
