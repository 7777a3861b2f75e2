package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ecstore.cluster.process.NodeStatus.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of which no process runs: all that is known of them is in files. */
class DrainedNodesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @TempDir private Path directory;

  private DrainedNodes nodes(int count) throws IOException {
    ClusterFiles files = new ClusterFiles(directory, NewCluster.DEFAULT);
    files.addNodes(count);
    return new DrainedNodes(files);
  }

  private static TreeSet<Integer> indispensable(DrainedNodes drained, Integer... running)
      throws IOException {
    return drained.indispensable(List.of(running)::contains);
  }

  private static TreeSet<Integer> of(Integer... nodes) {
    return new TreeSet<>(Set.of(nodes));
  }

  @Test
  void drainedNodeIsRememberedUntilItIsForgotten() throws IOException {
    nodes(4).remember(2);
    DrainedNodes later = new DrainedNodes(new ClusterFiles(directory, NewCluster.DEFAULT));
    assertTrue(later.is(2));
    assertEquals(of(1, 3, 4), later.others());
    try (ProcessCluster cluster = ProcessCluster.in(directory, PATIENCE)) {
      assertEquals(
          List.of(State.DOWN, State.DRAINED, State.DOWN, State.DOWN),
          cluster.status().stream().map(NodeStatus::state).toList());
      assertEquals(List.of(1, 3, 4), cluster.undrained());
      assertEquals(List.of(1, 2, 3, 4), cluster.nodes());
    }
    later.forget(2);
    later.forget(2);
    assertFalse(later.is(2));
  }

  @Test
  void upRefusesToHaveFewerNodesThanThereAreAndStartsNone() throws IOException {
    DrainedNodes drained = nodes(4);
    drained.remember(4);
    List<String> said = new ArrayList<>();
    try (ProcessCluster cluster = ProcessCluster.in(directory, PATIENCE)) {
      ProcessClusterException refused =
          assertThrows(ProcessClusterException.class, () -> cluster.up(2, said::add));
      String why = String.valueOf(refused.getMessage());
      assertTrue(why.startsWith(directory + " has 3 nodes"), why);
      assertTrue(why.endsWith("\"cluster drain 3 --dir " + directory + "\""), why);
    }
    assertEquals(List.of(), said);
    for (int node : drained.others()) {
      assertFalse(Files.exists(directory.resolve("node-" + node + "/server.pid")));
    }
    drained.mustNotBeMoreThan(3);
  }

  @Test
  void drainedNodesComeBackWhereZooKeeperHasNoMajorityWithoutThem() throws IOException {
    DrainedNodes drained = nodes(5);
    drained.remember(5);
    drained.remember(2);
    assertEquals(of(), indispensable(drained));
    drained.remember(1);
    assertEquals(of(1), indispensable(drained));
    assertEquals(of(), indispensable(drained, 2));
  }

  @Test
  void drainedNodesComeBackWhereTheLedgerLacksTheirBookies() throws IOException {
    DrainedNodes drained = nodes(4);
    drained.remember(4);
    assertEquals(of(), indispensable(drained));
    drained.remember(3);
    assertEquals(of(3), indispensable(drained));
    assertEquals(of(), indispensable(drained, 4));
  }

  @Test
  void clusterWithoutZooKeeperLacksNothing() throws IOException {
    Files.createDirectories(directory.resolve("node-1"));
    Files.writeString(
        directory.resolve("node-1/ecstore.toml"), "node.id = 1\nnode.directory = \"data\"\n");
    DrainedNodes drained = new DrainedNodes(new ClusterFiles(directory, NewCluster.DEFAULT));
    drained.remember(1);
    assertEquals(of(), indispensable(drained));
  }
}
