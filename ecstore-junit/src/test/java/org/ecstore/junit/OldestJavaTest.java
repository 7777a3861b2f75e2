package org.ecstore.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of an application on the oldest Java that it may have: the store and its cluster run on a
 * newer one beside it.
 */
@Tag("slow")
class OldestJavaTest {
  private static final int OLDEST = 17;
  private static final long SECONDS_MAX = 180;
  private static final String USUAL = "/usr/lib/jvm /usr/java /opt/java";

  @TempDir Path directory;

  private static Path oldest() throws IOException {
    String folders = System.getenv().getOrDefault("ECSTORE_JDK_DIRS", USUAL);
    for (String folder : folders.split(" ", -1)) {
      if (Files.isDirectory(Path.of(folder))) {
        try (Stream<Path> homes = Files.list(Path.of(folder))) {
          for (Path home : homes.sorted().toList()) {
            if (release(home).startsWith("JAVA_VERSION=\"" + OLDEST + ".")) {
              return home.resolve("bin").resolve("java");
            }
          }
        }
      }
    }
    throw new AssertionError("there is no Java " + OLDEST + " in " + folders + ": install one");
  }

  private static String release(Path home) throws IOException {
    Path file = home.resolve("release");
    return Files.isReadable(file)
        ? Files.readAllLines(file).stream()
            .filter(line -> line.startsWith("JAVA_VERSION="))
            .findFirst()
            .orElse("")
        : "";
  }

  @Test
  void aStoreAndAClusterAreThereForTestsOnIt() throws Exception {
    Path said = directory.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder(
                oldest().toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LaunchedTests.class.getName(),
                CartTest.class.getName(),
                CartUnderFaultsTest.class.getName(),
                TestClusterTest.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().put("ECSTORE_JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS), "the tests do not end");
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(said, StandardCharsets.UTF_8);
    assertEquals(0, process.exitValue(), () -> String.join("\n", lines));
    String last = lines.get(lines.size() - 1);
    assertTrue(last.matches(LaunchedTests.PASSED + OLDEST + ": 1[0-9]"), last);
  }
}
