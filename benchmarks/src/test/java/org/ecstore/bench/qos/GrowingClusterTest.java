package org.ecstore.bench.qos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.bench.ycsb.YcsbLoad;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.server.Release;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of processes that a table is measured of. */
class GrowingClusterTest {
  @TempDir private Path directory;

  private static MeasuredSubject subject() {
    return new MeasuredSubject(
        "je",
        new NodeClass("tiny", Optional.empty(), Optional.of(new BigDecimal("0.5"))),
        TableWorkload.of("zipf-read").orElseThrow(),
        Release.version(),
        300,
        2,
        256,
        32,
        3,
        0.5,
        0.2,
        2);
  }

  /** With two copies of each range two nodes answer for three. */
  @Test
  @Tag("slow")
  void aCellOfThreeNodesIsNotMeasuredOnTwo() throws Exception {
    try (GrowingCluster cluster =
        GrowingCluster.start(subject(), directory, YcsbLoad.splitHints(), Duration.ZERO, _ -> {})) {
      assertEquals(3, cluster.run(1, 1).point().servers());
      String noted = Files.readString(directory.resolve("cluster/node-3/server.pid"));
      ProcessHandle node = ProcessHandle.of(Long.parseLong(noted.split(" ", -1)[0])).orElseThrow();
      assertTrue(node.destroyForcibly());
      node.onExit().get(60, TimeUnit.SECONDS);
      IOException gone = assertThrows(IOException.class, () -> cluster.run(1, 2));
      assertTrue(
          String.valueOf(gone.getMessage()).startsWith("node 3 has ended; it said last: "),
          gone::toString);
    }
  }
}
