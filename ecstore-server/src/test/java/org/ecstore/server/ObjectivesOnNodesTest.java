package org.ecstore.server;

import static org.ecstore.server.LocalClusterTest.SETTINGS;
import static org.ecstore.server.LocalClusterTest.WORDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.ObjectiveStatus;
import org.ecstore.client.error.NotAllowedException;
import org.ecstore.client.error.ObjectiveRefusedException;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.core.testing.Await;
import org.ecstore.key.Tuple;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.model.objective.Statistic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Objectives by the API of clients: of real nodes, through their sockets. */
@Timeout(300)
class ObjectivesOnNodesTest {
  private static final int THREADS = 6;
  private static final EcStoreOptions PATIENT =
      EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(90));
  private static final Objective SHOP =
      Objective.guaranteed("shop").tables("words").p99(Duration.ofMinutes(1)).rate(4_000).reads(95);

  @TempDir Path directory;

  private static EcStoreOptions knowing(LocalCluster cluster) {
    return PATIENT.secret(cluster.secret().orElseThrow());
  }

  private static List<String> names(EcStore store) {
    return store.objectives().all().stream().map(ObjectiveStatus::application).toList();
  }

  @Test
  void objectivesAreStatedMeasuredAndRemoved() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS.withNodes(1));
        EcStore store =
            EcStore.connect(
                cluster.addresses(), knowing(cluster).reportEvery(Duration.ofSeconds(1)))) {
      assertEquals(List.of(), store.objectives().all());
      assertEquals(List.of(), store.objectives().history());
      store.objectives().set(SHOP, Objective.bestEffort("reports").weight(3));
      store.objectives().set(SHOP);
      ObjectiveStatus stated = store.objectives().status("shop").orElseThrow();
      assertEquals(SHOP, stated.objective());
      assertEquals(ServiceVerdict.UNKNOWN, stated.verdict());
      assertEquals(Optional.empty(), stated.measured());
      assertEquals(List.of("reports", "shop"), names(store));
      assertEquals(2, store.objectives().history().size());

      // Reports go along with requests, and nodes gather them for some seconds.
      Await.until(
          "what its clients have is known",
          () -> {
            store.execute(tx -> tx.put(WORDS, Tuple.of(1L), "a"));
            return !store.objectives().history("shop").isEmpty();
          });
      ObjectiveStatus measured = store.objectives().status("shop").orElseThrow();
      assertEquals(ServiceVerdict.KEPT, measured.verdict());
      ServiceFigures figures = measured.measured().orElseThrow();
      assertTrue(figures.operations() > 0 && figures.reads() == 0, figures::toString);
      assertTrue(!figures.time(Statistic.P99).isZero(), figures::toString);

      store.objectives().remove("shop");
      assertEquals(List.of("reports"), names(store));
      ObjectiveRefusedException told =
          assertThrows(ObjectiveRefusedException.class, () -> store.objectives().remove("shop"));
      assertTrue(told.why().contains("\"shop\" has no objective"), told::why);
      assertEquals(
          List.of(false, false, true),
          store.objectives().history().stream().map(one -> one.removed()).toList());
    }
  }

  @Test
  void whoDoesNotHaveTheSecretChangesNothing() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS.withNodes(1));
        EcStore right = EcStore.connect(cluster.addresses(), knowing(cluster));
        EcStore without = EcStore.connect(cluster.addresses(), PATIENT);
        EcStore other =
            EcStore.connect(cluster.addresses(), PATIENT.secret(ClusterSecret.random()))) {
      right.objectives().set(SHOP);
      for (EcStore store : List.of(without, other)) {
        NotAllowedException told =
            assertThrows(NotAllowedException.class, () -> store.objectives().remove("shop"));
        assertTrue(
            String.valueOf(told.getMessage()).contains("EcStoreOptions.secretFile"),
            told::toString);
        assertEquals(List.of("shop"), names(store));
      }
      ObjectiveRefusedException told =
          assertThrows(
              ObjectiveRefusedException.class,
              () -> right.objectives().set(Objective.bestEffort("reports").tables("words")));
      assertTrue(
          told.why().contains("the table words is of the application \"shop\" already"), told::why);
    }
  }

  /** Each proof is of a challenge, of which a connection has one at a time. */
  @Test
  void manyThreadsShareTheConnections() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS.withNodes(1));
        EcStore store = EcStore.connect(cluster.addresses(), knowing(cluster));
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 3 * THREADS; i++) {
        Objective one = Objective.bestEffort("application-" + i);
        all.add(threads.submit(() -> store.objectives().set(one)));
      }
      for (Future<?> each : all) {
        each.get();
      }
      assertEquals(3 * THREADS, store.objectives().all().size());
      assertEquals(3 * THREADS, store.objectives().history().size());
    }
  }

  @Test
  void theNextNodeThatLeadsIsToldToo() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(directory, SETTINGS.withNodes(3));
        EcStore store = EcStore.connect(cluster.addresses(), knowing(cluster))) {
      store.objectives().set(SHOP);
      // The first to join leads.
      cluster.killNode(cluster.nodes().getFirst());
      store.objectives().set(Objective.bestEffort("reports"));
      assertEquals(List.of("reports", "shop"), names(store));
      assertEquals(2, store.objectives().history().size());
    }
  }

  @Test
  void aStoreOfThisProcessNeedsNoSecret() {
    try (EcStore store = EcStore.open(directory.resolve("store"))) {
      store.objectives().set(Objective.bestEffort("notes").tables("notes").quota(1_000_000));
      assertEquals(List.of("notes"), names(store));
      store.objectives().remove("notes");
      assertEquals(List.of(), names(store));
    }
  }
}
