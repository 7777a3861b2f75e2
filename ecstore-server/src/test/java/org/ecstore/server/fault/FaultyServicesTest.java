package org.ecstore.server.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.server.coordination.LocalCoordination;
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.server.ledger.LocalLedgerStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nodes see of ledger and coordination when they are cut off, and when that is over. */
class FaultyServicesTest {
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);

  private static final OperatorLog QUIET =
      new OperatorLog() {
        @Override
        public void info(String text) {}

        @Override
        public void warn(String text) {}
      };

  @TempDir private Path directory;
  private final ClusterFaults faults = new ClusterFaults();
  private final List<Event> seen = new ArrayList<>();
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private long tokens;

  @AfterEach
  void closeFaults() {
    faults.close();
  }

  private Event next() {
    try {
      Event event = events.poll(60, TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError("no event comes, after " + seen);
      }
      seen.add(event);
      return event;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private long begin(LongConsumer call) {
    call.accept(++tokens);
    return tokens;
  }

  private LedgerResult ledgerSays(LongConsumer call) {
    long token = begin(call);
    while (true) {
      if (next() instanceof Event.LedgerDone(var done, var result) && done == token) {
        return result;
      }
    }
  }

  private CoordinationResult coordinationSays(LongConsumer call) {
    long token = begin(call);
    while (true) {
      if (next() instanceof Event.CoordinationDone(var done, var result) && done == token) {
        return result;
      }
    }
  }

  private static LedgerEntry entry(long position) {
    return new LedgerEntry(new Position(position), List.of(Bytes.utf8("record " + position)));
  }

  private FaultyLedger openLedger() throws IOException {
    return new FaultyLedger(
        LocalLedgerStore.open(directory, new UUID(1, 2), LedgerSettings.DEFAULT, QUIET), faults);
  }

  @Test
  void aWriterThatIsCutOffWritesNothingUntilItFencesAgain() throws IOException {
    try (FaultyLedger service = openLedger()) {
      Ledger ledger = service.handle(ONE, events::add);
      assertInstanceOf(LedgerResult.Fenced.class, ledgerSays(ledger::fence));
      assertInstanceOf(
          LedgerResult.Appended.class, ledgerSays(token -> ledger.append(token, entry(1))));
      faults.part(Set.of(ONE));
      long lost = begin(token -> ledger.append(token, entry(2)));
      assertInstanceOf(
          LedgerResult.Failed.class, ledgerSays(token -> ledger.read(token, new Position(1), 100)));
      faults.part(Set.of());
      // Behind the one that was lost, so that it is lost too.
      assertInstanceOf(
          LedgerResult.AppendUnknown.class, ledgerSays(token -> ledger.append(token, entry(3))));
      assertTrue(
          seen.stream()
              .anyMatch(
                  event ->
                      event instanceof Event.LedgerDone(var token, LedgerResult.AppendUnknown _)
                          && token == lost),
          seen::toString);
      LedgerResult.Fenced fenced =
          assertInstanceOf(LedgerResult.Fenced.class, ledgerSays(ledger::fence));
      assertEquals(new Position(1), fenced.last());
      assertInstanceOf(
          LedgerResult.Appended.class, ledgerSays(token -> ledger.append(token, entry(2))));
    }
  }

  @Test
  void oneThatIsCutOffDoesNotShutOutTheWriter() throws IOException {
    try (FaultyLedger service = openLedger()) {
      Ledger ledger = service.handle(ONE, events::add);
      Ledger other = service.handle(TWO, events::add);
      assertInstanceOf(LedgerResult.Fenced.class, ledgerSays(ledger::fence));
      faults.part(Set.of(TWO));
      assertInstanceOf(LedgerResult.Failed.class, ledgerSays(other::fence));
      assertInstanceOf(
          LedgerResult.Appended.class, ledgerSays(token -> ledger.append(token, entry(1))));
    }
  }

  private void change(FaultyCoordination coordination, Set<NodeId> apart) {
    faults.part(apart);
    List.of(ONE, TWO).forEach(coordination::changed);
  }

  private Optional<NodeId> awaitOtherLeader(NodeId than) {
    while (true) {
      if (next() instanceof Event.LeaderHinted(var leader) && !leader.equals(Optional.of(than))) {
        return leader;
      }
    }
  }

  private void join(Coordination coordination, NodeId node) {
    assertInstanceOf(
        CoordinationResult.Joined.class,
        coordinationSays(token -> coordination.join(token, node, new MemberInfo(""))));
  }

  @Test
  void oneThatIsCutOffIsNoMemberAfterItsSessionAndAMemberAgainThen() throws IOException {
    try (FaultyCoordination service =
        new FaultyCoordination(LocalCoordination.open(directory, QUIET), faults)) {
      LinkedBlockingQueue<Event> heardByOne = new LinkedBlockingQueue<>();
      LinkedBlockingQueue<Event> answers = new LinkedBlockingQueue<>();
      Coordination one =
          service.handle(
              ONE,
              event -> (event instanceof Event.CoordinationDone ? answers : heardByOne).add(event));
      one.join(99, ONE, new MemberInfo(""));
      Coordination two = service.handle(TWO, events::add);
      join(two, TWO);
      one.watch("key");
      change(service, Set.of(ONE));
      assertEquals(Optional.of(TWO), awaitOtherLeader(ONE), "its session ends");
      heardByOne.clear();
      answers.clear();
      assertInstanceOf(
          CoordinationResult.Swapped.class,
          coordinationSays(token -> two.compareAndSet(token, "key", 0, Bytes.utf8("by two"))));
      one.compareAndSet(100, "key", 1, Bytes.utf8("by one"));
      assertInstanceOf(
          CoordinationResult.Unknown.class,
          assertInstanceOf(Event.CoordinationDone.class, poll(answers)).result());
      assertEquals(List.of(), List.copyOf(heardByOne), "one that is cut off hears no news");
      change(service, Set.of());
      List<Event> told = new ArrayList<>();
      while (!told.containsAll(
          List.of(new Event.KeyChanged("key"), new Event.LeaderHinted(Optional.of(TWO))))) {
        told.add(poll(heardByOne));
      }
      assertEquals(
          new CoordinationResult.Stored(1, Optional.of(Bytes.utf8("by two"))),
          coordinationSays(token -> two.get(token, "key")));
    }
  }

  @Test
  void onlyOneThatIsNotHeardOfIsEndedBySuspicion() throws IOException {
    try (FaultyCoordination service =
        new FaultyCoordination(LocalCoordination.open(directory, QUIET), faults)) {
      Coordination one = service.handle(ONE, event -> {});
      one.join(1, ONE, new MemberInfo(""));
      Coordination two = service.handle(TWO, events::add);
      join(two, TWO);
      two.suspect(ONE, 1);
      assertEquals(new CoordinationResult.Leader(Optional.of(ONE)), coordinationSays(two::leader));
      faults.paused(ONE, true);
      service.changed(ONE);
      two.suspect(ONE, 1);
      assertEquals(new CoordinationResult.Leader(Optional.of(TWO)), coordinationSays(two::leader));
    }
  }

  private static Event poll(LinkedBlockingQueue<Event> from) {
    try {
      Event event = from.poll(Duration.ofSeconds(60).toSeconds(), TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError("no event comes");
      }
      return event;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
