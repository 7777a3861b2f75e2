package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.ecstore.client.Cursor;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.OpenSnapshot;
import org.ecstore.client.Scan;
import org.ecstore.core.lane.Lane;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;
import org.ecstore.key.Tuple;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;
import org.ecstore.wire.client.CopyRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three copies of each range on real nodes: the pieces of one scan come from several of them. */
@Timeout(300)
class ScansFromCopiesTest {
  private static final int KEYS = 3_000;
  private static final int TRIES = 2_000;

  @TempDir Path directory;

  private static final class ThreeCopies extends NodeParts {
    @Override
    public Steward steward(
        Lane lane, Sequencer sequencer, Supplier<List<Member>> members, NodeSettings settings) {
      return super.steward(lane, sequencer, members, settings.withCopies(3));
    }
  }

  private LocalCluster start() throws Exception {
    return LocalCluster.start(
        directory,
        LocalClusterTest.SETTINGS.withSplitHints(
            LongStream.of(750, 1_500, 2_250)
                .mapToObj(key -> Tuple.of(key).encode(WORDS.keys().start()))
                .toList()),
        true,
        new LocalCluster.Seams(LocalCluster::openLocalLedger, new ThreeCopies()));
  }

  /** How many records of a scan came from which node, in which role. */
  private record Answered(Map<NodeId, Integer> byNode, Map<CopyRole, Integer> byRole) {}

  private static Answered scan(EcStore store, boolean reverse) {
    Answered answered = new Answered(new TreeMap<>(), new TreeMap<>());
    try (OpenSnapshot snapshot = store.snapshot()) {
      Scan<String> scan = snapshot.scan(WORDS);
      Cursor<String> cursor = (reverse ? scan.reverse() : scan).cursor();
      List<Long> keys = new ArrayList<>();
      while (cursor.hasNext()) {
        keys.add(cursor.next().key().number(0));
        snapshot
            .lastRead()
            .ifPresent(
                by -> {
                  answered.byNode.merge(by.node(), 1, Integer::sum);
                  answered.byRole.merge(by.role(), 1, Integer::sum);
                });
      }
      List<Long> expected = LongStream.range(0, KEYS).boxed().toList();
      assertEquals(reverse ? expected.reversed() : expected, keys, "each key once, in order");
      assertEquals(
          expected,
          scan.unordered().stream().map(entry -> entry.key().number(0)).sorted().toList());
      assertEquals(KEYS, scan.count());
    }
    return answered;
  }

  @Test
  void piecesOfAScanAreAnsweredByDifferentNodes() throws Exception {
    EcStoreOptions options = EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(90));
    try (LocalCluster cluster = start();
        EcStore store = EcStore.connect(cluster.addresses(), options)) {
      for (int from = 0; from < KEYS; from += 500) {
        int first = from;
        store.execute(
            tx -> {
              for (int key = first; key < first + 500; key++) {
                tx.put(WORDS, Tuple.of(key), "word " + key);
              }
            });
      }
      boolean several = false;
      boolean secondaries = false;
      for (int i = 0; i < TRIES && !(several && secondaries); i++) {
        Answered answered = scan(store, i % 2 == 1);
        several |= answered.byNode.size() > 1;
        secondaries |= answered.byRole.containsKey(CopyRole.SECONDARY);
      }
      assertTrue(several, "some scan was answered by several nodes");
      assertTrue(secondaries, "and by secondaries");
      assertTrue(cluster.failures().isEmpty(), () -> cluster.failures().toString());
    }
  }
}
