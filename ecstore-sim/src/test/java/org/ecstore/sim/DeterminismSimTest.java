package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.sim.node.NodeMutation;
import org.junit.jupiter.api.Test;

/** A seed is the same run each time: in this JVM, and in one that was just started. */
final class DeterminismSimTest {
  private static final long FIRST = 1;
  private static final long LAST = 8;

  /** Prints the trace hash of each seed. */
  public static void main(String[] args) {
    hashes().forEach(System.out::println);
  }

  private static List<String> hashes() {
    List<String> hashes = new ArrayList<>();
    for (long seed = FIRST; seed <= LAST; seed++) {
      hashes.add(seed + " " + Simulation.run(seed, NodeMutation.RIGHT).traceHash());
    }
    return hashes;
  }

  @Test
  void sameSeedSameTraceTwiceInOneJvm() {
    assertEquals(hashes(), hashes());
  }

  @Test
  void sameSeedSameTraceInAFreshJvm() throws IOException, InterruptedException {
    Process fresh =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                DeterminismSimTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(fresh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, fresh.waitFor());
    assertEquals(hashes(), printed.lines().toList());
  }

  @Test
  void anotherSeedIsAnotherRun() {
    assertNotEquals(
        Simulation.run(FIRST, NodeMutation.RIGHT).traceHash(),
        Simulation.run(LAST, NodeMutation.RIGHT).traceHash());
  }
}
