package org.ecstore.txn.qos.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.objective.Objective;
import org.ecstore.txn.message.TxnMessage.ApplicationCount;
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
      return new Coordination.Member(node, 1, new Coordination.MemberInfo(node + ":1"));
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
