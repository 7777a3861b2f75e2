package org.ecstore.bench;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The benchmarks stand above all strata; libraries stay in the packages made for them. */
class ArchitectureTest {
  private static final JavaClasses BENCH =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("org.ecstore.bench");

  @Test
  void librariesStayBehindTheirAdapters() {
    for (String[] rule :
        new String[][] {
          {"picocli..", "cli.."},
          {"org.knowm..", "plot"},
          {"com.sleepycat..", "none"},
          {"com.datastax..", "peer.cassandra"},
          {"java.sql..", "peer.mariadb"},
          {"org.mariadb..", "peer.mariadb"},
          {"redis.clients..", "peer.redis"}
        }) {
      noClasses()
          .that()
          .resideOutsideOfPackage("org.ecstore.bench." + rule[1])
          .should()
          .dependOnClassesThat()
          .resideInAPackage(rule[0])
          .check(BENCH);
    }
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("org.ecstore.bench.(*)..").should().beFreeOfCycles().check(BENCH);
  }
}
