package org.ecstore.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class NodeHomeTest {
  private static final UUID CLUSTER = new UUID(1, 2);

  @TempDir private Path directory;

  private NodeHome open(long node, String cluster) throws IOException {
    return NodeHome.open(directory, new NodeId(node), cluster);
  }

  private void make() throws IOException {
    try (NodeHome home = open(1, "c")) {
      assertEquals(Optional.empty(), home.cluster());
      home.belongsTo(CLUSTER, "test");
    }
  }

  private static void assertRefused(String reason, Executable start) {
    StartRefusedException refused = assertThrows(StartRefusedException.class, start);
    assertTrue(String.valueOf(refused.getMessage()).contains(reason), refused::getMessage);
  }

  @Test
  void directoryRemembersItsNodeAndItsCluster() throws IOException {
    make();
    try (NodeHome home = open(1, "c")) {
      assertEquals(Optional.of(CLUSTER), home.cluster());
      home.belongsTo(CLUSTER, "test");
    }
  }

  @Test
  void anotherNodeIsRefused() throws IOException {
    make();
    assertRefused("is the directory of node 1, and this is node 2", () -> open(2, "c"));
    assertRefused("belongs to cluster \"c\", and this is a node of \"d\"", () -> open(1, "d"));
  }

  @Test
  void anOlderClustersIdIsRefused() throws IOException {
    make();
    try (NodeHome home = open(1, "c")) {
      assertRefused(
          "belongs to the cluster with id " + CLUSTER,
          () -> home.belongsTo(new UUID(3, 4), "ZooKeeper"));
    }
  }

  @Test
  void directoryInUseIsRefused() throws IOException {
    try (NodeHome home = open(1, "c")) {
      assertEquals(Optional.empty(), home.cluster());
      assertRefused("is in use by this process", () -> open(1, "c"));
    }
  }

  @Test
  void directoryOfAClusterInOneProcessIsRefused() throws IOException {
    Files.writeString(directory.resolve("cluster-id"), "x");
    assertRefused("ran within one process", () -> open(1, "c"));
  }

  @Test
  void lostPartsAreNoticed() throws IOException {
    make();
    Path ledger = directory.resolve("ledger");
    try (NodeHome home = open(1, "c")) {
      home.mustHold("ledger", ledger, ".ledger");
      Files.writeString(home.engine().resolve("00000000.jdb"), "x");
      assertRefused("the ledger is missing", () -> home.mustHold("ledger", ledger, ".ledger"));
    }
    Files.delete(directory.resolve("identity"));
    assertRefused("identity, which says whose, is missing", () -> open(1, "c"));
  }

  @Test
  void damagedIdentityIsRefused() throws IOException {
    make();
    Files.writeString(directory.resolve("identity"), "node = 1\ncluster-name = c\n");
    assertRefused("is damaged: it has no entry \"cluster-id\"", () -> open(1, "c"));
    Files.writeString(
        directory.resolve("identity"), "node = 1\ncluster-name = c\ncluster-id = 7\n");
    assertRefused("holds no cluster id but \"7\"", () -> open(1, "c"));
  }
}
