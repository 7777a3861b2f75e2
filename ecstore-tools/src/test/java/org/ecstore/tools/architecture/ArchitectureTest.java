package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of the architecture hold for everything that ships. */
class ArchitectureTest {
  /** Every rule, by its description. */
  static Stream<ArchRule> rules() {
    return Rules.all(Production.ROOT).stream();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void ruleHolds(ArchRule rule) {
    rule.allowEmptyShould(true).check(Production.CLASSES);
  }

  /** Or else the rules above would hold for want of classes. */
  @Test
  void everyPackageWithSourcesIsImported() throws IOException {
    TreeSet<String> missing = Sources.packages("main");
    assertTrue(missing.contains("org.ecstore.key"), missing::toString);
    Production.CLASSES.forEach(type -> missing.remove(type.getPackageName()));
    // The benchmarks and the bookstore are above this module, and have tests of their own.
    missing.removeIf(name -> name.startsWith(Production.ROOT + ".bench"));
    missing.removeIf(name -> name.startsWith(Production.ROOT + ".bookstore"));
    assertEquals(new TreeSet<>(), missing);
  }

  @Test
  void noTestClassIsImported() {
    assertTrue(
        Production.CLASSES.stream()
            .noneMatch(type -> type.getSimpleName().equals("ArchitectureTest")));
  }
}
