package org.ecstore.bookstore;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The shop is one application on two stores: each store stays in its package. */
class ArchitectureTest {
  private static final String ROOT = "org.ecstore.bookstore.";
  private static final JavaClasses SHOP =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("org.ecstore.bookstore");

  @Test
  void librariesStayInTheirPackages() {
    for (String[] rule :
        new String[][] {
          {"java.sql..", "mariadb"}, {"com.zaxxer..", "mariadb"}, {"org.springframework..", "web"}
        }) {
      noClasses()
          .that()
          .resideOutsideOfPackage(ROOT + rule[1])
          .should()
          .dependOnClassesThat()
          .resideInAPackage(rule[0])
          .check(SHOP);
    }
  }

  /**
   * Pages know of stores what {@link Bookstore} says, where it is made and where it fails apart.
   */
  @Test
  void pagesAreTheSameOnBothStores() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + "web")
        .and()
        .haveSimpleNameNotContaining("ShopConfiguration")
        .and()
        .haveSimpleNameNotContaining("ShopProperties")
        .and()
        .haveSimpleNameNotContaining("ErrorPages")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT + "ecstore", ROOT + "mariadb", "org.ecstore.client..")
        .check(SHOP);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching("org.ecstore.bookstore.(*)..").should().beFreeOfCycles().check(SHOP);
  }
}
