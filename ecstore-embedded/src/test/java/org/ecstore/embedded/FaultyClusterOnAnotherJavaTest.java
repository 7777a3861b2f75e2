package org.ecstore.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.embedded.FaultyCluster;
import org.ecstore.client.embedded.FaultyNode;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.id.NodeId;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** As the tests of an application on Java 17 have it; here by the Java of the build. */
@Timeout(120)
class FaultyClusterOnAnotherJavaTest {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);

  @TempDir Path directory;

  private static void awaitStates(FaultyCluster cluster, FaultyNode.State... states) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertEquals(
                    List.of(states), cluster.look().stream().map(FaultyNode::state).toList()));
  }

  @Test
  void itsNodesFailAsTheyAreTold() {
    ProcessHandle process;
    try (FaultyCluster cluster = new FaultyClusterOnAnotherJava().start(directory, 2)) {
      awaitStates(cluster, FaultyNode.State.SERVES, FaultyNode.State.SERVES);
      process = process().orElseThrow();
      String addresses =
          cluster.look().stream().map(FaultyNode::address).collect(Collectors.joining(","));
      try (EcStore store = EcStore.connect(addresses)) {
        store.execute(tx -> tx.put(WORDS, Tuple.of("en"), "hello"));
        cluster.kill(ONE);
        cluster.slow(TWO, ONE, Duration.ofMillis(5));
        awaitStates(cluster, FaultyNode.State.DOWN, FaultyNode.State.SERVES);
        assertEquals(
            "n1 does not run: it was killed already",
            assertThrows(IllegalStateException.class, () -> cluster.kill(ONE)).getMessage());
        store.execute(tx -> tx.put(WORDS, Tuple.of("fr"), "bonjour"));
        cluster.start(ONE);
        cluster.cutOff(Set.of(ONE));
        cluster.cutOff(Set.of());
        cluster.pause(TWO);
        assertEquals(FaultyNode.State.PAUSED, cluster.look().get(1).state());
        cluster.resume(TWO);
        assertEquals(Optional.of("hello"), store.read(moment -> moment.get(WORDS, Tuple.of("en"))));
      }
    }
    assertFalse(process.isAlive());
  }

  private Optional<ProcessHandle> process() {
    return ProcessHandle.current()
        .children()
        .filter(ProcessHandle::isAlive)
        .filter(child -> child.info().commandLine().orElse("").contains(directory.toString()))
        .findFirst();
  }

  @Test
  void whyItDoesNotStartIsSaidInTheWordsOfTheNodes() {
    try (FaultyCluster cluster = new FaultyClusterOnAnotherJava().start(directory, 2)) {
      assertEquals(2, cluster.look().size());
      UnavailableException refused =
          assertThrows(
              UnavailableException.class,
              () -> new FaultyClusterOnAnotherJava().start(directory, 2));
      assertTrue(refused.text().contains("in use"), refused.text());
    }
  }
}
