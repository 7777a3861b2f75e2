package org.ecstore.txn.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.core.metrics.Metric;
import org.ecstore.core.metrics.MetricSeries;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Network;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.Timers;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.txn.message.TxnMessage.LimitNews;
import org.junit.jupiter.api.Test;

class ServiceGateTest {
  private static final long SECOND = 1_000_000_000L;

  private final Map<MetricSeries, Long> told = new HashMap<>();
  private final List<NodeId> sent = new ArrayList<>();
  private NodeUse use = NodeUse.UNKNOWN;
  private long nanos = 5;

  private Ports ports() {
    return new Ports(
        () -> nanos,
        unused(Timers.class),
        new SplittableRandom(1),
        port(Network.class, (Call) arguments -> sent.add((NodeId) arguments[0])),
        port(Engine.class, Optional.empty()),
        unused(Ledger.class),
        unused(Coordination.class),
        unused(OperatorLog.class),
        series -> value -> told.put(series, value));
  }

  private long told(Metric metric) {
    return told.getOrDefault(new MetricSeries(metric), -1L);
  }

  private static <T> T port(Class<T> port, Object answer) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              if (answer instanceof Call call) {
                call.with(arguments);
                return null;
              }
              return answer;
            }));
  }

  private interface Call {
    void with(Object[] arguments);
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

  /** Also while no application has an objective, so that the steward is told nothing. */
  @Test
  void whatANodeUsesIsInItsMetrics() {
    ServiceGate gate =
        new ServiceGate(
            new NodeContext(new NodeId(1), ports()),
            () -> use,
            Optional::empty,
            () -> 0,
            new QuotaLimits());
    gate.look();
    assertEquals(0, told(NodeMetrics.CAPACITY_USED));
    use = new NodeUse(650, 12);
    gate.look();
    assertEquals(650, told(NodeMetrics.CAPACITY_USED));
    assertEquals(12_000, told(NodeMetrics.REQUESTS_WAIT));
    use = new NodeUse(20, 0);
    gate.look();
    assertEquals(20, told(NodeMetrics.CAPACITY_USED));
    assertEquals(0, told(NodeMetrics.REQUESTS_WAIT));
  }

  /** It tells every five seconds, and does not fall silent where its clock has gone back. */
  @Test
  void aClockThatGoesBackSilencesNoNode() {
    NodeId leader = new NodeId(2);
    ServiceGate gate =
        new ServiceGate(
            new NodeContext(new NodeId(1), ports()),
            () -> use,
            () -> Optional.of(leader),
            () -> 0,
            new QuotaLimits());
    gate.take(new LimitNews(1, List.of(new ServiceLimit("shop", List.of(), 5, 0)), 0));
    nanos = 3_600 * SECOND;
    gate.look();
    assertEquals(List.of(leader), sent);
    nanos += SECOND;
    gate.look();
    assertEquals(List.of(leader), sent);
    nanos = 0;
    gate.look();
    assertEquals(List.of(leader, leader), sent);
    nanos += 5 * SECOND;
    gate.look();
    assertEquals(List.of(leader, leader, leader), sent);
  }
}
