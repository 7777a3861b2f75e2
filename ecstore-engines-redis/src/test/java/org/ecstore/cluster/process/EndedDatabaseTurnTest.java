package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.database.Programs;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.core.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * As {@link EndedTurnTest}, of the database server under a node: a script, which takes the mark of
 * the turn away.
 */
@Timeout(120)
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class EndedDatabaseTurnTest {
  @TempDir private Path temp;

  private final List<ProcessCluster> clusters = new ArrayList<>();

  @AfterEach
  void endAll() {
    clusters.forEach(ProcessCluster::close);
  }

  private ProcessCluster cluster(ClusterFiles files) {
    ProcessCluster cluster =
        ProcessCluster.during(files, EndedTurnTest.PATIENCE, EndedTurnTest.NO_CLASSES, true);
    clusters.add(cluster);
    return cluster;
  }

  private ClusterFiles oneOnRedis(String script) throws Exception {
    assumeTrue(Programs.find("redis-server").isEmpty(), "this machine has a Redis of its own");
    Path directory = temp.resolve("cluster");
    MavenArtifacts redis =
        ScriptedRedis.does(temp.resolve("artifacts"), script.formatted(directory.resolve("turn")));
    ClusterFiles files =
        new ClusterFiles(
            directory,
            EndedTurnTest.NO_CLASSES.asStandalone().withMix(new EngineMix(1, List.of("redis"))),
            _ -> redis);
    files.addNodes(1);
    return files;
  }

  @Test
  void aDatabaseThatServesByThenIsEnded() throws Exception {
    ClusterFiles files = oneOnRedis("rm '%s'; while :; do sleep 0.1; done");
    ProcessCluster cluster = cluster(files);
    String url = files.config(1).engineAccess().orElseThrow().url();
    int port = Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    List<String> said = new ArrayList<>();
    CompletableFuture<ServerSocket> listening =
        CompletableFuture.supplyAsync(
            () -> {
              Await.until(
                  "its process is there",
                  () -> cluster.databasePid(1).isPresent() && !Files.exists(files.turnMark()));
              try {
                return new ServerSocket(port, 5, InetAddress.getLoopbackAddress());
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            },
            Thread.ofVirtual()::start);
    EndedTurnTest.assertEnded(files, 1, () -> cluster.launch(1, said::add));
    listening.get().close();
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.getFirst().startsWith("the redis server of node 1 started"), said::toString);
    assertEquals(Optional.empty(), cluster.databasePid(1));
    assertFalse(EndedTurnTest.isLaunched(files, 1));
  }

  /** It is not said how to mend a server that is well. */
  @Test
  void aDatabaseThatWasEndedMeanwhileIsNoFailure() throws Exception {
    ClusterFiles files = oneOnRedis("rm '%s'; exit 1");
    ProcessCluster cluster = cluster(files);
    EndedTurnTest.assertEnded(files, 1, () -> cluster.startDatabase(1));
  }
}
