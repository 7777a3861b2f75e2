package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.config.ServerConfig.Coordination.Local;
import org.ecstore.cluster.config.ServerConfig.Coordination.ZooKeeper;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.node.NodeResources;
import org.ecstore.cluster.provision.CommandWords;
import org.ecstore.server.ReplicationSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

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

  /** As where the command is ended, or the disk is full. */
  @Test
  void aClusterWhoseMakingWasInterruptedIsMadeAnew() throws Exception {
    Path obstacle = directory.resolve("node-2/ecstore.toml.tmp");
    Files.createDirectories(obstacle.resolve("full"));
    NewCluster mix = NewCluster.DEFAULT.withMix(new EngineMix(3, List.of("file", "je")));
    ClusterFiles first = new ClusterFiles(directory, mix);
    assertThrows(IOException.class, () -> first.addNodes(6));
    assertTrue(Files.exists(first.configFile(1)), "of one node it is there");

    ClusterFiles again = new ClusterFiles(directory, mix);
    assertEquals(Set.of(), again.nodes(), "no cluster is there");
    again.addNodes(6);
    ClusterFiles later = new ClusterFiles(directory, NewCluster.DEFAULT);
    assertEquals(Set.of(1, 2, 3, 4, 5, 6), later.nodes());
    Set<String> kinds = new TreeSet<>();
    for (int node : later.nodes()) {
      kinds.add(later.config(node).engineKind());
    }
    assertEquals(Set.of("file", "je"), kinds);
    assertFalse(Files.exists(obstacle));
  }

  /** The file may be of a backup. */
  @Test
  void nothingIsDeletedOfNodesThatHaveRun() throws Exception {
    ClusterFiles files = new ClusterFiles(directory, NewCluster.DEFAULT);
    files.addNodes(3);
    Path data = Files.createDirectories(files.home(3).resolve("data"));
    Files.writeString(directory.resolve("unfinished"), "");
    ProcessClusterException refused =
        assertThrows(ProcessClusterException.class, () -> files.addNodes(3));
    assertTrue(String.valueOf(refused.getMessage()).contains("node 3 has run"), refused::toString);
    assertTrue(Files.exists(data) && Files.exists(files.configFile(1)));
    Files.delete(directory.resolve("unfinished"));
    assertEquals(Set.of(1, 2, 3), files.nodes());
  }

  @Test
  void furtherNodesAreOfTheClassOfTheFirst() throws Exception {
    NodeClass small =
        new NodeClass(
            "small", Optional.of(new BigDecimal("0.25")), Optional.of(new BigDecimal("0.2")));
    NewCluster made =
        NewCluster.DEFAULT
            .withMix(new EngineMix(1, List.of("je")))
            .withReplication(ReplicationSettings.DEFAULT.withRelaxed(true))
            .withNodeClass(small)
            .asMeasured();
    ClusterFiles files = new ClusterFiles(directory.resolve("one"), made);
    files.addNodes(1);
    files.addNodes(2);
    Set<Integer> ports = new TreeSet<>();
    for (int node : files.nodes()) {
      ServerConfig config = files.config(node);
      assertEquals("small", config.nodeClass());
      assertEquals(small.pricePerHour(), config.pricePerHour());
      assertEquals(small.capacity(), config.capacity());
      assertEquals("je", config.engineKind());
      ports.add(config.metrics().orElseThrow().port());
    }
    assertEquals(3, ports.size(), "each has a port of its own");
    ClusterFiles usual = new ClusterFiles(directory.resolve("two"), NewCluster.DEFAULT);
    usual.addNodes(2);
    assertEquals("standard", usual.config(2).nodeClass());
    assertEquals(Optional.empty(), usual.config(2).capacity());
    assertEquals(Optional.empty(), usual.config(2).metrics());
  }

  /** One on the usual engine would be measured in place of the one that was asked for. */
  @Test
  void aNodeAloneIsOnTheEngineThatWasAskedFor() throws Exception {
    NewCluster alone = NewCluster.DEFAULT.asStandalone();
    ClusterFiles usual = new ClusterFiles(directory.resolve("one"), alone);
    usual.addNodes(1);
    assertEquals("je", usual.config(1).engineKind());
    ClusterFiles file =
        new ClusterFiles(
            directory.resolve("two"), alone.withMix(new EngineMix(1, List.of("file"))));
    file.addNodes(1);
    assertEquals("file", file.config(1).engineKind());
    assertInstanceOf(Local.class, file.config(1).coordination());
    ClusterFiles redis =
        new ClusterFiles(
            directory.resolve("three"), alone.withMix(new EngineMix(1, List.of("redis"))));
    redis.addNodes(1);
    String config = Files.readString(redis.configFile(1));
    assertTrue(config.contains("kind = \"redis\"\nurl = \"redis://127.0.0.1:"), config);
    assertTrue(redis.databases().has(1));
    ClusterFiles two =
        new ClusterFiles(
            directory.resolve("four"), alone.withMix(new EngineMix(1, List.of("je", "file"))));
    ProcessClusterException refused =
        assertThrows(ProcessClusterException.class, () -> two.addNodes(1));
    assertEquals("a cluster of one node for ever cannot have 2", refused.getMessage());
  }

  @Test
  void aNodeThatIsAddedByItsNumberIsLikeTheFirst() throws Exception {
    ServerConfig.Control control =
        new ServerConfig.Control(
            Duration.ofSeconds(2),
            4,
            Duration.ofMinutes(1),
            Optional.of(CommandWords.of(List.of("sh", "/a \\ b/provision.sh"))));
    NewCluster made =
        NewCluster.DEFAULT
            .withResources(new NodeResources(64 << 20, 128 << 20, 9 << 20, "SerialGC", 1))
            .withControl(control)
            .asMeasured();
    new ClusterFiles(directory, made).addNodes(3);
    ClusterFiles files = new ClusterFiles(directory, NewCluster.DEFAULT);
    files.addLikeFirst(7);
    assertEquals(Set.of(1, 2, 3, 7), files.nodes());
    ServerConfig first = files.config(1);
    ServerConfig added = files.config(7);
    assertEquals(control, first.control());
    assertEquals(control, added.control());
    assertEquals(files.flags(1), files.flags(7));
    assertEquals(9 << 20, added.engineCacheBytes());
    assertEquals(first.replication(), added.replication());
    assertEquals("node-7", added.host());
    assertTrue(added.bookie().isPresent());
    assertTrue(added.metrics().isPresent());
    ZooKeeper of = assertInstanceOf(ZooKeeper.class, added.coordination());
    assertEquals(Optional.empty(), of.embedded());
    assertEquals(assertInstanceOf(ZooKeeper.class, first.coordination()).connect(), of.connect());
    files.addNodes(1);
    assertEquals(control, files.config(8).control());
  }

  private String options(ClusterFiles files, int node) throws IOException {
    return Files.readString(files.home(node).resolve("database.options"));
  }

  /** Each by its kind, of a machine that nodes and servers share. */
  @Test
  void aServerGetsItsShareOfTheMachine() throws Exception {
    Machine machine = new Machine(24L << 30, 2);
    NewCluster made =
        NewCluster.DEFAULT.withMix(new EngineMix(3, List.of("je", "mysql", "redis"))).on(machine);
    ClusterFiles files = new ClusterFiles(directory.resolve("one"), made);
    files.addNodes(9);
    assertFalse(Files.exists(files.home(1).resolve("database.options")), "je has no server");
    assertTrue(options(files, 2).endsWith("\n--innodb-buffer-pool-size=682M\n"));
    assertTrue(options(files, 3).endsWith("\n--maxmemory 682mb\n"));
    assertTrue(Files.readString(files.flagsFile(3)).contains("-Xmx682m"));

    ClusterFiles given =
        new ClusterFiles(directory.resolve("two"), made.withDatabaseBytes(3L << 30));
    given.addNodes(9);
    assertTrue(options(given, 2).endsWith("\n--innodb-buffer-pool-size=3072M\n"));
    assertTrue(options(given, 9).endsWith("\n--maxmemory 3072mb\n"));
  }

  @Test
  void furtherNodesHaveTheEngineOfAllUnlessAnotherIsAskedFor() throws Exception {
    Path alike = directory.resolve("alike");
    new ClusterFiles(alike, NewCluster.DEFAULT.withMix(new EngineMix(2, List.of("file"))))
        .addNodes(2);
    ClusterFiles later = new ClusterFiles(alike, NewCluster.DEFAULT);
    later.addNodes(1);
    assertEquals("file", later.config(3).engineKind());
    ClusterFiles asked =
        new ClusterFiles(alike, NewCluster.DEFAULT.withMix(new EngineMix(1, List.of("je"))));
    asked.addNodes(1);
    assertEquals("je", asked.config(4).engineKind());
    later.addNodes(1);
    assertEquals("je", later.config(5).engineKind(), "of several kinds the usual one");
    later.addLikeFirst(9);
    assertEquals("je", later.config(9).engineKind());
    assertEquals("host-4", later.config(4).host());
  }

  @Test
  void whatStartsNodesIsNamedWhereNothingWas() throws Exception {
    ClusterFiles files = new ClusterFiles(directory, NewCluster.DEFAULT);
    files.addNodes(2);
    CommandWords own = CommandWords.parse("my-nodes");
    Path second = files.configFile(2);
    Files.writeString(second, Files.readString(second) + "[provisioner]\ncommand = 'my-nodes'\n");
    CommandWords ours = ProcessCluster.provisioner(directory);
    assertEquals(Set.of(1), files.provisionBy(ours));
    assertEquals(Set.of(), files.provisionBy(ours));
    assertEquals(Optional.of(ours), files.config(1).control().provisioner());
    assertEquals(Optional.of(own), files.config(2).control().provisioner());
    assertEquals(List.of("sh", directory + "/provision.sh"), ours.words());
  }

  @Test
  void ofAMixHostsAreMeantWhereTheyAreTooFewForAllCopies() {
    NewCluster made =
        NewCluster.DEFAULT
            .withMix(new EngineMix(3, List.of("je", "file")))
            .withReplication(ReplicationSettings.DEFAULT.withCopies(4));
    ClusterFiles files = new ClusterFiles(directory, made);
    ProcessClusterException refused =
        assertThrows(ProcessClusterException.class, () -> files.addNodes(6));
    assertEquals(
        "4 copies of each range need as many hosts, and there are 3", refused.getMessage());
  }

  /** Of two builds that are compared neither begins with more than the other. */
  @Test
  @ResourceLock(Resources.SYSTEM_PROPERTIES)
  void nodesWithoutKeptClassesAreOfThisBuildAllTheSame() throws Exception {
    String property = "ecstore.aot-cache";
    String before = System.getProperty(property);
    System.setProperty(property, "kept.aot");
    try {
      NewCluster without = NewCluster.DEFAULT.withoutKeptClasses();
      assertTrue(script(NewCluster.DEFAULT).contains("-XX:AOTCache=kept.aot"));
      assertFalse(script(without).contains("kept.aot"), script(without));
      assertEquals(Optional.of(NodeLauncher.ownClassPath()), without.classPath());
    } finally {
      if (before == null) {
        System.clearProperty(property);
      } else {
        System.setProperty(property, before);
      }
    }
  }

  private String script(NewCluster made) throws Exception {
    return NodeLauncher.of(
            new ClusterFiles(directory, made), Optional.empty(), made.classPath(), List.of())
        .script("Main", List.of());
  }
}
