package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.ManualSnapshot;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.key.Tuple;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.hotspot.HotReplicaSettings;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three copies of each range on real nodes: who answers, and who answers when one is gone. */
@Timeout(300)
class ReadsFromCopiesTest {
  private static final EcStoreOptions PATIENT =
      EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(90));
  private static final Tuple KEY = Tuple.of(45);
  private static final int TRIES = 100_000;

  @TempDir Path directory;

  private LocalCluster start() throws Exception {
    return LocalCluster.start(
        directory,
        LocalClusterTest.SETTINGS,
        true,
        new LocalCluster.Seams(LocalCluster::openLocalLedger, new ThreeCopies()));
  }

  private static final class ThreeCopies extends NodeParts {
    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      return super.steward(context, sequencer, members, settings.withCopies(3));
    }
  }

  private static AnsweredBy read(ManualSnapshot snapshot) {
    assertEquals(Optional.of("said"), snapshot.get(WORDS, KEY));
    return snapshot.lastRead().orElseThrow();
  }

  /** Who answered, if the read is of after the write. */
  private static Optional<NodeId> readLate(ManualSnapshot snapshot) {
    Optional<String> value = snapshot.get(WORDS, KEY);
    value.ifPresent(said -> assertEquals("said", said));
    return value.map(_ -> snapshot.lastRead().orElseThrow().node());
  }

  /**
   * Reads until every node has answered with what was written; copies are made one after the other
   * after the start. A local read may be of before the write for a while (rule 9).
   */
  private static Set<NodeId> readersOf(EcStore store, ReadLevel level, int wanted) {
    Set<NodeId> readers = new TreeSet<>();
    for (int i = 0; i < TRIES && readers.size() < wanted; i++) {
      try (ManualSnapshot snapshot = store.with(level).snapshot()) {
        if (level.equals(ReadLevel.LOCAL)) {
          readLate(snapshot).ifPresent(readers::add);
        } else {
          readers.add(read(snapshot).node());
        }
      }
    }
    return readers;
  }

  @Test
  void everyCopyAnswersReadsAtEveryLevel() throws Exception {
    try (LocalCluster cluster = start();
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      store.execute(tx -> tx.put(WORDS, KEY, "said"));
      for (ReadLevel level :
          List.of(ReadLevel.SESSION, ReadLevel.LOCAL, ReadLevel.bounded(Duration.ofSeconds(10)))) {
        assertEquals(3, readersOf(store, level, 3).size(), level::toString);
      }
      assertFalse(readersOf(store, ReadLevel.STRONG, 1).isEmpty());
      assertTrue(cluster.failures().isEmpty(), () -> cluster.failures().toString());
    }
  }

  @Test
  void readsGoOnWhileThePrimaryIsGone() throws Exception {
    try (LocalCluster cluster = start();
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      store.execute(tx -> tx.put(WORDS, KEY, "said"));
      readersOf(store, ReadLevel.SESSION, 3);
      try (ManualSnapshot snapshot = store.snapshot()) {
        NodeId primary = primary(snapshot, store);
        int secondaries = 0;
        for (int i = 0; i < TRIES && secondaries < 2; i++) {
          secondaries += read(snapshot).role() == CopyRole.SECONDARY ? 1 : 0;
        }
        assertEquals(2, secondaries, "secondaries cover the snapshot");
        cluster.killNode(primary);
        for (int i = 0; i < 500; i++) {
          assertNotEquals(primary, read(snapshot).node());
        }
        // Writes go on once another has taken over.
        store.execute(tx -> tx.put(WORDS, KEY, "said again"));
        assertEquals(
            Optional.of("said again"), store.read(ReadLevel.STRONG, s -> s.get(WORDS, KEY)));
        assertEquals("said", snapshot.get(WORDS, KEY).orElseThrow(), "a snapshot does not change");
      }
      assertTrue(cluster.failures().isEmpty(), () -> cluster.failures().toString());
    }
  }

  /** Rules 24 to 26: no other node has a copy, and yet another answers. */
  @Test
  void hotReplicasAnswerForABusyCopyAndFollowIt() throws Exception {
    ClusterSettings settings = LocalClusterTest.SETTINGS.withCopies(1);
    try (LocalCluster cluster =
            LocalCluster.start(
                directory,
                settings.withReplication(
                    settings.replication().withHotReplicas(HotReplicaSettings.of(8 << 20, 50))));
        EcStore store = EcStore.connect(cluster.addresses(), PATIENT)) {
      for (int round = 1; round <= 2; round++) {
        String said = "said " + round;
        store.execute(tx -> tx.put(WORDS, KEY, said));
        CopyRole role = CopyRole.PRIMARY;
        for (int i = 0; i < TRIES && role != CopyRole.HOT_REPLICA; i++) {
          try (ManualSnapshot snapshot = store.snapshot()) {
            assertEquals(Optional.of(said), snapshot.get(WORDS, KEY));
            role = snapshot.lastRead().orElseThrow().role();
          }
        }
        assertEquals(CopyRole.HOT_REPLICA, role);
      }
      assertTrue(cluster.failures().isEmpty(), () -> cluster.failures().toString());
    }
  }

  private static NodeId primary(ManualSnapshot snapshot, EcStore store) {
    return store.transact(
        tx -> {
          tx.get(WORDS, KEY);
          AnsweredBy by = tx.lastRead().orElseThrow();
          assertEquals(CopyRole.PRIMARY, by.role());
          assertTrue(snapshot.readPoint().position().isAtOrBelow(tx.readPoint().position()));
          return by.node();
        });
  }
}
