package org.ecstore.txn.qos.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Network;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.Provisioner;
import org.ecstore.core.port.Timers;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.txn.message.TxnMessage.ApplicationCount;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;
import org.ecstore.txn.message.TxnMessage.NodeLoadNews;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.ecstore.txn.steward.decision.Decisions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A guarantee stands for good: until it is known whether it can be given it waits. */
class GuaranteeWaitsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final NodeId FIRST = new NodeId(1);
  private static final NodeId SECOND_NODE = new NodeId(2);

  /** Of such nodes, which do a read in 5 ms, and one each millisecond. */
  private static final String TABLE =
      """
      # engine: sim
      # class: small
      # capacity: all
      # build: 1
      # reads-percent: 100
      clients,servers,ms,MB/s
      1,2,5.5,1
      16,2,13,1
      32,2,21,1
      """;

  private final Map<String, CoordinationResult.Stored> values = new TreeMap<>();
  private final Deque<Event> events = new ArrayDeque<>();
  private final NodeContext context = new NodeContext(FIRST, ports());
  private final Decisions decisions = new Decisions(context.ports().log());
  private final ObjectiveKeeper objectives =
      new ObjectiveKeeper(context, () -> true, SECOND, 30 * SECOND, decisions);
  private final Controller controller =
      new Controller(
          context,
          () -> true,
          ControlTiming.DEFAULT,
          SECOND,
          new TwoNodes(),
          objectives,
          Provisioner.NONE,
          decisions);
  private long nanos = SECOND;
  private boolean isMapKnown = true;
  private long requests;

  private Ports ports() {
    return new Ports(
        () -> nanos,
        port(Timers.class),
        new SplittableRandom(1),
        port(Network.class),
        port(Engine.class),
        port(Ledger.class),
        new Values(),
        port(OperatorLog.class),
        Metrics.NONE);
  }

  private static <T> T port(Class<T> port) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> null));
  }

  /** Coordination, which answers as soon as it is looked at. */
  private final class Values implements Coordination {
    private void answer(long token, CoordinationResult result) {
      events.add(new Event.CoordinationDone(token, result));
    }

    private CoordinationResult.Stored stored(String key) {
      return values.getOrDefault(key, new CoordinationResult.Stored(0, Optional.empty()));
    }

    @Override
    public void get(long token, String key) {
      answer(token, stored(key));
    }

    @Override
    public void compareAndSet(long token, String key, long expectedVersion, Bytes value) {
      if (stored(key).version() != expectedVersion) {
        answer(token, new CoordinationResult.Lost());
        return;
      }
      values.put(key, new CoordinationResult.Stored(expectedVersion + 1, Optional.of(value)));
      answer(token, new CoordinationResult.Swapped(expectedVersion + 1));
    }

    @Override
    public void join(long token, NodeId node, MemberInfo info) {}

    @Override
    public void leader(long token) {}

    @Override
    public void standBack(long token) {}

    @Override
    public void watch(String key) {}
  }

  /** Two nodes, each with a place. */
  private final class TwoNodes implements ControlledCluster {
    @Override
    public List<Coordination.Member> members() {
      return List.of(member(FIRST), member(SECOND_NODE));
    }

    private static Coordination.Member member(NodeId node) {
      return new Coordination.Member(
          node,
          1,
          new Coordination.MemberInfo(
              node + ":1", "", new NodeTraits("small", Optional.empty(), "1", "sim")));
    }

    @Override
    public int places() {
      return isMapKnown ? 2 : 0;
    }

    @Override
    public Set<NodeId> absent() {
      return Set.of();
    }

    @Override
    public boolean isKnown() {
      return isMapKnown;
    }

    @Override
    public boolean hasAnything(NodeId node) {
      return true;
    }

    @Override
    public OptionalInt held(NodeId node) {
      return OptionalInt.empty();
    }

    @Override
    public boolean wantsToLeave(NodeId node) {
      return false;
    }

    @Override
    public void turnAway(Set<NodeId> nodes) {}

    @Override
    public boolean isServing(NodeId node) {
      return isMapKnown;
    }

    @Override
    public boolean isWhole() {
      return isMapKnown;
    }

    @Override
    public int copies() {
      return 2;
    }

    @Override
    public Decision ask(AdminRequest.OfRanges request, long id) {
      throw new IllegalStateException("nothing is asked for");
    }

    @Override
    public Optional<NodeId> last() {
      return Optional.of(SECOND_NODE);
    }
  }

  /** The shop is promised 1,000 operations a second, and nodes have told of themselves. */
  @BeforeEach
  void aGuaranteeStands() {
    objectives.acceptance(controller::answer);
    lead();
    assertEquals(Outcome.DONE, asked(guaranteed("shop", 1_000)).outcome());
    told(FIRST);
    told(SECOND_NODE);
    assertEquals(Outcome.REFUSED, asked(guaranteed("mail", 1_000_000)).outcome());
  }

  private void lead() {
    objectives.start();
    controller.start();
    settle();
  }

  private void settle() {
    while (!events.isEmpty()) {
      context.complete(events.poll());
    }
  }

  private void look() {
    settle();
    objectives.tick();
    settle();
  }

  private static Objective guaranteed(String application, long rate) {
    return Objective.guaranteed(application).p99(Duration.ofMillis(20)).rate(rate);
  }

  private Decision asked(Objective wanted) {
    requests++;
    long number = objectives.add(new AdminRequest.SetObjective(wanted, 1), requests);
    look();
    return decisions.of(number);
  }

  /** It is busy to 40 %, with 800 operations a second. */
  private void told(NodeId node) {
    controller.told(
        node,
        new NodeLoadNews(
            new NodeLoad(400, 0, 0, 0, 0), List.of(new ApplicationCount("shop", 4_000))));
  }

  /** As above, with 400 operations a second of the shop and 1,000 of applications without. */
  private void toldOfOthers(NodeId node) {
    controller.told(
        node,
        new NodeLoadNews(
            new NodeLoad(400, 0, 0, 0, 0),
            List.of(new ApplicationCount("shop", 2_000), new ApplicationCount("", 5_000))));
  }

  /** Its clients have had so many operations in half a minute, which took so long. */
  private void served(String application, long operations, long millis) {
    long[] counts = new long[LatencySketch.INTERVALS];
    counts[LatencySketch.interval(1_000_000 * millis)] = operations;
    objectives.served(
        List.of(
            new ApplicationSample(
                application,
                new ServiceSample("", 0, 0, 1_000_000 * millis, LatencySketch.of(counts)))));
  }

  /**
   * 2,800 operations a second keep nodes busy to 40 %, of which 9 are what they use without
   * clients. So 6,412 do to 80: less 1,000 that are promised to the shop, and 2,000 of applications
   * without an objective.
   */
  @Test
  void whatNothingCanLimitIsUsed() {
    toldOfOthers(FIRST);
    toldOfOthers(SECOND_NODE);
    Decision more = asked(guaranteed("mail", 3_413));
    assertEquals(Outcome.REFUSED, more.outcome(), more::toString);
    assertTrue(
        more.detail()
            .contains(
                "and 2000/s are of applications without an objective, which cannot be limited"),
        more::toString);
    assertTrue(more.detail().contains("a rate of 3412/s would fit"), more::toString);
    assertEquals(Outcome.DONE, asked(guaranteed("mail", 3_412)).outcome());
  }

  /** The 2,000 are its own clients': they are not counted twice. */
  @Test
  void whatItsClientsHaveAlreadyIsNotCountedTwice() {
    toldOfOthers(FIRST);
    toldOfOthers(SECOND_NODE);
    served("mail", 60_000, 5);
    assertEquals(Outcome.DONE, asked(guaranteed("mail", 5_412)).outcome());
  }

  /** Nodes do not know of the wiki yet, and count what it has among what has no objective. */
  @Test
  void whatNodesDoNotKnowOfYetIsNotCountedTwice() {
    toldOfOthers(FIRST);
    toldOfOthers(SECOND_NODE);
    served("wiki", 60_000, 5);
    assertEquals(Outcome.DONE, asked(guaranteed("wiki", 2_000)).outcome());
    Decision more = asked(guaranteed("mail", 3_413));
    assertEquals(Outcome.REFUSED, more.outcome(), more::toString);
    assertTrue(more.detail().contains("3000/s are promised to others: with this"), more::toString);
    assertEquals(Outcome.DONE, asked(guaranteed("mail", 3_412)).outcome());
  }

  /**
   * Nodes say no more what they take: what they said last counts for nothing. Two serve 30 clients
   * in 20 ms by the table.
   */
  @Test
  void whatNodesSaidWhileSomethingWasPromisedIsOver() {
    requests++;
    long used = controller.tables().add(new AdminRequest.UseTable("reads", TABLE, 1), requests);
    toldOfOthers(FIRST);
    toldOfOthers(SECOND_NODE);
    requests++;
    long removed = objectives.add(new AdminRequest.RemoveObjective("shop", 1), requests);
    look();
    assertEquals(Outcome.DONE, decisions.of(used).outcome(), () -> decisions.all().toString());
    assertEquals(Outcome.DONE, decisions.of(removed).outcome());
    Objective thirty =
        Objective.guaranteed("mail").mean(Duration.ofMillis(20)).clients(30).reads(100);
    assertEquals(Outcome.REFUSED, asked(thirty).outcome());
    nanos += 60 * SECOND;
    controller.tick();
    settle();
    Decision asked = asked(thirty);
    assertEquals(Outcome.DONE, asked.outcome(), asked::toString);
    assertTrue(asked.detail().contains("by table reads: 30 clients on 2 nodes"), asked::toString);
  }

  /** The shop has 50 ms of 20, there is nothing to limit, and nothing starts nodes. */
  @Test
  void whereNothingHelpsItIsSaidWhatCouldBeLimited() {
    for (int check = 0; check < 2 * ControlTiming.DEFAULT.window(); check++) {
      nanos += 30 * SECOND;
      toldOfOthers(FIRST);
      toldOfOthers(SECOND_NODE);
      served("shop", 24_000, 50);
      controller.tick();
      settle();
    }
    List<Decision> about =
        decisions.all().stream()
            .filter(one -> one.what().equals("keep the objective of shop"))
            .toList();
    assertFalse(about.isEmpty(), () -> decisions.all().toString());
    assertTrue(
        about
            .getFirst()
            .detail()
            .endsWith(
                "; 2000/s are of applications without an objective: state one of best effort,"
                    + " which can be limited"),
        about::toString);
  }

  private void isNotSaidYet(Decision asked, String why) {
    assertEquals(Outcome.UNDER_WAY, asked.outcome(), asked::toString);
    assertTrue(asked.detail().contains(why), asked::toString);
  }

  private Decision now(Decision asked) {
    look();
    return decisions.of(asked.number());
  }

  @Test
  void whileTheMapIsBeingChangedNothingIsAccepted() {
    isMapKnown = false;
    Decision asked = asked(guaranteed("mail", 1_000_000));
    isNotSaidYet(asked, "the map");
    isNotSaidYet(now(asked), "the map");
    Decision fits = asked(guaranteed("mail", 10));
    isMapKnown = true;
    assertEquals(Outcome.REFUSED, now(asked).outcome());
    assertEquals(Outcome.DONE, now(fits).outcome());
  }

  @Test
  void whoComesToLeadHearsAllNodesFirst() {
    lead();
    Decision asked = asked(guaranteed("mail", 1_000_000));
    isNotSaidYet(asked, "n1, n2 have not said yet");
    told(FIRST);
    isNotSaidYet(now(asked), "n2 has not said yet");
    told(SECOND_NODE);
    assertEquals(Outcome.REFUSED, now(asked).outcome());
  }

  /** What cannot be said within a minute is not accepted either. */
  @Test
  void whatIsNotKnownInTimeIsPutOff() {
    lead();
    told(FIRST);
    Decision asked = asked(guaranteed("mail", 10));
    nanos += 59 * SECOND;
    isNotSaidYet(now(asked), "n2 has not said yet");
    nanos += 2 * SECOND;
    Decision over = now(asked);
    assertEquals(Outcome.PUT_OFF, over.outcome(), over::toString);
    assertTrue(over.detail().endsWith(": try again"), over::toString);
    told(SECOND_NODE);
    assertEquals(Outcome.DONE, asked(guaranteed("mail", 10)).outcome());
  }

  /** It takes nothing of others that is promised to them. */
  @Test
  void whatIsNoGuaranteeDoesNotWait() {
    isMapKnown = false;
    assertEquals(Outcome.DONE, asked(Objective.bestEffort("reports")).outcome());
    assertEquals(Outcome.DONE, asked(guaranteed("shop", 900)).outcome());
  }
}
