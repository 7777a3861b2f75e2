package org.ecstore.tools.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.NodeId;
import org.ecstore.model.Isolation;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.torture.workload.WorkloadKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node ends by itself after it was chosen to be hurt, and before it is. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EndedVictimTest {
  private static final NodeId VICTIM = new NodeId(6);

  @TempDir private Path directory;

  private final ConcurrentLinkedQueue<NodeId> started = new ConcurrentLinkedQueue<>();

  @Test
  void aNodeThatHasEndedIsStartedAgainAndIsNoTrouble() throws Exception {
    Faults faults = hurt(true);
    assertEquals(List.of(), faults.troubles());
    assertEquals(List.of(), faults.done(), "it was not killed");
    assertTrue(started.contains(VICTIM), "it is started again");
    assertEquals(List.of(), faults.away());
  }

  @Test
  void aNodeThatRunsAndCannotBeKilledIsATrouble() throws Exception {
    assertFalse(hurt(false).troubles().isEmpty());
  }

  private Faults hurt(boolean ended) throws Exception {
    try (FaultLog log = new FaultLog(directory.resolve("faults.log"), System::nanoTime)) {
      Faults faults = new Faults(cluster(ended), settings(), log, System::nanoTime);
      faults.run(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200));
      faults.heal();
      return faults;
    }
  }

  private TortureSettings settings() {
    return new TortureSettings(
        6,
        Optional.empty(),
        ReplicationSettings.DEFAULT,
        1,
        Duration.ofSeconds(1),
        WorkloadKind.APPEND,
        Set.of(FaultKind.KILL),
        Duration.ofMillis(5),
        false,
        Set.of(),
        false,
        Isolation.SERIALIZABLE,
        Start.MIXED,
        1,
        directory,
        directory.resolve("history"));
  }

  /** A cluster of which no node can be killed. */
  private TestedCluster cluster(boolean ended) {
    ConcurrentLinkedQueue<NodeId> found = new ConcurrentLinkedQueue<>();
    return (TestedCluster)
        Proxy.newProxyInstance(
            TestedCluster.class.getClassLoader(),
            new Class<?>[] {TestedCluster.class},
            (_, method, arguments) -> answer(method, arguments, ended, found));
  }

  private @Nullable Object answer(
      Method method, Object[] arguments, boolean ended, ConcurrentLinkedQueue<NodeId> found)
      throws IOException {
    return switch (method.getName()) {
      case "knows", "bears" -> true;
      case "nodes" -> List.of(VICTIM);
      case "sequencer" -> Optional.empty();
      case "findEnded" -> Optional.ofNullable(found.poll()).map(List::of).orElse(List.of());
      case "kill" -> {
        if (ended) {
          found.add(VICTIM);
        }
        throw new IOException("node 6 does not run");
      }
      case "start" -> {
        started.add((NodeId) arguments[0]);
        yield null;
      }
      default -> throw new UnsupportedOperationException(method.getName());
    };
  }
}
