package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.database.ServedElsewhereKind;
import org.ecstore.cluster.layout.EngineMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of a kind whose database servers are not made here, in a process that has the kind. */
@Timeout(120)
class ServersMadeElsewhereTest {
  private static final String REFUSAL =
      "nodes of the kind elsewhere keep their data on a server, and only those of mysql and redis"
          + " are made here: configure such a node by hand, with engine.url in its ecstore.toml";

  @TempDir private Path directory;

  @Test
  void noNodeOfThemIsMade() throws Exception {
    Path kind = ServedElsewhereKind.announcedIn(directory.resolve("kind"));
    Path cluster = directory.resolve("cluster");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                java.toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                kind + File.pathSeparator + System.getProperty("java.class.path"),
                ServersMadeElsewhereTest.class.getName(),
                cluster.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertEquals(List.of(REFUSAL, REFUSAL, "[1]"), said.lines().toList());
    assertFalse(Files.exists(cluster.resolve("new/node-1")));
    assertFalse(Files.exists(cluster.resolve("new/cluster.secret")));
    assertFalse(Files.exists(cluster.resolve("there/node-2")));
  }

  /** Makes a cluster of two kinds, and a node beside one that is there. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    NewCluster two =
        NewCluster.DEFAULT.withMix(new EngineMix(1, List.of("je", ServedElsewhereKind.NAME)));
    try (ProcessCluster cluster =
        ProcessCluster.during(
            files(directory.resolve("new"), two), Duration.ofSeconds(30), two, false)) {
      cluster.up(2, System.out::println);
    } catch (ProcessClusterException refused) {
      System.out.println(refused.getMessage());
    }
    Path there = directory.resolve("there");
    files(there, NewCluster.DEFAULT).addNodes(1);
    NewCluster more =
        NewCluster.DEFAULT.withMix(new EngineMix(1, List.of(ServedElsewhereKind.NAME)));
    ClusterFiles files = files(there, more);
    try {
      files.addNodes(1);
    } catch (ProcessClusterException refused) {
      System.out.println(refused.getMessage());
    }
    System.out.println(files.nodes());
  }

  private static ClusterFiles files(Path directory, NewCluster made) {
    return new ClusterFiles(
        directory, made, progress -> new MavenArtifacts(directory.resolve("none"), progress));
  }
}
