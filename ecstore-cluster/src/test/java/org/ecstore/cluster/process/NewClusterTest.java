package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The configurations of a cluster that is made; no process is started. */
class NewClusterTest {
  @TempDir private Path directory;

  @Test
  void itsFirstNodeAloneHasThePortThatWasChosenUnlessAnotherProcessHasIt() throws Exception {
    int port = new FreePorts().next();
    NewCluster made = NewCluster.DEFAULT.withFirstPort(port);
    ClusterFiles files = new ClusterFiles(directory.resolve("one"), made);
    files.addNodes(2);
    files.addNodes(1);
    assertEquals("127.0.0.1:" + port, files.address(1));
    for (int node : List.of(2, 3)) {
      assertFalse(files.address(node).endsWith(":" + port), files.address(node));
    }

    try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      ClusterFiles others = new ClusterFiles(directory.resolve("two"), made);
      ProcessClusterException refused =
          assertThrows(ProcessClusterException.class, () -> others.addNodes(1));
      assertTrue(String.valueOf(refused.getMessage()).contains("port " + port), refused::toString);
      assertEquals(List.of(), List.copyOf(others.nodes()));
    }
  }
}
