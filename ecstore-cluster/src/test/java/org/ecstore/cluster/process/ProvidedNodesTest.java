package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that the controller wants, or does not want any more, where no node runs. */
class ProvidedNodesTest {
  @TempDir private Path directory;

  @Test
  void noNodeIsAddedToAClusterThatIsDown() throws Exception {
    new ClusterFiles(directory, NewCluster.DEFAULT).addNodes(4);
    try (ProcessCluster cluster = ProcessCluster.in(directory, Duration.ofSeconds(5))) {
      ProcessClusterException refused =
          assertThrows(ProcessClusterException.class, () -> cluster.provide(5, _ -> {}));
      assertTrue(String.valueOf(refused.getMessage()).startsWith("no node"), refused::toString);
      assertEquals(List.of(1, 2, 3, 4), cluster.nodes());
      ProcessClusterException unknown =
          assertThrows(ProcessClusterException.class, () -> cluster.dismiss(5));
      assertTrue(String.valueOf(unknown.getMessage()).contains("no node 5"), unknown::toString);
      ProcessClusterException unsure =
          assertThrows(ProcessClusterException.class, () -> cluster.dismiss(4));
      assertTrue(String.valueOf(unsure.getMessage()).contains("may have some"), unsure::toString);
      assertFalse(cluster.isDrained(4));
    }
  }

  @Test
  void aNodeIsNotDispensableForItsZooKeeperServerNorForItsBookie() throws Exception {
    ClusterFiles files = new ClusterFiles(directory, NewCluster.DEFAULT);
    files.addNodes(4);
    DrainedNodes drained = new DrainedNodes(files);
    drained.mustBeDispensable(4, files.config(4));
    ProcessClusterException server =
        assertThrows(
            ProcessClusterException.class, () -> drained.mustBeDispensable(3, files.config(3)));
    assertTrue(String.valueOf(server.getMessage()).contains("ZooKeeper server"), server::toString);
    drained.remember(2);
    ProcessClusterException bookie =
        assertThrows(
            ProcessClusterException.class, () -> drained.mustBeDispensable(4, files.config(4)));
    assertTrue(String.valueOf(bookie.getMessage()).contains("there are 2"), bookie::toString);
  }

  /** Run by a shell it must say the same words to Java, whatever is in them. */
  @Test
  void theScriptOfNodesRunsWhatItWasMadeFor() throws Exception {
    Path odd = directory.resolve("it's $HOME");
    Files.createDirectories(odd);
    NewCluster made = NewCluster.DEFAULT.withClassPath("/no 'such' class path");
    try (ProcessCluster cluster = ProcessCluster.in(odd, Duration.ofSeconds(5), made)) {
      assertEquals(List.of(), cluster.provisionBy("Absent", List.of("--dir", odd.toString())));
    }
    Path script = odd.resolve("provision.sh");
    Process run =
        new ProcessBuilder("sh", "-x", script.toString(), "add", "4")
            .redirectErrorStream(true)
            .start();
    String said = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(1, run.waitFor(), said);
    assertTrue(said.contains("Absent"), said);
    assertTrue(said.contains("add 4"), said);
  }
}
