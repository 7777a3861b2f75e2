package org.ecstore.cluster.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.ecstore.sim.world.Scheduler;
import org.ecstore.sim.world.SimRandom;
import org.junit.jupiter.api.Test;

/** What an operator is told of the connection to ZooKeeper. */
class ProcessCoordinationTest {
  private final Scheduler scheduler = new Scheduler();
  private final Notes notes = new Notes();
  private final AtomicReference<Optional<ZooKeeperSession>> session =
      new AtomicReference<>(Optional.empty());
  private final ProcessCoordination coordination =
      new ProcessCoordination(
          "one:2181,two:2181",
          Layout.of("test"),
          new FakeWorker(
              scheduler,
              () -> true,
              () -> 0,
              bug -> {
                throw new AssertionError(bug);
              }),
          session::get,
          ZooKeeperSettings.defaults(),
          notes,
          new ProcessCoordination.Parts());

  private void connected(Optional<ZooKeeperSession> now) {
    session.set(now);
    coordination.connectionChanged(false);
    long until = scheduler.nowNanos() + 1_000_000;
    while (scheduler.step(until)) {
      // Whatever is due happens.
    }
  }

  @Test
  void lostConnectionIsSaidOnceWithItsServersAndWhatToDo() {
    FakeEnsemble ensemble =
        new FakeEnsemble(
            scheduler,
            new SimRandom(1),
            new FakeEnsemble.Faults(2_000_000, 2_000_000, 0, 0, 0),
            () -> false);
    Layout.of("test").permanent().forEach(ensemble::prepare);
    FakeClient client = new FakeClient(ensemble, 1_000_000_000L, 0);
    coordination.start();
    connected(client.current());
    assertEquals(List.of(), notes.warnings());
    connected(Optional.empty());
    connected(Optional.empty());
    assertEquals(1, notes.warnings().size());
    String said = notes.warnings().getFirst();
    assertTrue(said.contains("at one:2181,two:2181;"), said);
    assertTrue(said.contains("see whether most of these servers run"), said);
  }
}
