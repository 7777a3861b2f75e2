package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.SETTINGS;
import static org.ecstore.server.LocalClusterTest.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Session;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.core.testing.Await;
import org.ecstore.id.NodeId;
import org.ecstore.key.Tuple;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.txn.limit.NodeUse;
import org.ecstore.txn.node.NodeParts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One store of two applications: real nodes know whose each request is. */
@Timeout(300)
class ApplicationsOnNodesTest {
  private static final EcStoreOptions PATIENT =
      EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(90));
  private static final Tuple KEY = Tuple.of(1L);
  private static final int ROUNDS = 20;

  @TempDir Path directory;

  /** A node that has too much to do, as long as a test says so. */
  private static final class Pressed extends NodeParts {
    private final AtomicBoolean pressed = new AtomicBoolean();

    @Override
    public NodeUse use() {
      return pressed.get() ? new NodeUse(1_000, 0) : NodeUse.UNKNOWN;
    }
  }

  /** The way of a store to a node of its own process. */
  private record InProcess(LocalCluster cluster) implements Connector {
    private static final NodeId NODE = new NodeId(1);

    @Override
    public List<String> seeds() {
      return List.of(NodeRuntime.NO_ADDRESS);
    }

    @Override
    public NodeConnection connect(String address) {
      return cluster.connection(NODE, Optional.empty());
    }

    @Override
    public NodeConnection connect(String address, String application) {
      return cluster.connection(NODE, Optional.of(application));
    }

    @Override
    public void close() {
      // The test closes the cluster.
    }
  }

  private static EcStoreOptions knowing(LocalCluster cluster) {
    return PATIENT.secret(cluster.secret().orElseThrow());
  }

  private static Optional<String> word(Session session) {
    return session.read(snapshot -> snapshot.get(WORDS, KEY));
  }

  private static ServiceFigures figures(EcStore store, String application) {
    return Await.present(
        "what " + application + " has is known",
        () -> {
          // Reports go along with requests.
          store.execute(tx -> tx.put(WORDS, KEY, "of the shop"));
          word(store.application("reports"));
          return store.objectives().status(application).orElseThrow().measured();
        });
  }

  @Test
  void eachIsMeasuredByItself() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS.withNodes(1));
        EcStore store =
            EcStore.connect(
                cluster.addresses(),
                knowing(cluster).application("shop").reportEvery(Duration.ofSeconds(1)))) {
      store
          .objectives()
          .set(
              Objective.bestEffort("shop").p99(Duration.ofMinutes(1)),
              Objective.bestEffort("reports").p99(Duration.ofMinutes(1)));
      ServiceFigures shop = figures(store, "shop");
      assertEquals(0, shop.reads(), shop::toString);
      ServiceFigures reports = figures(store, "reports");
      assertEquals(reports.operations(), reports.reads(), reports::toString);
    }
  }

  /** Of what is promised to reports, one operation a second, the node takes no more now. */
  private static void limitsReportsAlone(Pressed parts, EcStore store) {
    store
        .objectives()
        .set(Objective.guaranteed("reports").p99(Duration.ofMinutes(1)).rate(1).reads(100));
    Session reports = store.application("reports");
    Session shop = store.application("shop");
    shop.execute(tx -> tx.put(WORDS, KEY, "of the shop"));
    for (int i = 0; i < ROUNDS; i++) {
      assertEquals(Optional.of("of the shop"), word(reports), "there is room for all");
    }
    parts.pressed.set(true);
    Await.until("reports are refused", () -> isRefused(reports));
    for (int i = 0; i < ROUNDS; i++) {
      assertEquals(Optional.of("of the shop"), word(shop));
      shop.execute(tx -> tx.put(WORDS, KEY, "of the shop"));
      assertEquals(Optional.of("of the shop"), word(store), "nor one without a name");
    }
    Await.until("reports are refused still", () -> isRefused(reports));
    parts.pressed.set(false);
    for (int i = 0; i < ROUNDS; i++) {
      assertEquals(Optional.of("of the shop"), word(reports), "there is room for all again");
    }
  }

  /** Whether the node has too much to do for it, and does not say in time when it has not. */
  private static boolean isRefused(Session session) {
    try {
      word(session.within(Duration.ofMillis(300)));
      return false;
    } catch (EcStoreException failure) {
      return failure.code() == ErrorCode.OVERLOADED;
    }
  }

  private LocalCluster start(Pressed parts, boolean listening) throws Exception {
    return LocalCluster.start(
        directory,
        SETTINGS.withNodes(1),
        listening,
        new LocalCluster.Seams(LocalCluster::openLocalLedger, parts));
  }

  @Test
  void aLimitOfOneDoesNotTouchTheOther() throws Exception {
    Pressed parts = new Pressed();
    try (LocalCluster cluster = start(parts, true);
        EcStore store = EcStore.connect(cluster.addresses(), knowing(cluster))) {
      limitsReportsAlone(parts, store);
    }
  }

  @Test
  void soItIsWithinOneProcess() throws Exception {
    Pressed parts = new Pressed();
    try (LocalCluster cluster = start(parts, false);
        EcStore store = EcStore.over(new InProcess(cluster), PATIENT)) {
      limitsReportsAlone(parts, store);
    }
  }
}
