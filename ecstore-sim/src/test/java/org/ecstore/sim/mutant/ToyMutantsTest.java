package org.ecstore.sim.mutant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** All mutants of a toy, and what becomes of each. */
final class ToyMutantsTest {
  private static final String TOY = "org.ecstore.sim.toy.Toy";

  private final ClassBytes bytes = new ClassBytes(ToyMutantsTest.class.getClassLoader());

  private static MutantSettings settings(long stepsMax, int secondsMax) {
    return new MutantSettings(OptionalInt.empty(), "", "", 1, 1, 1, 1, stepsMax, secondsMax, 1);
  }

  private MutantTrial.End trial(Mutant mutant) throws InterruptedException {
    MutantLoader loader =
        new MutantLoader(
            ToyMutantsTest.class.getClassLoader(), bytes, mutant, MutantLoader.cache());
    return new MutantTrial(settings(1_000, 60), mutant, loader, TOY).run();
  }

  private List<Mutant> mutants(String method) {
    return bytes.mutants(TOY).stream()
        .filter(mutant -> mutant.method().startsWith(method + "("))
        .sorted()
        .toList();
  }

  private String kinds(String method) {
    return mutants(method).stream()
        .map(mutant -> mutant.place() + " " + mutant.kind())
        .collect(Collectors.joining(", "));
  }

  @Test
  void whatCanBeChangedIsKnown() {
    assertEquals("0 NEGATED, 0 BOUNDARY, 0 ALWAYS_JUMPS, 0 NEVER_JUMPS", kinds("smaller"));
    assertEquals("0 BOUNDARY, 1 NEGATED, 1 ALWAYS_TRUE, 1 ALWAYS_FALSE", kinds("newer"));
    assertEquals("0 OFF_BY_ONE", kinds("after"));
    assertEquals("0 OFF_BY_ONE", kinds("increased"));
    assertEquals("0 DROPPED_CALL", kinds("clearedOnce"));
  }

  @Test
  void anAssertionIsLeftAsItIs() {
    assertTrue(
        mutants("clear").stream().allMatch(mutant -> mutant.kind() == Kind.OFF_BY_ONE),
        () -> mutants("clear").toString());
  }

  @Test
  void everyMutantIsAClassFile() {
    for (Mutant mutant : bytes.mutants(TOY)) {
      assertEquals(List.of(), bytes.verify(bytes.mutated(mutant)), mutant::toString);
    }
  }

  @Test
  void eachIsFoundButTheEquivalentOne() throws InterruptedException {
    for (String method : List.of("smaller", "newer", "after", "increased", "clearedOnce")) {
      for (Mutant mutant : mutants(method)) {
        MutantTrial.End end = trial(mutant);
        // Of two that are equal either is the smaller.
        boolean same = method.equals("smaller") && mutant.kind() == Kind.BOUNDARY;
        assertEquals(
            same ? SeedEnd.Found.NOT_AT_ALL : SeedEnd.Found.VIOLATION,
            end.found(),
            mutant::toString);
        assertTrue(end.reached() > 0, mutant::toString);
      }
    }
  }

  @Test
  void aPlaceThatIsExecutedThreeTimesIsCountedThreeTimes() throws InterruptedException {
    Mutant boundary = mutants("smaller").get(1);
    assertEquals(3, trial(boundary).reached());
  }

  @Test
  void aPlaceThatNothingCallsIsNeverReached() throws InterruptedException {
    for (Mutant mutant : mutants("unused")) {
      assertEquals(0, trial(mutant).reached(), mutant::toString);
    }
  }

  @Test
  void aLoopWithoutEndIsNoProgress() throws InterruptedException {
    Mutant endless =
        mutants("sum").stream()
            .filter(mutant -> mutant.kind() == Kind.OFF_BY_ONE)
            .findFirst()
            .orElseThrow();
    assertEquals(SeedEnd.Found.NO_PROGRESS, trial(endless).found());
  }

  @Test
  void aPlaceThatIsNotThereIsRefused() {
    Mutant none = new Mutant(TOY, "newer(II)Z", 0, Kind.NEGATED, 0, "");
    assertThrows(IllegalArgumentException.class, () -> bytes.mutated(none));
  }
}
