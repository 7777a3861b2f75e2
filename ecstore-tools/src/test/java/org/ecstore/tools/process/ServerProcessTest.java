package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.key.Tuple;
import org.ecstore.server.ChildProcess;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code ecstore server} as its operator meets it: one node, a process of its own. */
@Timeout(120)
class ServerProcessTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());
  private static final Pattern SERVING =
      Pattern.compile(
          "serving on (127\\.0\\.0\\.1:\\d+) as node (\\d+) of cluster test \\(([^)]*)\\), with"
              + " heap .*");

  @TempDir private Path temp;

  private Path config(int node, String directory, int port) throws IOException {
    return Files.writeString(
        temp.resolve("node-" + node + ".toml"),
        """
        cluster.name = "test"
        node.id = %d
        node.directory = "%s"
        listen.port = %d
        log.file = "server.log"
        """
            .formatted(node, directory, port));
  }

  private static ChildProcess start(Path config) throws IOException {
    return new ChildProcess(EcStoreMain.class, "server", "--config", config);
  }

  private static Matcher awaitServing(ChildProcess server) throws IOException {
    String line = server.lineOnceItServes();
    Matcher serving = SERVING.matcher(line);
    assertTrue(serving.matches(), () -> line + "\n" + rest(server));
    return serving;
  }

  private static void copy(Path from, Path to) throws IOException {
    if (Files.exists(to)) {
      try (Stream<Path> all = Files.walk(to)) {
        for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }

  private static String rest(ChildProcess server) {
    try {
      return server.rest();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static void assertRefused(Path config, String reason) throws Exception {
    try (ChildProcess server = start(config)) {
      String said = server.rest();
      assertEquals(2, server.exitStatus(), said);
      assertTrue(said.contains(reason), said);
      assertEquals(1, said.lines().count(), said);
    }
  }

  @Test
  void nodeServesUntilToldToStopAndComesBackWithItsDataHoweverItEnded() throws Exception {
    Path config = config(1, "data", 0);
    String cluster;
    try (ChildProcess server = start(config)) {
      Matcher serving = awaitServing(server);
      cluster = serving.group(3);
      try (EcStore store = EcStore.connect(serving.group(1))) {
        store.execute(tx -> tx.put(WORDS, Tuple.of("one"), "1"));
      }
      server.kill();
      server.exitStatus();
    }
    try (ChildProcess server = start(config)) {
      Matcher serving = awaitServing(server);
      assertEquals(cluster, serving.group(3));
      try (EcStore store = EcStore.connect(serving.group(1))) {
        assertEquals(
            Optional.of("1"),
            store.<Optional<String>, RuntimeException>read(
                snapshot -> snapshot.get(WORDS, Tuple.of("one"))));
      }
      // While it runs no other process gets its directory.
      assertRefused(config, "is in use by another process (" + server.pid() + ")");
      int port = Integer.parseInt(serving.group(1).substring("127.0.0.1:".length()));
      assertRefused(config(2, "other", port), "the port is in use");
      server.terminate();
      assertEquals(0, server.exitStatus(), server.rest());
    }
    String log = Files.readString(temp.resolve("server.log"));
    assertTrue(log.contains("node 1 departs"), log);
    assertTrue(log.contains("node 1 has ended"), log);

    assertRefused(config(2, "data", 0), "is the directory of node 1, and this is node 2");
  }

  private void write(Path config, String value) throws Exception {
    try (ChildProcess server = start(config)) {
      Matcher serving = awaitServing(server);
      try (EcStore store = EcStore.connect(serving.group(1))) {
        store.execute(tx -> tx.put(WORDS, Tuple.of("one"), value));
      }
      server.kill();
      server.exitStatus();
    }
  }

  @Test
  @Tag("slow")
  void partsOfANodesDirectoryThatDoNotBelongTogetherAreRefused() throws Exception {
    Path config = config(1, "data", 0);
    Path data = temp.resolve("data");
    write(config, "old");
    copy(data, temp.resolve("old"));
    write(config, "new");
    copy(data, temp.resolve("new"));
    for (String part : new String[] {"ledger", "coordination"}) {
      copy(temp.resolve("old").resolve(part), data.resolve(part));
      assertRefused(config, part + " is older than the rest of");
      Files.delete(data.resolve(part).resolve("part-of"));
      assertRefused(config, "it has no file part-of");
      try (Stream<Path> files = Files.list(data.resolve(part))) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      assertRefused(config, "is missing");
      copy(temp.resolve("new").resolve(part), data.resolve(part));
    }
    copy(temp.resolve("old").resolve("engine"), data.resolve("engine"));
    write(config, "an older engine is filled from the ledger");
    copy(temp.resolve("old"), data);
    write(config, "all of it is older");
  }

  @Test
  void everyErrorOfTheConfigurationIsSaid() throws Exception {
    Path config = Files.writeString(temp.resolve("bad.toml"), "node.idd = 1\nlisten.port = true\n");
    try (ChildProcess server = start(config)) {
      String said = server.rest();
      assertEquals(2, server.exitStatus(), said);
      assertEquals(4, said.lines().count(), said);
      assertTrue(said.startsWith(config + ":1: there is no key node.idd"), said);
    }
  }

  @Test
  void portInUseByAnotherProgramIsRefused() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertRefused(
          config(1, "data", other.getLocalPort()),
          "cannot listen on 127.0.0.1:" + other.getLocalPort());
    }
  }
}
