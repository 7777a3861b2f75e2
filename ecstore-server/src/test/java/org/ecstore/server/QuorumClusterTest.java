package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.SETTINGS;
import static org.ecstore.server.LocalClusterTest.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.QuorumRead;
import org.ecstore.client.QuorumStore;
import org.ecstore.client.QuorumWrite;
import org.ecstore.client.StoreStatus.StoreRange;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.id.NodeId;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientReply.AnsweringCopy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Quorums of three copies on real nodes, all there or not (rule 13, decision 0016). */
@Timeout(300)
class QuorumClusterTest {
  private static final EcStoreOptions PATIENT =
      EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(90));
  private static final EcStoreOptions HASTY =
      EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(5));
  private static final Tuple KEY = Tuple.of(45);
  private static final int TRIES = 100_000;
  private static final int ROUNDS = 20;

  @TempDir Path directory;

  /** Three copies of each range, on as many nodes. */
  private LocalCluster start() throws Exception {
    return LocalCluster.start(directory, SETTINGS.withNodes(3).withCopies(3));
  }

  private static NodeId primary(EcStore store) {
    return store.status(WORDS).ranges().stream()
        .filter(route -> route.keys().contains(KEY.encode(WORDS.keys().start())))
        .map(StoreRange::primary)
        .findFirst()
        .orElseThrow();
  }

  private static List<NodeId> nodes(QuorumRead<?> read) {
    return read.copies().stream().map(AnsweringCopy::node).distinct().toList();
  }

  /** Copies are made one after the other after the start. */
  private static void awaitThree(EcStore store) {
    QuorumStore all = store.quorum(3, 3, 3);
    for (int i = 0; i < TRIES; i++) {
      if (!all.put(WORDS, KEY, "begun").isUnderReplicated()) {
        return;
      }
    }
    throw new AssertionError("three copies");
  }

  private static void assertMeets(
      QuorumStore writer, QuorumStore reader, NodeId gone, String value) {
    QuorumWrite written = writer.put(WORDS, KEY, value);
    assertFalse(written.isUnderReplicated(), written::toString);
    QuorumRead<String> read = reader.get(WORDS, KEY);
    assertEquals(Optional.of(value), read.value());
    assertEquals(Optional.of(written.number()), read.version());
    assertTrue(nodes(read).size() >= reader.quorum().r(), read::toString);
    assertFalse(nodes(read).contains(gone), read::toString);
    assertFalse(read.mayBeStale());
  }

  /** Writes until it is known to be committed: the machine may be too busy for the deadline. */
  private static QuorumWrite committed(QuorumStore store, String value) {
    for (int i = 0; i < ROUNDS; i++) {
      try {
        return store.put(WORDS, KEY, value);
      } catch (UnavailableException e) {
        // Once more: the value is the same.
      }
    }
    throw new AssertionError("nothing is committed");
  }

  /** No read is answered, and before long it is said why. */
  private static void assertRefused(QuorumStore store, String why) {
    String said = "";
    for (int i = 0; i < ROUNDS && !said.contains(why); i++) {
      said =
          String.valueOf(
              assertThrows(UnavailableException.class, () -> store.get(WORDS, KEY)).getMessage());
    }
    assertTrue(said.contains(why), said);
  }

  @Test
  void readsMeetWritesWhicheverCopyIsKilled() throws Exception {
    try (LocalCluster cluster = start();
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT);
        EcStore other = EcStore.connect(cluster.addresses(), PATIENT)) {
      awaitThree(store);
      QuorumStore two = store.quorum(3, 2, 2);
      for (NodeId gone : cluster.nodes()) {
        String before = "before " + gone;
        QuorumWrite written = two.put(WORDS, KEY, before);
        assertTrue(written.copies() >= 2, written::toString);
        cluster.killNode(gone);
        // Another client, which has not seen the write: two of those left have it.
        QuorumRead<String> read = other.quorum(3, 2, 2).get(WORDS, KEY);
        assertEquals(Optional.of(before), read.value());
        assertEquals(Optional.of(written.number()), read.version());
        assertMeets(two, other.quorum(3, 2, 2), gone, "without " + gone);
        QuorumWrite deleted = two.delete(WORDS, KEY);
        assertFalse(deleted.isUnderReplicated(), deleted::toString);
        assertEquals(Optional.empty(), other.quorum(3, 2, 2).get(WORDS, KEY).value());
        cluster.restartNode(gone);
        awaitThree(store);
      }
      assertEquals(Map.of(), cluster.failures());
    }
  }

  @Test
  @Tag("slow")
  void whatTooFewCopiesAreThereForIsSaidAndMadeGood() throws Exception {
    try (LocalCluster cluster = start();
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT);
        EcStore hasty = EcStore.connect(cluster.addresses(), HASTY)) {
      awaitThree(store);
      NodeId gone =
          cluster.nodes().stream()
              .filter(node -> !node.equals(primary(store)))
              .reduce((_, last) -> last)
              .orElseThrow();
      cluster.killNode(gone);
      // The sequencer may have been on it: until another is there nothing commits.
      store.quorum(3, 2, 2).put(WORDS, KEY, "two");
      QuorumWrite written = committed(hasty.quorum(3, 3, 1), "three");
      assertTrue(written.isUnderReplicated(), written::toString);
      assertTrue(written.toString().contains("under-replicated (2 of 3 copies)"));
      assertRefused(hasty.quorum(3, 1, 3), "have answered");
      // What a write was told as under-replicated is not returned by a read of its quorum.
      assertRefused(hasty.quorum(3, 3, 1), "could not be brought to W = 3 copies");
      cluster.restartNode(gone);
      QuorumRead<String> read = store.quorum(3, 3, 3).get(WORDS, KEY);
      assertEquals(Optional.of("three"), read.value());
      assertEquals(3, nodes(read).size(), read::toString);
      assertEquals(Map.of(), cluster.failures());
    }
  }

  /** Rule 13: a write is committed all the same, but never said to be on copies that are not. */
  @Test
  @Tag("slow")
  void quorumsOfMoreCopiesThanRangesHaveAreNotReached() throws Exception {
    try (LocalCluster cluster = start();
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT);
        EcStore hasty = EcStore.connect(cluster.addresses(), HASTY)) {
      awaitThree(store);
      QuorumWrite written = committed(hasty.quorum(4, 4, 1), "four");
      assertEquals(3, written.copies());
      assertTrue(written.isUnderReplicated(), written::toString);
      assertRefused(hasty.quorum(5, 2, 4), "has 3 copies that count, fewer than R = 4");
      assertEquals(Optional.of("four"), store.quorum(4, 2, 3).get(WORDS, KEY).value());
      assertEquals(Map.of(), cluster.failures());
    }
  }
}
