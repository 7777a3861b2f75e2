package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.EcStore;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.layout.SplitHints;
import org.ecstore.core.testing.Await;
import org.ecstore.model.CopyState;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.server.ReplicationSettings;
import org.junit.jupiter.api.Tag;
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
  private static final NumberedWords WORDS = new NumberedWords(100);
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
            .withSplitHints(SplitHints.parse(WORDS.spread()))
            .withMix(MIX);
    return ProcessCluster.during(
        new ClusterFiles(directory, made, _ -> artifacts), Duration.ofMinutes(3), made, true);
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
  @Tag("slow")
  void aRedisThatIsStartedAgainUnderItsLivingNodeIsFilledAnew() throws Exception {
    try (ProcessCluster cluster = cluster()) {
      cluster.up(MIX.nodes(), _ -> {});
      assertFalse(cluster.hasDatabase(1));
      assertTrue(cluster.hasDatabase(2) && cluster.hasDatabase(4));
      try (EcStore store = NumberedWords.connect(cluster)) {
        WORDS.write(store, "first");
        Await.until("placed by kind", () -> isAsItShouldBe(cluster));
        WORDS.assertHeld(store, "first");
        // One of them is on Redis.
        WORDS.assertHeldBy(COPIES, store, "first");
        for (int node : REDIS) {
          long server = cluster.databasePid(node).orElseThrow();
          long process = cluster.pid(node).orElseThrow();
          cluster.killDatabase(node);
          // As an operator does, in either way.
          if (node == REDIS.getFirst()) {
            cluster.start(node);
          } else {
            cluster.up(MIX.nodes(), _ -> {});
          }
          assertFalse(cluster.databasePid(node).orElseThrow() == server);
          Await.until(
              "the node has ended and is back",
              () -> cluster.pid(node).map(pid -> pid != process).orElse(false));
        }
        WORDS.write(store, "second");
        Await.until("filled anew", () -> isAsItShouldBe(cluster));
        WORDS.assertHeld(store, "second");
        // One of them is on Redis.
        WORDS.assertHeldBy(COPIES, store, "second");
      }
    }
  }

  /** Whether each range has as many copies as it should, and none on a node. */
  private static boolean isWholeWithout(ProcessCluster cluster, int node) throws IOException {
    Optional<StatusReport> map = cluster.map(cluster.status());
    return map.isPresent()
        && map.get().holders().stream()
            .allMatch(
                range ->
                    range.secondaries().size() == COPIES - 1
                        && range.secondaries().stream().noneMatch(one -> one.value() == node));
  }

  /** Its node lives and says so, and does not wait for it (decision 0094). */
  @Test
  @Tag("nightly")
  void copiesOfARedisThatStaysDeadUnderItsLivingNodeAreMadeElsewhere() throws Exception {
    try (ProcessCluster cluster = cluster()) {
      cluster.up(MIX.nodes(), _ -> {});
      try (EcStore store = NumberedWords.connect(cluster)) {
        WORDS.write(store, "first");
        Await.until("placed by kind", () -> isAsItShouldBe(cluster));
        int node = REDIS.getFirst();
        long process = cluster.pid(node).orElseThrow();
        cluster.killDatabase(node);
        Await.until("made elsewhere", () -> isWholeWithout(cluster, node));
        assertTrue(cluster.pid(node).equals(Optional.of(process)), "the node lives");
        WORDS.write(store, "second");
        WORDS.assertHeld(store, "second");
        cluster.start(node);
        Await.until("it is there again, and has copies", () -> isAsItShouldBe(cluster));
        WORDS.assertHeld(store, "second");
        WORDS.assertHeldBy(COPIES, store, "second");
      }
    }
  }
}
