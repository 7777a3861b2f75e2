package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Stream;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.StoreStatus.StoreRange;
import org.ecstore.client.Table;
import org.ecstore.core.testing.Await;
import org.ecstore.id.NodeId;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.ecstore.txn.node.Departure;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes leave, and clients that count notice nothing but a pause (ecStore §5.4). */
@Timeout(300)
class SafeDepartureTest {
  private static final Table<String> COUNTERS = Table.of("words", Codec.utf8());
  private static final int KEYS = LocalClusterTest.KEYS;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final EcStoreOptions OPTIONS =
      EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(90)).readLevel(ReadLevel.STRONG);

  @TempDir Path directory;

  /** Clients that count up random pairs of counters until told to end; none may see an error. */
  private static final class Load implements AutoCloseable {
    final AtomicLongArray counted = new AtomicLongArray(KEYS);
    final AtomicLong commits = new AtomicLong();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> clients = new ArrayList<>();

    Load(EcStore store, int count) {
      for (int i = 0; i < count; i++) {
        clients.add(threads.submit(() -> run(store)));
      }
    }

    private void run(EcStore store) {
      while (!ended.get()) {
        int one = ThreadLocalRandom.current().nextInt(KEYS);
        int other = (one + 1 + ThreadLocalRandom.current().nextInt(KEYS - 1)) % KEYS;
        store.execute(
            tx -> {
              for (int key : new int[] {one, other}) {
                long now = tx.get(COUNTERS, Tuple.of((long) key)).map(Long::parseLong).orElse(0L);
                tx.put(COUNTERS, Tuple.of((long) key), Long.toString(now + 1));
              }
            });
        counted.incrementAndGet(one);
        counted.incrementAndGet(other);
        commits.incrementAndGet();
      }
    }

    /** Waits until so many more commits are done. */
    void awaitMore(int more) {
      long enough = commits.get() + more;
      Await.until(
          more + " more commits are done",
          () -> commits.get() >= enough || clients.stream().anyMatch(Future::isDone));
    }

    /** Ends the clients; fails with what one of them met. */
    void end() throws InterruptedException, ExecutionException {
      ended.set(true);
      for (Future<?> client : clients) {
        client.get();
      }
    }

    void assertAllThere(EcStore store) {
      for (int key = 0; key < KEYS; key++) {
        long wanted = counted.get(key);
        long at = key;
        long found =
            store
                .<Optional<String>, RuntimeException>read(
                    snapshot -> snapshot.get(COUNTERS, Tuple.of(at)))
                .map(Long::parseLong)
                .orElse(0L);
        assertEquals(wanted, found, "counter " + key);
      }
    }

    @Override
    public void close() {
      ended.set(true);
      threads.close();
    }
  }

  private static List<NodeId> holders(EcStore store) {
    return store.status(COUNTERS).ranges().stream().map(StoreRange::primary).distinct().toList();
  }

  /** The node that is asked may hear a little later that the other has joined. */
  private static List<StoreRange> awaitTwoHolders(EcStore store) {
    return Await.present(
        "two nodes have ranges",
        () ->
            Optional.of(store.status(COUNTERS).ranges())
                .filter(ranges -> !ranges.getFirst().primary().equals(ranges.getLast().primary())));
  }

  private static NodeId leader(LocalCluster cluster) {
    return cluster.nodes().stream()
        .filter(node -> cluster.node(node).inspect(PATIENCE).sequencing())
        .findFirst()
        .orElseThrow();
  }

  private static void deleteAll(Path home) throws java.io.IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  @Tag("slow")
  void nodesLeaveAndComeBackUnderLoadAndNoCountIsLost() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, LocalClusterTest.SETTINGS);
        EcStore store = EcStore.connect(cluster.addresses(), OPTIONS);
        Load load = new Load(store, 8)) {
      load.awaitMore(200);
      NodeId leader = leader(cluster);
      NodeId other =
          cluster.nodes().stream().filter(node -> !node.equals(leader)).findFirst().orElseThrow();

      cluster.leaveNode(other);
      assertFalse(holders(store).contains(other));
      load.awaitMore(200);
      // All it had is elsewhere: its directory is not needed any more.
      deleteAll(directory.resolve("node-" + other.value()));

      // The node that leads goes too, and takes the last neighbour's part with it to a third.
      cluster.leaveNode(leader);
      assertEquals(1, cluster.nodes().size());
      load.awaitMore(200);
      assertEquals(cluster.nodes(), holders(store));

      // One comes back with what it had, which is old; one as new.
      cluster.restartNode(leader);
      NodeId fresh = cluster.addNode();
      load.awaitMore(200);
      assertTrue(holders(store).containsAll(List.of(leader, fresh)));

      load.end();
      load.assertAllThere(store);
      assertTrue(cluster.failures().isEmpty());
    }
  }

  @Test
  void theOnlyNodeCannotLeaveAndStays() throws Exception {
    try (LocalCluster cluster =
            LocalCluster.start(directory, LocalClusterTest.SETTINGS.withNodes(1));
        EcStore store = EcStore.connect(cluster.addresses(), OPTIONS)) {
      store.execute(tx -> tx.put(COUNTERS, Tuple.of(1L), "1"));
      NodeId only = cluster.nodes().getFirst();
      Departure.Progress came = cluster.node(only).depart(PATIENCE);
      assertEquals(Departure.Stage.NO_HEIR, came.stage());
      assertTrue(came.detail().contains("no other node"), came::detail);
      var thrown = assertThrows(IllegalStateException.class, () -> cluster.leaveNode(only));
      assertTrue(String.valueOf(thrown.getMessage()).contains("no other node"));
      store.execute(tx -> tx.put(COUNTERS, Tuple.of(1L), "2"));
      assertEquals(List.of(only), holders(store));
    }
  }

  @Test
  void whoseNeighboursAreDownKeepsItsRangesAndServes() throws Exception {
    try (LocalCluster cluster =
            LocalCluster.start(directory, LocalClusterTest.SETTINGS.withNodes(2));
        EcStore store = EcStore.connect(cluster.addresses(), OPTIONS)) {
      List<StoreRange> ranges = awaitTwoHolders(store);
      StoreRange first = ranges.getFirst();
      NodeId last = ranges.getLast().primary();
      store.execute(tx -> tx.put(COUNTERS, Tuple.of(0L), "1"));
      cluster.killNode(last);
      Departure.Progress came = cluster.node(first.primary()).depart(PATIENCE);
      assertEquals(Departure.Stage.NO_HEIR, came.stage());
      store.execute(tx -> tx.put(COUNTERS, Tuple.of(0L), "2"));
      cluster.restartNode(last);
      cluster.leaveNode(first.primary());
      assertEquals(
          Optional.of("2"),
          store.<Optional<String>, RuntimeException>read(
              snapshot -> snapshot.get(COUNTERS, Tuple.of(0L))));
    }
  }
}
