package org.ecstore.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Index;
import org.ecstore.client.Table;
import org.ecstore.client.error.ClosedException;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Runs classes of tests as JUnit would, and looks at what they were given. */
class EcStoreExtensionTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());
  private static final Set<EcStore> SEEN = ConcurrentHashMap.newKeySet();

  private static Events run(Class<?> tests) {
    return EngineTestKit.engine("junit-jupiter")
        .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
        .selectors(selectClass(tests))
        .execute()
        .testEvents();
  }

  private static void assertAllPass(Class<?> tests, int count) {
    run(tests).assertStatistics(all -> all.started(count).succeeded(count).failed(0));
  }

  private static void use(EcStore store) {
    SEEN.add(store);
    assertEquals(List.of(), store.tables());
    store.execute(tx -> tx.put(WORDS, Tuple.of(1), "one"));
    assertEquals(List.of("words"), store.tables());
    assertEquals(1, store.sequence("ids").next());
  }

  @EcStoreTest
  @Execution(ExecutionMode.CONCURRENT)
  static class EachFindsItEmpty {
    private final EcStore ofConstructor;

    EachFindsItEmpty(EcStore store) {
      ofConstructor = store;
    }

    @BeforeAll
    static void before(EcStore store) {
      assertEquals(List.of(), store.tables());
    }

    @BeforeEach
    void beforeEach(EcStore store) {
      assertSame(ofConstructor, store);
    }

    @RepeatedTest(5)
    void first(EcStore store) {
      use(store);
    }

    @RepeatedTest(5)
    void second(EcStore store) {
      use(store);
    }

    @Nested
    class Within {
      @RepeatedTest(3)
      void third(EcStore store) {
        assertSame(ofConstructor, store);
        use(store);
      }
    }
  }

  @EcStoreTest
  static class WithAnIndex {
    private static final Table<String> NOTES = Table.of("notes", Codec.utf8());
    private static final Index<String> BY_LENGTH =
        NOTES.index("by-length", note -> (long) note.length());

    @RepeatedTest(3)
    void findsNothingOfTheTestsBefore(EcStore store) {
      assertEquals(List.of(), store.catalog().open(NOTES));
      assertEquals(0L, store.<Long, RuntimeException>read(at -> at.scan(BY_LENGTH).count()));
      store.execute(tx -> tx.put(NOTES, Tuple.of(1), "four"));
      assertEquals(
          List.of("four"),
          store.read(at -> at.scan(BY_LENGTH).stream().map(note -> note.value()).toList()));
    }
  }

  @EcStoreTest(keep = true)
  @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
  static class OneAfterTheOther {
    @Test
    @Order(1)
    void writes(EcStore store) {
      SEEN.add(store);
      store.execute(tx -> tx.put(WORDS, Tuple.of(1), "kept"));
    }

    @Test
    @Order(2)
    void reads(EcStore store) {
      assertEquals(Optional.of("kept"), store.read(at -> at.get(WORDS, Tuple.of(1))));
    }
  }

  static class OnlyWithin {
    @Nested
    @EcStoreTest
    class Within {
      @Test
      void uses(EcStore store) {
        use(store);
      }
    }

    @Test
    void hasNone() {}
  }

  /** An annotation of an application's own. */
  @EcStoreTest
  @Retention(RetentionPolicy.RUNTIME)
  @interface OfTheApplication {}

  @OfTheApplication
  static class ByAnAnnotation {
    @RepeatedTest(2)
    void uses(EcStore store) {
      use(store);
    }
  }

  @EcStoreTest
  interface HasAStore {
    @Test
    default void uses(EcStore store) {
      use(store);
    }
  }

  static class ByAnInterface implements HasAStore {}

  @EcStoreTest
  static class ATestThatFails {
    @RepeatedTest(2)
    void fails(EcStore store) {
      use(store);
      throw new IllegalStateException("as a test may");
    }

    @Test
    void goesOn(EcStore store) {
      use(store);
    }
  }

  @EcStoreTest
  static class OneNode {
    @Test
    void asksForACluster(TestCluster cluster) {
      cluster.kill(cluster.any());
    }
  }

  @EcStoreTest(nodes = 8)
  static class TooManyNodes {
    @Test
    void asksForTheStore(EcStore store) {
      use(store);
    }
  }

  @EcStoreTest(nodes = 2)
  static class TwoNodes {
    private static final Set<TestCluster> CLUSTERS = ConcurrentHashMap.newKeySet();

    @Test
    void failsAfterAKill(EcStore store, TestCluster cluster) {
      CLUSTERS.add(cluster);
      SEEN.add(store);
      cluster.kill(cluster.nodes().get(1));
      throw new IllegalStateException("as a test may");
    }

    @Test
    void findsItEmptyAndWhole(EcStore store, TestCluster cluster) {
      use(store);
      cluster.kill(cluster.any());
    }
  }

  /** Its instance is made before anything is called that JUnit calls for classes. */
  @EcStoreTest
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  static class AConstructorThatFails {
    private static final Set<EcStore> OPENED = ConcurrentHashMap.newKeySet();

    AConstructorThatFails(EcStore store) {
      OPENED.add(store);
      throw new IllegalStateException("as a constructor may");
    }

    @Test
    void isNotReached() {}
  }

  private static List<Throwable> failures(Class<?> tests) {
    return run(tests)
        .failed()
        .map(
            event ->
                event.getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow())
        .toList();
  }

  private static void assertRefused(Class<?> tests, String text) {
    List<Throwable> failures = failures(tests);
    assertEquals(1, failures.size());
    String said = String.valueOf(failures.get(0).getMessage());
    assertTrue(said.contains(text), said);
  }

  @Test
  void aClusterIsThatOfSeveralNodes() {
    assertRefused(
        OneNode.class, "OneNode has one node: a TestCluster is that of @EcStoreTest(nodes = 3)");
    assertRefused(
        TooManyNodes.class, "@EcStoreTest(nodes = 8) of TooManyNodes: there are 1 to 7 nodes");
  }

  @Test
  void aTestThatFailsSaysTheSeedAndWhatItDid() {
    List<Throwable> failures = failures(TwoNodes.class);
    assertEquals(1, failures.size(), failures::toString);
    String said = failures.get(0).getSuppressed()[0].toString();
    assertTrue(
        said.matches(".*a cluster of 2 nodes, seed = [1-9][0-9]*: kill n2"), "it says: " + said);
    TestCluster closed = TwoNodes.CLUSTERS.iterator().next();
    assertEquals(
        "the cluster is closed: its tests have ended",
        assertThrows(IllegalStateException.class, closed::any).getMessage());
  }

  @Test
  void eachTestFindsAnEmptyStoreAlsoInParallel() {
    assertAllPass(EachFindsItEmpty.class, 13);
  }

  @Test
  void tablesOfTheCatalogAreEmptiedWithTheirIndexes() {
    assertAllPass(WithAnIndex.class, 3);
  }

  @Test
  void whatIsKeptIsKept() {
    assertAllPass(OneAfterTheOther.class, 2);
  }

  @Test
  void aNestedClassCanHaveOneOfItsOwn() {
    assertAllPass(OnlyWithin.class, 2);
  }

  @Test
  void theAnnotationIsFoundWhereJUnitFindsIt() {
    assertAllPass(ByAnAnnotation.class, 2);
    assertAllPass(ByAnInterface.class, 1);
  }

  @Test
  void aTestThatFailsLeavesNothingToTheNext() {
    run(ATestThatFails.class).assertStatistics(all -> all.succeeded(1).failed(2));
  }

  @Test
  void directoriesAreDeletedAlsoThoseOfClusters() {
    for (int nodes = 1; nodes <= 2; nodes++) {
      TestStore opened = TestStore.open(nodes, 1);
      assertTrue(Files.exists(opened.directory()));
      opened.close();
      assertFalse(Files.exists(opened.directory()), opened.directory()::toString);
    }
  }

  @Test
  void theStoreOfAClassThatCannotBeInstantiatedIsClosed() {
    run(AConstructorThatFails.class).assertStatistics(all -> all.started(0));
    assertEquals(1, AConstructorThatFails.OPENED.size());
    AConstructorThatFails.OPENED.forEach(
        store -> assertThrows(ClosedException.class, store::tables));
  }

  /** Runs after its own classes, in whatever order JUnit runs these methods. */
  @Test
  void storesAreClosedBehindTheirClasses() {
    assertAllPass(OneAfterTheOther.class, 2);
    assertFalse(SEEN.isEmpty());
    SEEN.forEach(store -> assertThrows(ClosedException.class, store::tables));
  }
}
