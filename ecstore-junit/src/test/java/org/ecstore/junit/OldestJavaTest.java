package org.ecstore.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.embedded.JavaOfRelease;
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

  @TempDir Path directory;

  @Test
  void aStoreAndAClusterAreThereForTestsOnIt() throws Exception {
    Path said = directory.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder(
                JavaOfRelease.find(OLDEST).toString(),
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
