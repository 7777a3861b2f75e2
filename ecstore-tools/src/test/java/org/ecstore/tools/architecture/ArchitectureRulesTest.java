package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule of the architecture finds the fixture that breaks it, and no other one. */
class ArchitectureRulesTest {
  private static final String ROOT = "org.ecstore.tools.architecture.fixture";

  private static final JavaClasses FIXTURES = new ClassFileImporter().importPackages(ROOT);

  private static void assertFinds(ArchRule rule, String... breaches) {
    List<String> found = rule.evaluate(FIXTURES).getFailureReport().getDetails();
    for (String breach : breaches) {
      assertTrue(
          found.stream().anyMatch(line -> line.contains(breach)),
          rule.getDescription() + " should find " + breach + " and finds " + found);
    }
    List<String> others =
        found.stream().filter(line -> Arrays.stream(breaches).noneMatch(line::contains)).toList();
    assertEquals(List.of(), others, rule.getDescription());
  }

  @Test
  void upperStratumNamedFromBelow() {
    assertFinds(Strata.layers(ROOT), "NamesUpperStratum", "NamesCore");
  }

  @Test
  void classOutsideTheStrata() {
    assertFinds(Strata.everyClassHasAStratum(ROOT), "OutsideStrata", "fixture.package-info");
  }

  @Test
  void packagesThatNeedEachOther() {
    assertFinds(Strata.noPackageCycles(ROOT), "core.left");
  }

  @Test
  void libraryOutsideItsAdapter() {
    assertFinds(Rules.netty(ROOT), "UsesNetty");
    assertFinds(Rules.berkeleyDb(ROOT), "UsesBerkeleyDb");
    assertFinds(Rules.kryo(ROOT), "UsesKryo");
    assertFinds(Rules.picocli(ROOT), "UsesPicocli");
    assertFinds(Rules.zooKeeper(ROOT), "UsesZooKeeper");
    assertFinds(Rules.curator(ROOT), "UsesCurator");
    assertFinds(Rules.bookKeeper(ROOT), "UsesBookKeeper");
  }

  @Test
  void threadOrLockInTheProtocol() {
    assertFinds(Determinism.noThreads(ROOT), "HasThread", "HasLock");
  }

  @Test
  void fileOrSocketInTheProtocol() {
    assertFinds(Determinism.noInputOutput(ROOT), "OpensFile", "OpensSocket");
  }

  @Test
  void clockChanceOrOrderWithoutMeaningInTheProtocol() {
    assertFinds(
        Determinism.noForbiddenCalls(ROOT),
        "ReadsClock.nanos()",
        "ReadsClock.millis()",
        "DrawsChance.math()",
        "DrawsChance.unseeded()",
        "DrawsChance.uuid()",
        "DrawsChance.shuffle(",
        "ForgetsOrder.set()",
        "ForgetsOrder.map()");
  }

  @Test
  void seededGeneratorIsNoBreach() {
    List<String> found =
        Determinism.noForbiddenCalls(ROOT).evaluate(FIXTURES).getFailureReport().getDetails();
    assertFalse(found.stream().anyMatch(line -> line.contains("DrawsChance.seeded")));
  }

  @Test
  void identityMapOrOwnClockInTheProtocol() {
    assertFinds(Determinism.noIdentityMaps(ROOT), "ForgetsOrder.identity", "ReadsClock.now");
  }
}
