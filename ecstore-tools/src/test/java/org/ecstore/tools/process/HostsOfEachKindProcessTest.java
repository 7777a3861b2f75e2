package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.ecstore.client.EcStore;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.NumberedWords;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.core.testing.Await;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three hosts with a node of each of three kinds, by the command of the documents: nine processes
 * of nodes and six of database servers, which Maven fetches once, and none of them afterwards.
 */
@Tag("nightly")
@Timeout(900)
class HostsOfEachKindProcessTest {
  private static final int NODES = 9;
  private static final int SERVERS = 6;
  private static final NumberedWords WORDS = new NumberedWords(50);

  @TempDir private Path temp;

  private String run(String... args) {
    StringWriter said = new StringWriter();
    PrintWriter to = new PrintWriter(said, true);
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--dir", temp.resolve("cluster").toString()));
    int status =
        EcStoreMain.commandLine().setOut(to).setErr(to).execute(all.toArray(String[]::new));
    assertEquals(ExitStatus.OK, status, said::toString);
    return said.toString();
  }

  @AfterEach
  void endAll() {
    run("cluster", "down");
  }

  @Test
  void eachKindHasACopyAndNoProcessOutlivesTheCluster() throws Exception {
    run("cluster", "up", "--hosts", "3", "--engines", "je,mysql,redis", "--port", "0");
    Set<ProcessHandle> processes = new TreeSet<>();
    Path directory = temp.resolve("cluster");
    try (ProcessCluster cluster = ProcessCluster.in(directory, Duration.ofMinutes(2))) {
      List<String> kinds = new ArrayList<>();
      int servers = 0;
      for (int node : cluster.nodes()) {
        kinds.add(cluster.engines().kind(node));
        processes.add(handle(cluster.pid(node).orElseThrow()));
        if (cluster.hasDatabase(node)) {
          processes.add(handle(cluster.databasePid(node).orElseThrow()));
          servers++;
        }
      }
      assertEquals(SERVERS, servers);
      assertEquals(NODES + SERVERS, processes.size());
      for (String kind : List.of("je", "mysql", "redis")) {
        assertEquals(3, kinds.stream().filter(kind::equals).count(), kinds::toString);
      }
      try (EcStore store = NumberedWords.connect(cluster)) {
        WORDS.write(store, "first");
        WORDS.assertHeld(store, "first");
        Await.until("each range has its three copies", () -> isWhole(cluster));
        WORDS.assertHeldBy(3, store, "first");
      }
    }
    // Those that start nodes again that have ended.
    Set<ProcessHandle> guards = new TreeSet<>();
    processes.forEach(process -> process.parent().ifPresent(guards::add));
    guards.removeIf(guard -> guard.pid() == 1 || guard.equals(ProcessHandle.current()));
    assertTrue(guards.size() >= NODES, guards::toString);
    processes.addAll(guards);
    run("cluster", "down");
    Await.until("all have ended", () -> processes.stream().noneMatch(ProcessHandle::isAlive));
  }

  private static ProcessHandle handle(long pid) {
    return ProcessHandle.of(pid).orElseThrow();
  }

  private static boolean isWhole(ProcessCluster cluster) throws Exception {
    return cluster
        .map(cluster.status())
        .filter(
            map -> map.holders().stream().allMatch(range -> range.secondaries().size() + 1 >= 3))
        .isPresent();
  }
}
