package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.config.EngineAccess;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.node.DatabaseMemory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Database servers of nodes on a machine that has neither these nor {@code mvn} to fetch them. */
@Timeout(60)
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class ServersWithoutMavenTest {
  private static final String NOTHING = "nothing";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"mysql", "redis"})
  void aSentenceNamesTheMissingProgramAndWhatToDoWithoutIt(String kind) throws Exception {
    assertSays(
        said(kind, "server"),
        "node 1 keeps its data on a " + kind + " server",
        "there is no mvn on the PATH",
        "name that by engine.url in " + directory.resolve("node-1").resolve("ecstore.toml"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mysql", "redis"})
  void noNodeOfAClusterIsMadeBeforeAllProgramsAreThere(String kind) throws Exception {
    assertSays(
        said(kind, "up"),
        "nodes of the kind %1$s keep their data on a %1$s server".formatted(kind),
        "there is no mvn on the PATH",
        "Nothing has been done");
    assertFalse(Files.exists(directory.resolve("node-1")), "no node is there");
  }

  private static void assertSays(String said, String... all) {
    for (String expected : all) {
      assertTrue(said.contains(expected), said);
    }
  }

  private String said(String kind, String what) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    ProcessBuilder starting =
        new ProcessBuilder(
                java.toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ServersWithoutMavenTest.class.getName(),
                directory.toString(),
                kind,
                what)
            .redirectErrorStream(true);
    Path nothing = Files.createDirectory(directory.resolve(NOTHING));
    starting.environment().put("PATH", nothing.toString());
    Process process = starting.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  /**
   * Starts the server of a node, or a cluster: where that is, the kind of the engine, and which of
   * these.
   */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    String kind = arguments[1];
    if (arguments[2].equals("up")) {
      NewCluster made = NewCluster.DEFAULT.withMix(new EngineMix(1, List.of("je", kind)));
      ClusterFiles files =
          new ClusterFiles(
              directory,
              made,
              progress -> new MavenArtifacts(directory.resolve(NOTHING), progress));
      try (ProcessCluster cluster =
          ProcessCluster.during(files, Duration.ofSeconds(30), made, false)) {
        cluster.up(2, System.out::println);
      } catch (ProcessClusterException refused) {
        System.out.println(refused.getMessage());
      }
      return;
    }
    NodeDatabases databases =
        new NodeDatabases(
            node -> directory.resolve("node-" + node),
            progress -> new MavenArtifacts(directory.resolve(NOTHING), progress));
    int port = new FreePorts().next();
    databases.made(1, kind, port, DatabaseMemory.of(64 << 20));
    String address = "127.0.0.1:" + port;
    EngineAccess access =
        new EngineAccess(
            kind.equals("mysql") ? "jdbc:mariadb://" + address + "/ecstore" : "redis://" + address,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    try {
      databases.start(1, Optional.of(access), System.out::println);
    } catch (ProcessClusterException refused) {
      System.out.println(refused.getMessage());
    }
  }
}
