package org.ecstore.sim.mutant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Mutants of the protocol are drawn by seeds and found by the simulator. */
final class MutantRunsTest {
  /** A following copy takes D for its own closed position. */
  private static final String KNOWN =
      "org.ecstore.replication.copy.CopyTable#closed(Lorg/ecstore/replication/copy/Copy;)"
          + "Lorg/ecstore/id/Position;@0:NEVER_JUMPS";

  private static final long KNOWN_SEED = 1;

  private static MutantSettings settings(
      OptionalInt rule, String within, long firstDraw, int count, int seedsMax) {
    return new MutantSettings(
        rule, within, "", firstDraw, count, 1, seedsMax, MutantSettings.STEPS_MAX, 600, 1);
  }

  private static MutantRuns draws(long first, int count) {
    return new MutantRuns(settings(OptionalInt.empty(), "", first, count, 1));
  }

  @Test
  void aRunIsContinuedByItsSeeds() {
    Map<Long, Mutant> whole = draws(1, 20).drawn();
    Map<Long, Mutant> later = draws(11, 10).drawn();
    assertTrue(later.size() > 5, later::toString);
    later.forEach((draw, mutant) -> assertEquals(whole.getOrDefault(draw, mutant), mutant));
    assertEquals(whole, draws(1, 20).drawn());
  }

  @Test
  void drawsAreSpreadOverTheModules() {
    String all = draws(1, 300).drawn().values().toString();
    for (String module :
        List.of("org.ecstore.core", "org.ecstore.replication", "org.ecstore.txn")) {
      assertTrue(all.contains(module), module);
    }
  }

  @Test
  void aRulesMutantsAreOfClassesThatCiteIt() {
    MutantRuns runs = new MutantRuns(settings(OptionalInt.of(6), "", 1, 50, 1));
    List<String> citing = ProtocolClasses.known().citing(6);
    runs.drawn()
        .values()
        .forEach(one -> assertTrue(citing.contains(one.topLevel()), one::toString));
    assertTrue(runs.population() < draws(1, 1).population());
  }

  @Test
  void aRuleThatIsNotCitedIsRefused() {
    MutantSettings none = settings(OptionalInt.of(99), "", 1, 1, 1);
    assertThrows(IllegalArgumentException.class, () -> new MutantRuns(none));
  }

  @Test
  void aKnownMutantIsFoundAtAKnownSeed() {
    MutantRuns runs = new MutantRuns(settings(OptionalInt.of(11), KNOWN, 1, 1, 20));
    List<MutantResult> told = new ArrayList<>();
    List<MutantResult> results = runs.run(told::add);
    assertEquals(told, results);
    assertEquals(1, runs.population());
    assertEquals(MutantResult.State.FOUND, results.getFirst().state(), results::toString);
    assertEquals(KNOWN_SEED, results.getFirst().seed(), results::toString);
    assertTrue(results.getFirst().reached() > 0, results::toString);
    assertEquals(1, Score.of(results).score());
  }

  private static List<Mutant> named(String name) {
    MutantSettings settings =
        new MutantSettings(
            OptionalInt.empty(), "", name, 1, 20, 1, 1, MutantSettings.STEPS_MAX, 600, 1);
    return List.copyOf(new MutantRuns(settings).drawn().values());
  }

  @Test
  void allMutantsOfANameAreRunOnAnyBuild() {
    List<Mutant> found = named("`txn.steward.Merge#obstacle` | ifeq, `ALWAYS_JUMPS`");
    assertTrue(found.size() > 1, found::toString);
    for (Mutant mutant : found) {
      assertEquals("org.ecstore.txn.steward.Merge", mutant.type());
      assertTrue(mutant.method().startsWith("obstacle("), mutant::toString);
      assertEquals("ifeq", mutant.what());
      assertEquals(Kind.ALWAYS_JUMPS, mutant.kind());
    }
    assertEquals(found, named("org.ecstore.txn.steward.Merge#obstacle ifeq ALWAYS_JUMPS"));
    Mutant one = found.getLast();
    assertEquals(List.of(one), named(one.identity()));
  }

  @Test
  void whatNamesNoMutantIsRefused() {
    for (String name :
        List.of(
            "txn.steward.Merge#obstacle",
            "txn.steward.Merge ifeq ALWAYS_JUMPS",
            "txn.steward.Merge#obstacle ifeq SOMETIMES_JUMPS",
            "txn.steward.Merge#nothing ifeq ALWAYS_JUMPS")) {
      assertThrows(IllegalArgumentException.class, () -> named(name), name);
    }
  }

  @Test
  void equivalentMutantsCountApart() {
    Mutant mutant = draws(1, 1).drawn().values().iterator().next();
    List<MutantResult> results =
        List.of(
            result(mutant, MutantResult.State.FOUND),
            result(mutant, MutantResult.State.EQUIVALENT),
            result(mutant, MutantResult.State.NOT_FOUND),
            result(mutant, MutantResult.State.NOT_REACHED));
    assertEquals(new Score(4, 1, 1, 1, 1), Score.of(results));
    assertEquals(1.0 / 3, Score.of(results).score());
    assertEquals(Score.of(results), Score.byRule(results).get(5));
  }

  private static MutantResult result(Mutant mutant, MutantResult.State state) {
    return new MutantResult(1, mutant, List.of(5, 6), state, SeedEnd.Found.NOT_AT_ALL, 0, 1, 1, "");
  }
}
