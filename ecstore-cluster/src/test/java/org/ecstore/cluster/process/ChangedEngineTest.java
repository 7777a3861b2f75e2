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
import java.util.Optional;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.file.DirectoryLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that get another engine, by their files; no process is started. */
class ChangedEngineTest {
  @TempDir private Path directory;

  private final List<String> said = new ArrayList<>();
  private ClusterFiles files;
  private EngineFiles engines;

  @BeforeEach
  void makeNodes() throws Exception {
    files =
        new ClusterFiles(directory, NewCluster.DEFAULT.withMix(new EngineMix(3, List.of("je"))));
    files.addNodes(3);
    engines = new EngineFiles(files);
  }

  /** Makes something that node 2 has in its engine, and says where. */
  private Path rows() throws IOException {
    return Files.createDirectories(
        ServerConfig.engineOf(files.config(2).directory()).resolve("rows"));
  }

  /** As if it were killed after it has deleted, before the configuration is written. */
  private void interruptedChange(String kind) throws IOException {
    Path written = files.home(2).resolve("ecstore.toml.tmp");
    Path obstacle = Files.createDirectories(written.resolve("full"));
    assertThrows(IOException.class, () -> engines.change(2, kind, said::add));
    Files.delete(obstacle);
    Files.delete(written);
  }

  private void assertIsOn(String kind) throws IOException {
    assertEquals(kind, files.config(2).engineKind());
    assertFalse(engines.isGone(2));
  }

  /** By an operator, as the documentation says. */
  private void configure(String kind, String instead) throws IOException {
    Path file = files.configFile(2);
    String text = Files.readString(file);
    assertTrue(text.contains("kind = \"" + kind + '"'), text);
    Files.writeString(file, text.replace("kind = \"" + kind + '"', instead));
  }

  /** What goes first is noted: so it is known that it went. */
  @Test
  void whatWasInterruptedAsItDeletedIsFinishedWhenTheNodeIsStarted() throws Exception {
    Path rows = rows();
    interruptedChange("file");
    assertFalse(Files.exists(rows), "it has gone");
    assertEquals("je", files.config(2).engineKind());
    assertTrue(engines.isGone(2));
    assertFalse(engines.isGone(1));
    rows();
    engines.settle(2, said::add);
    assertFalse(Files.exists(rows), "what was left goes too");
    assertIsOn("file");
    assertTrue(engines.underWay(2).isPresent(), "it is not filled yet");
    assertEquals(
        List.of(
            "node 2 gets an empty file engine: the change from je was interrupted as it deleted"
                + " that"),
        said);
    rows();
    engines.settle(2, said::add);
    assertTrue(Files.exists(rows), "it is done once");
    engines.forget(2);
    assertTrue(engines.underWay(2).isEmpty());
    assertEquals(1, said.size(), said::toString);
  }

  /** Also where that is interrupted in its turn: it has the same kind before and after. */
  @Test
  void aChangeBackIsNotUndoneByTheOneThatWasInterrupted() throws Exception {
    interruptedChange("file");
    Path rows = rows();
    interruptedChange("je");
    assertTrue(engines.isGone(2), "what it had may be there in part");
    rows();
    engines.change(2, "je", said::add);
    assertFalse(Files.exists(rows));
    assertIsOn("je");
    rows();
    engines.settle(2, said::add);
    assertTrue(Files.exists(rows));
    assertIsOn("je");

    engines.forget(2);
    interruptedChange("file");
    interruptedChange("je");
    engines.settle(2, said::add);
    assertFalse(Files.exists(rows));
    assertIsOn("je");
  }

  /** Its copies had not come in time, so that it was noted still as the operator took over. */
  @Test
  void aChangeByHandIsNotUndone() throws Exception {
    engines.change(2, "je", said::add);
    configure("je", "kind = \"file\"");
    Path rows = rows();
    assertTrue(engines.hasMark(2));
    assertTrue(engines.underWay(2).isEmpty(), "it is over");
    assertFalse(engines.isGone(2));
    engines.settle(2, said::add);
    assertTrue(Files.exists(rows));
    assertIsOn("file");
    assertFalse(engines.hasMark(2));
    assertEquals(
        List.of("node 2 is on file by its configuration: a change from je to je is forgotten"),
        said);
  }

  @Test
  void aChangeBackByHandIsNotUndone() throws Exception {
    engines.change(2, "file", said::add);
    configure("file", "kind = \"je\"");
    Path rows = rows();
    engines.settle(2, said::add);
    assertTrue(Files.exists(rows));
    assertIsOn("je");
  }

  /** Nothing has been deleted. */
  @Test
  void aNodeThatLeavesForAnotherEngineKeepsItsOwnWhereItIsStarted() throws Exception {
    Path rows = rows();
    engines.leave(2, "file");
    assertTrue(engines.underWay(2).isPresent());
    assertIsOn("je");
    engines.settle(2, said::add);
    assertFalse(engines.hasMark(2));
    assertTrue(Files.exists(rows));
    assertIsOn("je");
  }

  /** Of one that has begun to delete it is known still that what the node has is not whole. */
  @Test
  void aNodeKeepsTheEngineThatItHasUnlessThatGoes() throws Exception {
    try (ProcessCluster cluster = ProcessCluster.in(directory, Duration.ofSeconds(1))) {
      assertEquals(Optional.empty(), cluster.engines().keep(2, said::add));
      engines.leave(2, "file");
      assertTrue(cluster.engines().isLeaving(2));
      assertEquals(Optional.of("from je to file"), cluster.engines().keep(2, said::add));
      assertFalse(cluster.engines().isLeaving(2) || engines.hasMark(2));

      interruptedChange("file");
      assertFalse(cluster.engines().isLeaving(2));
      assertEquals(Optional.empty(), cluster.engines().keep(2, said::add));
      assertTrue(engines.isGone(2));

      engines.change(2, "file", said::add);
      assertEquals(
          Optional.of("from je to file"),
          cluster.engines().keep(2, said::add),
          "it is filled, or not");
      assertFalse(engines.hasMark(2));
      assertIsOn("file");
    }
  }

  /** It may be deleting what the node has. */
  @Test
  void noChangeIsForgottenWhileAnotherProcessWorksInTheDirectory() throws Exception {
    engines.leave(2, "file");
    try (ProcessCluster cluster = ProcessCluster.in(directory, Duration.ofMillis(100))) {
      try (DirectoryLock _ = DirectoryLock.acquire(directory)) {
        assertThrows(DirectoryInUseException.class, () -> cluster.engines().keep(2, said::add));
      }
      assertTrue(cluster.engines().isLeaving(2));
    }
  }

  @Test
  void whatAnotherBuildNotedIsNotGuessedAt() throws Exception {
    Path rows = rows();
    Files.writeString(files.home(2).resolve("engine.change"), "file\n");
    ProcessClusterException refused =
        assertThrows(ProcessClusterException.class, () -> engines.settle(2, said::add));
    String why = String.valueOf(refused.getMessage());
    assertTrue(why.contains("has \"file\", which this build does not write"), why);
    assertTrue(Files.exists(rows));
  }

  /** Another process may be about to give the node an engine, or to start it. */
  @Test
  void noEngineIsDeletedWhileAnotherProcessWorksInTheDirectory() throws Exception {
    interruptedChange("file");
    Path rows = rows();
    try (ProcessCluster cluster = ProcessCluster.in(directory, Duration.ofMillis(100))) {
      try (DirectoryLock _ = DirectoryLock.acquire(directory)) {
        assertThrows(DirectoryInUseException.class, () -> cluster.start(2));
      }
    }
    assertTrue(Files.exists(rows));
    assertTrue(engines.isGone(2));
  }

  @Test
  void placementIsRelaxedInAllConfigurationsOrNone() throws Exception {
    try (ProcessCluster cluster = ProcessCluster.in(directory, Duration.ofSeconds(1))) {
      assertFalse(cluster.engines().relaxed());
      Path second = files.configFile(2);
      String before = Files.readString(files.configFile(1));
      String had = Files.readString(second);
      Files.writeString(second, "placement = { relaxed = false }\n" + had);
      assertThrows(ProcessClusterException.class, () -> cluster.engines().relax(said::add));
      assertEquals(before, Files.readString(files.configFile(1)));
      Files.writeString(second, had + "\n[placement]\nrelaxed = true\n");
      assertFalse(cluster.engines().relaxed(), "not by all nodes");
      cluster.engines().relax(said::add);
      assertTrue(cluster.engines().relaxed());
      for (int node : files.nodes()) {
        assertTrue(files.config(node).replication().relaxed());
      }
      assertTrue(Files.readString(files.configFile(1)).startsWith(before), "all else is as it was");
    }
  }
}
