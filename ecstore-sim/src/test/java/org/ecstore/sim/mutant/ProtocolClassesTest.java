package org.ecstore.sim.mutant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The table of rules and classes says what the sources say. */
final class ProtocolClassesTest {
  private static final String WRITE = "ecstore.rules.write";
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final Path TABLE =
      CHECKOUT.resolve("ecstore-sim/src/main/resources/org/ecstore/sim/mutant/rules.txt");
  private static final String HEADER =
      "# Protocol classes and the rules that their sources cite; written by ProtocolClassesTest"
          + " with\n"
          + "# -Decstore.rules.write=true\n";

  @Test
  void theTableSaysWhatTheSourcesCite() throws IOException {
    String right = HEADER + Citations.table(CHECKOUT);
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(TABLE, right);
    }
    assertEquals(
        right,
        Files.readString(TABLE),
        "the table is stale: mvn -pl ecstore-sim -am test -Dtest=ProtocolClassesTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D"
            + WRITE
            + "=true writes it");
  }

  @Test
  void listsAndSpansOfRulesAreRead() {
    String source =
        "/** One (rules 1, 4-6)\n * and two (Rules 10 and\n   * 12), rule 9. */ ruler 3";
    assertEquals(new TreeSet<>(List.of(1, 4, 5, 6, 9, 10, 12)), Citations.cited(source));
  }

  @Test
  void everyClassOfTheTableHasAClassFile() {
    ClassBytes bytes = new ClassBytes(ProtocolClassesTest.class.getClassLoader());
    ProtocolClasses known = ProtocolClasses.known();
    known.all().forEach(type -> assertTrue(bytes.has(type), type));
    assertTrue(known.citing(11).contains("org.ecstore.replication.copy.CopyStreams"));
    assertTrue(known.rulesOf("org.ecstore.replication.copy.CopyStreams").contains(11));
    assertEquals(List.of(), known.citing(99));
  }
}
