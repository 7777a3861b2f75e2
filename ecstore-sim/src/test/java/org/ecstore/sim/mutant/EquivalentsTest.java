package org.ecstore.sim.mutant;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The mutants that are said to break no promise are there, each with its reason. */
final class EquivalentsTest {
  @Test
  void eachIsAMutantAndHasASentence() {
    ClassBytes bytes = new ClassBytes(EquivalentsTest.class.getClassLoader());
    Set<String> all =
        ProtocolClasses.known().all().stream()
            .flatMap(type -> bytes.mutants(type).stream())
            .map(Mutant::identity)
            .collect(Collectors.toUnmodifiableSet());
    Equivalents.known()
        .all()
        .forEach(
            (identity, reason) -> {
              assertTrue(all.contains(identity), () -> "no such mutant: " + identity);
              assertTrue(reason.endsWith("."), () -> "no sentence: " + identity);
            });
  }
}
