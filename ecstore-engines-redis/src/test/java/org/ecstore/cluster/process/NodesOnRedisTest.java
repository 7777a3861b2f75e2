package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.core.testing.Await;
import org.ecstore.key.Tuple;
import org.ecstore.model.CopyState;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.server.ReplicationSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes of nodes on two hosts, each with one on Berkeley DB and one on a Redis server of its
 * own: a Redis that is started again under its living node has nothing any more, and is filled anew
 * (decision 0056).
 */
@Timeout(400)
final class NodesOnRedisTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());
  private static final int KEYS = 100;
  private static final int COPIES = 2;

  /** Node 1 and 3 are on Berkeley DB, 2 and 4 on Redis. */
  private static final EngineMix MIX = new EngineMix(2, List.of("je", "redis"));

  private static final List<Integer> REDIS = List.of(2, 4);

  @TempDir private Path directory;

  private ProcessCluster cluster() throws Exception {
    MavenArtifacts artifacts = ClassPathArtifacts.of("embedded-redis-1.4.3");
    NewCluster made =
        NewCluster.DEFAULT
            .withReplication(
                ReplicationSettings.DEFAULT
                    .withCopies(COPIES)
                    // Far beyond the test: what is lost is filled at once.
                    .withTimeout(Duration.ofHours(1), Duration.ofSeconds(1)))
            .withSplitHints(SplitHints.parse("words:" + KEYS))
            .withMix(MIX);
    return ProcessCluster.during(
        new ClusterFiles(directory, made, _ -> artifacts), Duration.ofMinutes(3), made, true);
  }

  private static EcStore connect(ProcessCluster cluster) throws Exception {
    return EcStore.connect(
        cluster.addresses(),
        EcStoreOptions.DEFAULT.readLevel(ReadLevel.STRONG).deadline(Duration.ofMinutes(2)));
  }

  private static void write(EcStore store, String word) {
    for (long key = 0; key < KEYS; key++) {
      long each = key;
      store.execute(tx -> tx.put(WORDS, Tuple.of(each), word + " " + each));
    }
  }

  /** Both copies of each key are asked, so that one of them is on Redis. */
  private static void assertHolds(EcStore store, String word) {
    for (long key = 0; key < KEYS; key++) {
      long each = key;
      assertEquals(
          Optional.of(word + " " + each),
          store.read(snapshot -> snapshot.get(WORDS, Tuple.of(each))));
      assertEquals(
          Optional.of(word + " " + each),
          store.quorum(COPIES, 1, COPIES).get(WORDS, Tuple.of(each)).value());
    }
  }

  /** Whether each range has its primary on Berkeley DB and its other copy, whole, on Redis. */
  private static boolean isAsItShouldBe(ProcessCluster cluster) throws IOException {
    var all = cluster.status();
    Optional<StatusReport> map = cluster.map(all);
    return map.isPresent()
        && map.get().ranges().stream().noneMatch(range -> onRedis(range.primary().value()))
        && map.get().holders().stream()
            .allMatch(
                range ->
                    range.secondaries().size() == 1
                        && onRedis(range.secondaries().getFirst().value()))
        && all.stream()
            .allMatch(
                node ->
                    node.seen().isPresent()
                        && node.seen().map(Inspected::copies).orElseThrow().stream()
                            .allMatch(
                                copy ->
                                    copy.state() == CopyState.SERVING
                                        || copy.state() == CopyState.FOLLOWING));
  }

  private static boolean onRedis(long node) {
    return REDIS.contains((int) node);
  }

  @Test
  void aRedisThatIsStartedAgainUnderItsLivingNodeIsFilledAnew() throws Exception {
    try (ProcessCluster cluster = cluster()) {
      cluster.up(MIX.nodes(), _ -> {});
      assertFalse(cluster.hasDatabase(1));
      assertTrue(cluster.hasDatabase(2) && cluster.hasDatabase(4));
      try (EcStore store = connect(cluster)) {
        write(store, "first");
        Await.until("placed by kind", () -> isAsItShouldBe(cluster));
        assertHolds(store, "first");
        for (int node : REDIS) {
          long server = cluster.databasePid(node).orElseThrow();
          long process = cluster.pid(node).orElseThrow();
          cluster.killDatabase(node);
          cluster.startDatabase(node);
          assertFalse(cluster.databasePid(node).orElseThrow() == server);
          Await.until(
              "the node has ended and is back",
              () -> cluster.pid(node).map(pid -> pid != process).orElse(false));
        }
        write(store, "second");
        Await.until("filled anew", () -> isAsItShouldBe(cluster));
        assertHolds(store, "second");
      }
    }
  }
}
