package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page of the structure says how the code is built. */
class StructureTest {
  private static final String WRITE = "ecstore.structure.write";
  private static final Path DOCS = Path.of("..").toAbsolutePath().normalize().resolve("docs");
  private static final Path PAGE = DOCS.resolve("structure.md");

  /** Has the picture too. */
  private static final Path ARCHITECTURE = DOCS.resolve("architecture.md");

  @Test
  void thePageSaysWhatTheClassesSay() throws IOException {
    Structure structure = Structure.of(Production.CLASSES, Production.ROOT);
    String right = structure.text();
    String architecture = structure.withPicture(Files.readString(ARCHITECTURE));
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(PAGE, right);
      Files.writeString(ARCHITECTURE, architecture);
    }
    String stale = "stale: \"bin/ecstore verify --structure\" writes it";
    assertEquals(right, Files.readString(PAGE), stale);
    assertEquals(architecture, Files.readString(ARCHITECTURE), stale);
    assertTrue(architecture.contains(structure.picture()), "the architecture has the picture");
  }
}
