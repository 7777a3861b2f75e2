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
import java.util.Optional;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyState;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.HotReplicasSeen;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;
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

  /** What a node says that is at some version of the map, and has a copy under an epoch. */
  private static NodeStatus holding(long map, long epoch) {
    Inspected seen =
        new Inspected(
            new NodeId(4),
            1,
            "",
            List.of(),
            List.of(),
            Optional.empty(),
            new ReadPoint(Position.ZERO, new MapVersion(map)),
            List.of(
                new CopyLine(
                    new RangeId(9),
                    new Epoch(epoch),
                    KeyRange.ALL,
                    CopyState.SERVING,
                    Position.ZERO,
                    Position.ZERO,
                    Position.ZERO)),
            new HotReplicasSeen(0, 0, 0, List.of()),
            List.of());
    return new NodeStatus(
        4, NodeStatus.State.SERVING, Optional.of(9L), "h:4", Optional.of(seen), Optional.empty());
  }

  /** At map 17 all is of another node. */
  private static void dismissed(NodeStatus node, long primary) {
    RangeId range = new RangeId(9);
    StatusReport map =
        new StatusReport(
            new ReadPoint(Position.ZERO, new MapVersion(17)),
            List.of(),
            List.of(new Route(range, new Epoch(17), KeyRange.ALL, new NodeId(primary), "h:1")));
    DrainedNodes.mustHaveNothing(4, List.of(node), Optional.of(map));
  }

  @Test
  void whatAnOlderMapGaveANodeIsNoMoreItsOwn() {
    dismissed(holding(16, 16), 1);
    assertThrows(ProcessClusterException.class, () -> dismissed(holding(16, 16), 4), "by the map");
    assertThrows(ProcessClusterException.class, () -> dismissed(holding(17, 17), 1), "later");
    assertThrows(ProcessClusterException.class, () -> dismissed(holding(16, 0), 1), "being made");
    assertThrows(ProcessClusterException.class, () -> dismissed(holding(0, 18), 1), "restarted");
  }
}
