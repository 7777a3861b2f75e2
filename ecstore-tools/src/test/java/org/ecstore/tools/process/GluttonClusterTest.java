package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientReply;
import org.ecstore.server.net.Addresses;
import org.ecstore.tools.attack.attacker.Glutton;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of three of the smallest nodes, each with a bookie, a ZooKeeper server and copies of
 * all ranges, and clients that send the largest transactions at once to all of them.
 */
@Timeout(600)
class GluttonClusterTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());
  private static final int NODES = 3;

  @TempDir private Path directory;

  private final ExecutorService together = Executors.newCachedThreadPool();
  private ProcessCluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = ProcessCluster.during(directory, PATIENCE, NewCluster.DEFAULT);
    cluster.up(NODES, _ -> {});
  }

  @AfterEach
  void end() throws Exception {
    cluster.down();
    cluster.close();
  }

  private void assertAllLiveAndServe(String value) throws IOException {
    for (int node : cluster.nodes()) {
      assertTrue(cluster.isRunning(node), "node " + node + ": " + said(node));
    }
    try (EcStore store = EcStore.connect(cluster.addresses())) {
      store.execute(tx -> tx.put(WORDS, Tuple.of("one"), value));
      assertEquals(
          Optional.of(value),
          store.<Optional<String>, RuntimeException>read(
              snapshot -> snapshot.get(WORDS, Tuple.of("one"))));
    }
  }

  private String said(int node) {
    try {
      return String.join("\n", cluster.lastLines(node, 20));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private Future<ClientReply> commit(int node, int keys, int valueBytes) {
    return together.submit(
        () -> {
          InetSocketAddress address =
              Objects.requireNonNull(Addresses.parse(cluster.address(node)));
          try (Glutton glutton = new Glutton(address, System.nanoTime())) {
            return glutton.commit(keys, valueBytes);
          } catch (IOException e) {
            throw new IOException("node " + node + ": " + said(node), e);
          }
        });
  }

  private static void assertAnswered(List<Future<ClientReply>> sent) throws Exception {
    for (Future<ClientReply> each : sent) {
      ClientReply reply = each.get();
      assertTrue(Glutton.isSound(reply), reply::toString);
    }
  }

  @Tag("nightly")
  @Test
  void largestTransactionsAtOnceEndNoNode() throws Exception {
    assertAnswered(List.of(commit(1, 100_000, 8)));
    List<Future<ClientReply>> sent = new ArrayList<>();
    for (int node = 1; node <= NODES; node++) {
      for (int i = 0; i < 4; i++) {
        sent.add(commit(node, 60, 1_000_000));
        sent.add(commit(node, 95_000, 8));
        sent.add(commit(node, 22, 1_000_000));
      }
    }
    assertAnswered(sent);
    assertAllLiveAndServe("after all");
  }
}
