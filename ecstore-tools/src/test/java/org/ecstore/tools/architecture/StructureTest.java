package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page of the structure says how the code is built. */
class StructureTest {
  private static final String WRITE = "ecstore.structure.write";
  private static final Path PAGE =
      Path.of("..").toAbsolutePath().normalize().resolve("docs/structure.md");

  @Test
  void thePageSaysWhatTheClassesSay() throws IOException {
    String right =
        Structure.text(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages("org.ecstore"),
            "org.ecstore");
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(PAGE, right);
    }
    assertEquals(
        right,
        Files.readString(PAGE),
        "the page is stale: mvn -pl ecstore-tools -am test -Dtest=StructureTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D"
            + WRITE
            + "=true writes it");
  }
}
