package org.ecstore.txn.sequencer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Network;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.Timers;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.protocol.ClientReply;
import org.ecstore.txn.message.TxnMessage.Heartbeat;
import org.ecstore.txn.message.TxnMessage.PositionReply;
import org.junit.jupiter.api.Test;

class HeartbeatsTest {
  private static final NodeId SELF = new NodeId(1);
  private static final NodeId SECOND = new NodeId(2);
  private static final NodeId THIRD = new NodeId(3);
  private static final Heartbeat BEAT =
      new Heartbeat(Position.ZERO, Position.ZERO, new Position(1));

  private final List<NodeId> beats = new ArrayList<>();
  private long nanos = -5;
  private ReadPoint adopted = at(10);
  private final NodeContext context = new NodeContext(SELF, ports());
  private final Heartbeats heartbeats = new Heartbeats(context);

  HeartbeatsTest() {
    context.pointFrom(() -> adopted);
  }

  private static ReadPoint at(long position) {
    return new ReadPoint(new Position(position), new MapVersion(1));
  }

  private static Member member(NodeId node, long incarnation) {
    return new Member(node, incarnation, new MemberInfo("127.0.0.1:1"));
  }

  /** Those who were told by this heartbeat, but for the node itself. */
  private List<NodeId> told(Heartbeat beat, long incarnationOfThird) {
    beats.clear();
    heartbeats.say(
        beat,
        List.of(member(SELF, 1), member(SECOND, 1), member(THIRD, incarnationOfThird)),
        adopted);
    return List.copyOf(beats);
  }

  private List<NodeId> told() {
    return told(BEAT, 1);
  }

  @Test
  void whoHasHeardItIsNotToldAgain() {
    assertEquals(List.of(SECOND, THIRD), told());
    nanos += Heartbeats.SILENCE_NANOS_MAX - 1;
    assertEquals(List.of(), told());
  }

  @Test
  void aLostOneIsSaidAgainSoon() {
    assertEquals(List.of(SECOND, THIRD), told());
    nanos += Heartbeats.SILENCE_NANOS_MAX;
    assertEquals(List.of(SECOND, THIRD), told());
  }

  @Test
  void whoHasNotHeardOfANewPositionIsTold() {
    assertEquals(List.of(SECOND, THIRD), told());
    adopted = at(11);
    context.send(SECOND, new PositionReply(1, true, adopted));
    assertEquals(List.of(THIRD), told());
  }

  @Test
  void allAreToldOfOtherFloors() {
    assertEquals(List.of(SECOND, THIRD), told());
    Heartbeat other = new Heartbeat(new Position(4), Position.ZERO, new Position(1));
    assertEquals(List.of(SECOND, THIRD), told(other, 1));
    assertEquals(List.of(), told(other, 1));
  }

  @Test
  void aNodeThatWasStartedAnewHasHeardNothing() {
    assertEquals(List.of(SECOND, THIRD), told());
    assertEquals(List.of(THIRD), told(BEAT, 2));
  }

  @Test
  void aNewTermBeginsWithAHeartbeatToAll() {
    assertEquals(List.of(SECOND, THIRD), told());
    heartbeats.clear();
    assertEquals(List.of(SECOND, THIRD), told());
  }

  private Ports ports() {
    return new Ports(
        () -> nanos,
        unused(Timers.class),
        new SplittableRandom(1),
        new Wire(),
        unused(Engine.class),
        unused(Ledger.class),
        unused(Coordination.class),
        unused(OperatorLog.class),
        Metrics.NONE);
  }

  private static <T> T unused(Class<T> port) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            }));
  }

  private final class Wire implements Network {
    @Override
    public void send(NodeId to, ReadPoint point, NodeMessage message) {
      assertEquals(adopted, point);
      if (message instanceof Heartbeat) {
        beats.add(to);
      }
    }

    @Override
    public void reply(ClientCall call, ClientReply reply) {
      throw new UnsupportedOperationException();
    }
  }
}
