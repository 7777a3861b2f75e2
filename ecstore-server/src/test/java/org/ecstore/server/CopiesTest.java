package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.KEYS;
import static org.ecstore.server.LocalClusterTest.SETTINGS;
import static org.ecstore.server.LocalClusterTest.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.core.testing.Await;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.Copy;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ranges have several copies: nodes are lost, and nothing else is. */
@Timeout(300)
class CopiesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
  private static final EcStoreOptions PATIENT =
      EcStoreOptions.DEFAULT.deadline(PATIENCE).readLevel(ReadLevel.STRONG);

  @TempDir Path directory;

  private LocalCluster start(int nodes, int copies, Duration longFailure) throws Exception {
    ReplicationSettings replication =
        ReplicationSettings.DEFAULT
            .withCopies(copies)
            .withTimeout(longFailure, Duration.ofMillis(500));
    LocalCluster cluster =
        LocalCluster.start(directory, SETTINGS.withNodes(nodes).withReplication(replication));
    Await.until("each range has its copies", () -> isWhole(cluster, copies));
    return cluster;
  }

  /** Who has live copies of a state, by the first keys of ranges. */
  private static Map<Bytes, TreeSet<NodeId>> holders(
      LocalCluster cluster, Predicate<Copy.State> state) {
    Map<Bytes, TreeSet<NodeId>> holders = new TreeMap<>();
    for (NodeId node : cluster.nodes()) {
      for (CopyView copy : cluster.node(node).inspect(ANSWER_WITHIN).copies()) {
        if (state.test(copy.state())) {
          holders.computeIfAbsent(copy.keys().start(), _ -> new TreeSet<>()).add(node);
        }
      }
    }
    return holders;
  }

  private static Map<Bytes, TreeSet<NodeId>> live(LocalCluster cluster) {
    return holders(cluster, state -> state == Copy.State.SERVING || state == Copy.State.FOLLOWING);
  }

  private static List<Bytes> heldBy(NodeId node, Map<Bytes, TreeSet<NodeId>> holders) {
    return holders.entrySet().stream()
        .filter(each -> each.getValue().contains(node))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isWhole(LocalCluster cluster, int copies) {
    return live(cluster).values().stream().allMatch(nodes -> nodes.size() == copies)
        && !holders(cluster, state -> state == Copy.State.SERVING).isEmpty();
  }

  private static void writeAll(EcStore store, String value) {
    for (long key = 0; key < KEYS; key++) {
      Tuple at = Tuple.of(key);
      store.execute(tx -> tx.put(WORDS, at, value));
    }
  }

  private static void assertAll(EcStore store, String value) {
    for (long key = 0; key < KEYS; key++) {
      Tuple at = Tuple.of(key);
      assertEquals(
          Optional.of(value),
          store.<Optional<String>, RuntimeException>read(snapshot -> snapshot.get(WORDS, at)));
    }
  }

  @Test
  void twoOfThreeCopiesAreLostAtOnceAndNothingElse() throws Exception {
    try (LocalCluster cluster = start(5, 3, Duration.ofMinutes(5));
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      writeAll(store, "before");
      Map<Bytes, TreeSet<NodeId>> before = live(cluster);
      List<NodeId> lost = before.values().iterator().next().stream().limit(2).toList();
      lost.forEach(cluster::killNode);
      assertAll(store, "before");
      writeAll(store, "after");
      for (NodeId node : lost) {
        cluster.restartNode(node);
      }
      Await.until("each range has three copies", () -> isWhole(cluster, 3));
      for (NodeId node : lost) {
        assertEquals(heldBy(node, before), heldBy(node, live(cluster)));
      }
      assertAll(store, "after");
      assertEquals(Map.of(), cluster.failures());
    }
  }

  @Test
  void copiesOfANodeThatIsGoneForLongAreMadeAnewWhileWritesGoOn() throws Exception {
    try (LocalCluster cluster = start(4, 3, Duration.ofSeconds(2));
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      writeAll(store, "0");
      cluster.killNode(cluster.nodes().getLast());
      int round = 0;
      boolean whole = false;
      while (!whole) {
        round++;
        writeAll(store, String.valueOf(round));
        whole = isWhole(cluster, 3);
        assertTrue(round < 1_000, "three copies of each range on three nodes");
      }
      writeAll(store, "last");
      // Of the three copies of each range two go: the third has everything, the new ones too.
      cluster.killNode(cluster.nodes().getFirst());
      cluster.killNode(cluster.nodes().getFirst());
      assertAll(store, "last");
    }
  }

  private static boolean saysThatAllCopiesAreAway(EcStore store) {
    UnavailableException said =
        assertThrows(
            UnavailableException.class,
            () -> store.execute(tx -> tx.put(WORDS, Tuple.of(0L), "never")));
    return String.valueOf(said.getMessage()).contains("all copies of range");
  }

  @Test
  void lossOfAllCopiesIsSaidUntilOneIsBack() throws Exception {
    try (LocalCluster cluster = start(4, 2, Duration.ofMinutes(5));
        EcStore patient = EcStore.connect(cluster.addresses(), PATIENT);
        EcStore hasty =
            EcStore.connect(
                cluster.addresses(), EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(4)))) {
      writeAll(patient, "there");
      writeAll(hasty, "there");
      List<NodeId> lost = List.copyOf(live(cluster).values().iterator().next());
      lost.forEach(cluster::killNode);
      // With the sequencer among the lost its place is taken over first: until then nothing begins.
      Await.until("the answer names the copies", () -> saysThatAllCopiesAreAway(hasty));
      cluster.restartNode(lost.getLast());
      assertAll(patient, "there");
    }
  }

  @Test
  void moreCopiesThanNodesAreRefused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> LocalCluster.start(directory, SETTINGS.withNodes(2).withCopies(3)));
    assertEquals(
        "3 copies of each range need as many nodes, and there are 2", refused.getMessage());
  }
}
