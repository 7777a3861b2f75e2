package org.ecstore.txn.qos.control;

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
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.ClientCall;
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
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientReply;
import org.ecstore.txn.message.TxnMessage.ApplicationCount;
import org.ecstore.txn.message.TxnMessage.LimitNews;
import org.ecstore.txn.message.TxnMessage.NodeLoadNews;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decisions;

/**
 * A controller on the first of two nodes. Coordination answers as soon as it is looked at, and what
 * is promised is held against what the controller knows.
 */
abstract class ControlledPair {
  static final long SECOND = 1_000_000_000L;
  static final NodeId FIRST = new NodeId(1);
  static final NodeId SECOND_NODE = new NodeId(2);

  /** What coordination keeps. */
  final Map<String, CoordinationResult.Stored> values = new TreeMap<>();

  /** What nodes were told last of limits, but the first one. */
  final Map<NodeId, LimitNews> heard = new TreeMap<>();

  private final Deque<Event> events = new ArrayDeque<>();
  private final NodeContext context = new NodeContext(FIRST, ports());
  final Decisions decisions = new Decisions(context.ports().log());
  final ObjectiveKeeper objectives =
      new ObjectiveKeeper(context, () -> true, SECOND, 30 * SECOND, decisions);
  final Controller controller;
  long nanos = SECOND;
  boolean isMapKnown = true;
  long requests;

  /** Nodes that have places and are down. */
  Set<NodeId> absent = Set.of();

  /** One that does not lead yet. */
  ControlledPair(ControlTiming timing, Provisioner provisioner) {
    controller =
        new Controller(
            context,
            () -> true,
            timing,
            SECOND,
            new TwoNodes(),
            objectives,
            provisioner,
            decisions);
  }

  private Ports ports() {
    return new Ports(
        () -> nanos,
        port(Timers.class),
        new SplittableRandom(1),
        new Heard(),
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

  /** A network that keeps what is told of limits. */
  private final class Heard implements Network {
    @Override
    public void send(NodeId to, ReadPoint point, NodeMessage message) {
      if (message instanceof LimitNews news) {
        heard.put(to, news);
      }
    }

    @Override
    public void reply(ClientCall call, ClientReply reply) {}
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
      return isMapKnown ? absent : Set.of();
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

  void lead() {
    objectives.acceptance(controller::answer);
    objectives.start();
    controller.start();
    settle();
  }

  void settle() {
    while (!events.isEmpty()) {
      context.complete(events.poll());
    }
  }

  void look() {
    settle();
    objectives.tick();
    settle();
  }

  static Objective guaranteed(String application, long rate) {
    return Objective.guaranteed(application).p99(Duration.ofMillis(20)).rate(rate);
  }

  Decision asked(Objective wanted) {
    requests++;
    long number = objectives.add(new AdminRequest.SetObjective(wanted, 1), requests);
    look();
    return decisions.of(number);
  }

  /** It is busy to 40 %, with 800 operations a second. */
  void told(NodeId node) {
    controller.told(
        node,
        new NodeLoadNews(
            new NodeLoad(400, 0, 0, 0, 0), List.of(new ApplicationCount("shop", 4_000))));
  }
}
