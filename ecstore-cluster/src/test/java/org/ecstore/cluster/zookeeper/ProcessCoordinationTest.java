package org.ecstore.cluster.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.ecstore.sim.world.Scheduler;
import org.ecstore.sim.world.SimRandom;
import org.junit.jupiter.api.Test;

/** What an operator is told of the connection to ZooKeeper, and nodes of a bug. */
class ProcessCoordinationTest {
  private final Scheduler scheduler = new Scheduler();
  private final Notes notes = new Notes();
  private final AtomicReference<Optional<ZooKeeperSession>> session =
      new AtomicReference<>(Optional.empty());
  private final ProcessCoordination coordination =
      coordination(
          bug -> {
            throw new AssertionError(bug);
          },
          new ProcessCoordination.Parts());

  private ProcessCoordination coordination(
      Consumer<Throwable> bug, ProcessCoordination.Parts parts) {
    return new ProcessCoordination(
        "one:2181,two:2181",
        Layout.of("test"),
        new FakeWorker(scheduler, () -> true, () -> 0, bug),
        session::get,
        ZooKeeperSettings.defaults(),
        notes,
        parts);
  }

  /** A class is missing, as if its file had been replaced, where values are read. */
  private static ProcessCoordination.Parts missingClass() {
    return OtherParts.values(
        (layout, worker, session, bytesMax, log) ->
            new Values(layout, worker, session, bytesMax, log) {
              @Override
              void get(Call call, String key) {
                throw new NoClassDefFoundError("org/example/Missing");
              }
            });
  }

  private void passTime() {
    long until = scheduler.nowNanos() + 1_000_000;
    while (scheduler.step(until)) {
      // Whatever is due happens.
    }
  }

  private void connected(Optional<ZooKeeperSession> now) {
    session.set(now);
    coordination.connectionChanged(false);
    passTime();
  }

  private static List<Event.PartFailed> failures(List<Event> heard) {
    return heard.stream()
        .filter(Event.PartFailed.class::isInstance)
        .map(Event.PartFailed.class::cast)
        .toList();
  }

  /** The second one's sink is broken too. */
  @Test
  void bugEndsEachNodeOfTheProcess() {
    List<ProcessCoordination> made = new ArrayList<>();
    ProcessCoordination broken = coordination(bug -> made.getFirst().failed(bug), missingClass());
    made.add(broken);
    List<Event> one = new ArrayList<>();
    List<Event> three = new ArrayList<>();
    Coordination handle = broken.handle(new NodeId(1), one::add);
    Coordination _ =
        broken.handle(
            new NodeId(2),
            event -> {
              throw new IllegalStateException(event.toString());
            });
    Coordination _ = broken.handle(new NodeId(3), three::add);
    List<Event> gone = new ArrayList<>();
    Coordination _ = broken.handle(new NodeId(4), gone::add);
    broken.end(new NodeId(4));
    passTime();
    handle.get(7, "key");
    passTime();
    for (List<Event> heard : List.of(one, three)) {
      assertEquals(1, failures(heard).size(), heard::toString);
      assertTrue(failures(heard).getFirst().detail().contains("org/example/Missing"));
    }
    assertEquals(
        List.of(7L),
        one.stream()
            .filter(Event.CoordinationDone.class::isInstance)
            .map(event -> ((Event.CoordinationDone) event).token())
            .toList(),
        "its call has an answer");
    assertEquals(List.of(), gone);
    List<Event> late = new ArrayList<>();
    Coordination _ = broken.handle(new NodeId(5), late::add);
    assertEquals(1, failures(late).size());
    assertEquals(1, notes.warnings().size(), notes.warnings()::toString);
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
