package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.SETTINGS;
import static org.ecstore.server.LocalClusterTest.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.error.ConflictException;
import org.ecstore.core.metrics.CommitEnd;
import org.ecstore.core.metrics.CommitStage;
import org.ecstore.core.metrics.Instrument;
import org.ecstore.core.metrics.Metric;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.metrics.MetricsProvider;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.RecordedMetrics;
import org.ecstore.core.metrics.ReplayStage;
import org.ecstore.core.testing.Await;
import org.ecstore.id.NodeId;
import org.ecstore.key.Tuple;
import org.ecstore.model.CopyRole;
import org.ecstore.model.NodeTraits.Capacity;
import org.ecstore.model.ReadLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What nodes tell of real work in numbers. */
@Timeout(180)
class NodeMetricsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final NodeId FIRST = new NodeId(1);

  @TempDir Path directory;

  private final Map<NodeId, RecordedMetrics> nodes = new ConcurrentHashMap<>();

  private RecordedMetrics of(NodeId node) {
    return nodes.computeIfAbsent(node, _ -> new RecordedMetrics());
  }

  private long sum(Metric metric, Enum<?>... tags) {
    return nodes.values().stream().mapToLong(node -> node.value(metric, tags)).sum();
  }

  @Test
  void commitsAndConflictsAreCountedWhereTheyEnd() throws Exception {
    ClusterSettings settings = SETTINGS.withNodes(2).withCopies(2).withMetrics(this::of);
    try (LocalCluster cluster = LocalCluster.start(directory, settings);
        EcStore store = EcStore.connect(cluster.addresses())) {
      // A range that changes hands meanwhile has a commit voted on twice.
      of(FIRST).await(1, PATIENCE, NodeMetrics.COPIES, CopyRole.SECONDARY);
      of(new NodeId(2)).await(1, PATIENCE, NodeMetrics.COPIES, CopyRole.SECONDARY);
      for (int i = 0; i < 5; i++) {
        store.execute(tx -> tx.put(WORDS, Tuple.of("k"), "v"));
      }
      conflict(store);
      assertEquals(6, sum(NodeMetrics.COMMITS, CommitEnd.COMMITTED));
      assertEquals(1, sum(NodeMetrics.COMMITS, CommitEnd.CONFLICT));
      assertEquals(6, sum(NodeMetrics.COMMIT_TIME, CommitStage.WHOLE));
      assertEquals(6, sum(NodeMetrics.COMMIT_TIME, CommitStage.LEDGER));
      assertEquals(6, sum(NodeMetrics.COMMIT_TIME, CommitStage.VOTES));
      assertEquals(1, sum(NodeMetrics.TAKE_OVERS));
      assertTrue(sum(NodeMetrics.READS, CopyRole.PRIMARY) >= 2);
      assertTrue(sum(NodeMetrics.SNAPSHOTS, ReadLevel.Kind.SESSION) >= 2);
      assertEquals(sum(NodeMetrics.LEDGER_ENTRY), sum(NodeMetrics.LEDGER_APPEND));
      of(FIRST).await(1, PATIENCE, NodeMetrics.DURABLE);
      of(FIRST).await(1, PATIENCE, NodeMetrics.COPIES, CopyRole.PRIMARY);
    }
  }

  /** The tests beside this one take the same process's time: it has always used up its part. */
  @Test
  void aNodeThatHasUsedUpItsCapacityAnswersLaterAndCountsIt() throws Exception {
    Capacity capacity = new Capacity(new BigDecimal("0.01"), Capacity.Keeper.NODE);
    ClusterSettings settings =
        SETTINGS
            .withNodes(1)
            .withMetrics(this::of)
            .withTraits(ClusterSettings.DEFAULT.traits().with(capacity));
    try (LocalCluster cluster = LocalCluster.start(directory, settings);
        EcStore store = EcStore.connect(cluster.addresses())) {
      long commits = 0;
      while (sum(NodeMetrics.CAPACITY_HELD) == 0) {
        store.execute(tx -> tx.put(WORDS, Tuple.of("k"), "v"));
        commits++;
      }
      store.execute(tx -> tx.put(WORDS, Tuple.of("k"), "w"));
      assertTrue(sum(NodeMetrics.COMMITS, CommitEnd.COMMITTED) >= commits + 1);
      assertEquals(Optional.of(capacity), store.status().nodes().getFirst().traits().capacity());
    }
  }

  @Test
  @Tag("slow")
  void windowIsSeenAsItIsFilledAndTheFoldAsItGoesOn() throws Exception {
    ClusterSettings settings =
        SETTINGS
            .withNodes(1)
            .withCopies(1)
            .withVersionsKept(Duration.ofSeconds(1))
            .withMetrics(this::of);
    try (LocalCluster cluster = LocalCluster.start(directory, settings);
        EcStore store = EcStore.connect(cluster.addresses())) {
      for (int i = 0; i < 20; i++) {
        String value = "v" + i;
        store.execute(tx -> tx.put(WORDS, Tuple.of("k"), value.repeat(50_000)));
      }
      of(FIRST).await(2_000_000, PATIENCE, NodeMetrics.WINDOW);
      of(FIRST).await(1, PATIENCE, NodeMetrics.FOLD_LAG);
      // The version floor moves in steps, as commits go on.
      Await.until(
          "what is old leaves the window",
          () -> {
            for (int i = 0; i < 50; i++) {
              store.execute(tx -> tx.put(WORDS, Tuple.of("small"), "v"));
            }
            return of(FIRST).value(NodeMetrics.WINDOW) < 1_000_000;
          });
    }
  }

  private static Metrics both(Metrics one, Metrics other) {
    return series -> {
      Instrument first = one.of(series);
      Instrument second = other.of(series);
      return value -> {
        first.record(value);
        second.record(value);
      };
    };
  }

  private static void conflict(EcStore store) {
    try (ManualTransaction one = store.begin();
        ManualTransaction other = store.begin()) {
      one.get(WORDS, Tuple.of("k"));
      other.get(WORDS, Tuple.of("k"));
      one.put(WORDS, Tuple.of("k"), "one");
      other.put(WORDS, Tuple.of("k"), "other");
      one.commit();
      assertThrows(ConflictException.class, other::commit);
    }
  }

  @Test
  void anotherThatLeadsHasTakenOver() throws Exception {
    RecordedMetrics others = new RecordedMetrics();
    ClusterSettings settings =
        SETTINGS
            .withNodes(3)
            .withCopies(3)
            .withMetrics(node -> node.equals(FIRST) ? of(FIRST) : both(of(node), others));
    try (LocalCluster cluster = LocalCluster.start(directory, settings);
        EcStore store = EcStore.connect(cluster.addresses())) {
      store.execute(tx -> tx.put(WORDS, Tuple.of("k"), "v"));
      of(FIRST).await(1, PATIENCE, NodeMetrics.SEQUENCING);
      // Until then no other can serve what the first has.
      of(new NodeId(2)).await(2, PATIENCE, NodeMetrics.COPIES, CopyRole.SECONDARY);
      of(new NodeId(3)).await(2, PATIENCE, NodeMetrics.COPIES, CopyRole.SECONDARY);
      cluster.killNode(FIRST);
      store.execute(tx -> tx.put(WORDS, Tuple.of("k"), "w"));
      others.await(1, PATIENCE, NodeMetrics.TAKE_OVERS);
      others.await(1, PATIENCE, NodeMetrics.FAIL_OVERS);
      // A new primary reads the ledger through the record of its epoch before it serves.
      for (ReplayStage stage : ReplayStage.values()) {
        others.await(1, PATIENCE, NodeMetrics.REPLAY_TIME, stage);
      }
    }
  }

  @Test
  void embeddedStoreHasTheMetricsOfAServiceOfTheApplication() {
    try (EcStore store = EcStore.open(directory.resolve("store"))) {
      store.execute(tx -> tx.put(WORDS, Tuple.of("k"), "v"));
    }
    assertTrue(ServiceOfTheTest.TOLD.value(NodeMetrics.COMMITS, CommitEnd.COMMITTED) >= 1);
  }

  /** As an application brings it: named in {@code META-INF/services}. */
  public static final class ServiceOfTheTest implements MetricsProvider {
    private static final RecordedMetrics TOLD = new RecordedMetrics();

    @Override
    public RecordedMetrics of(NodeId node) {
      return TOLD;
    }
  }
}
