package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.metrics.CommitEnd;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.RecordedMetrics;
import org.ecstore.model.CopyRole;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.NodeMutation.ClientBehaviour;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeParts;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A seed is the same run each time: in this JVM, and in one that was just started. */
final class DeterminismSimTest {
  private static final long FIRST = 1;
  private static final long LAST = Boolean.getBoolean("ecstore.long") ? 10 : 4;

  /** Of the first time, for all tests here. */
  private static final List<String> HASHES = new ArrayList<>();

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

  @BeforeAll
  static void runOnce() {
    HASHES.addAll(hashes());
  }

  @Test
  void sameSeedSameTraceTwiceInOneJvm() {
    assertEquals(HASHES, hashes());
  }

  @Test
  @Tag("slow")
  void sameSeedSameTraceInAFreshJvm() throws IOException, InterruptedException {
    Process fresh =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Decstore.long=" + Boolean.getBoolean("ecstore.long"),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                DeterminismSimTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(fresh.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, fresh.waitFor());
    assertEquals(HASHES, printed.lines().toList());
  }

  /** A node tells numbers and never reads one: who listens changes nothing. */
  @Test
  void metricsChangeNoTrace() {
    RecordedMetrics told = new RecordedMetrics();
    NodeMutation listened =
        new NodeMutation(
            "nothing",
            (self, settings, ports) ->
                new Node(self, settings, new NodeParts(), ports.withMetrics(told)),
            ClientBehaviour.RIGHT);
    List<String> hashes = new ArrayList<>();
    for (long seed = FIRST; seed <= LAST; seed++) {
      hashes.add(seed + " " + Simulation.run(seed, listened).traceHash());
    }
    assertEquals(HASHES, hashes);
    assertTrue(told.value(NodeMetrics.COMMITS, CommitEnd.COMMITTED) > 0);
    assertTrue(told.value(NodeMetrics.COMMITS, CommitEnd.CONFLICT) > 0);
    assertTrue(told.value(NodeMetrics.TAKE_OVERS) > 0);
    assertTrue(told.value(NodeMetrics.FAIL_OVERS) > 0);
    assertTrue(told.value(NodeMetrics.READS, CopyRole.SECONDARY) > 0);
  }

  @Test
  void anotherSeedIsAnotherRun() {
    assertEquals(
        HASHES.size(),
        HASHES.stream().map(hash -> hash.substring(hash.indexOf(' '))).distinct().count());
  }
}
