package org.ecstore.tools.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications that were compiled against the last release go on with this one. */
class ApiCompatibilityTest {
  private static final Path API = Path.of("..", "ecstore-client", "api").normalize();
  private static final Path BASELINE = API.resolve("baseline.jar");

  /** What is broken all the same: a change a line, and after " because " the reason. */
  private static final Path BREAKS = API.resolve("breaks.txt");

  private static final String BECAUSE = " because ";

  @TempDir Path directory;

  @Test
  void theApiOfTheLastReleaseIsStillThere() throws IOException {
    Path now = directory.resolve("now.jar");
    ApiJar.write(now, _ -> true);
    if (Boolean.getBoolean("ecstore.api.write")) {
      Files.copy(now, BASELINE, StandardCopyOption.REPLACE_EXISTING);
    }
    assertEquals(
        explained(),
        ApiChanges.breaking(BASELINE, now),
        "what breaks applications is kept, deprecated, or written into "
            + BREAKS
            + " with a reason");
  }

  private static TreeSet<String> explained() throws IOException {
    TreeSet<String> changes = new TreeSet<>();
    for (String line : Files.readAllLines(BREAKS)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        List<String> parts = List.of(line.split(BECAUSE, 2));
        assertTrue(parts.size() == 2 && !parts.getLast().isBlank(), () -> "no reason in: " + line);
        changes.add(parts.getFirst().strip());
      }
    }
    return changes;
  }

  @Test
  void aMethodThatIsGoneIsFound() throws IOException {
    Path before = directory.resolve("before.jar");
    Path now = directory.resolve("now.jar");
    ApiJar.write(before, _ -> true);
    ApiJar.write(now, method -> !method.methodName().equalsString("transactWithCommit"));
    assertTrue(
        ApiChanges.breaking(before, now).stream()
            .anyMatch(
                change ->
                    change.startsWith("org.ecstore.client.Session.transactWithCommit(")
                        && change.endsWith(": METHOD_REMOVED")),
        () -> ApiChanges.breaking(before, now).toString());
    assertEquals(Set.of(), ApiChanges.breaking(before, before));
  }

  @Test
  void theBaselineHasEachPackageOfTheApi() throws IOException {
    try (var jar = new JarFile(BASELINE.toFile())) {
      for (String name : ApiJar.PACKAGES) {
        assertTrue(
            jar.stream()
                .anyMatch(entry -> entry.getName().matches("org/ecstore/" + name + "/[^/]+")),
            () -> "the baseline has nothing of " + name);
      }
    }
  }
}
