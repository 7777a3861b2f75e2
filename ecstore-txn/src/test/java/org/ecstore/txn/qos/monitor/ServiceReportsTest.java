package org.ecstore.txn.qos.monitor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Network;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.Timers;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFields;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.txn.message.TxnMessage;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;
import org.ecstore.txn.message.TxnMessage.ServiceNews;
import org.ecstore.txn.message.TxnTable;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

/** Reports of clients that say what cannot be. */
class ServiceReportsTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<Long> timers = new ArrayList<>();
  private final List<TxnMessage> sent = new ArrayList<>();
  private final List<ServiceLimit> promised = new ArrayList<>();
  private final NodeContext context = new NodeContext(new NodeId(1), ports());
  private final ServiceReports reports =
      new ServiceReports(context, () -> Optional.of(new NodeId(2)), () -> promised);

  private Ports ports() {
    return new Ports(
        () -> 0,
        port(Timers.class, arguments -> timers.add((Long) arguments[0])),
        new SplittableRandom(1),
        port(Network.class, arguments -> sent.add((TxnMessage) arguments[2])),
        port(Engine.class, _ -> {}),
        port(Ledger.class, _ -> {}),
        port(Coordination.class, _ -> {}),
        port(OperatorLog.class, _ -> {}),
        Metrics.NONE);
  }

  private interface Call {
    void with(Object[] arguments);
  }

  private static <T> T port(Class<T> port, Call call) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              call.with(arguments);
              return null;
            }));
  }

  private static ServiceSample sample(long reads, long failures, long mean, long... counts) {
    return new ServiceSample("users", reads, failures, mean, LatencySketch.of(counts));
  }

  private void report(ServiceSample... samples) {
    reports.take("shop", ServiceFields.report(List.of(samples)));
  }

  /** What the node that leads is told: as bytes, and what it reads from them. */
  private List<ApplicationSample> told() {
    context.complete(new Event.TimerFired(timers.removeFirst()));
    WireWriter out = new WireWriter();
    TxnTable.ROWS.writeNested(out, sent.removeFirst());
    Bytes bytes = out.toBytes();
    return TxnTable.ROWS.readNested(new WireReader(bytes)) instanceof ServiceNews(var samples)
        ? samples
        : List.of();
  }

  private static ServiceFigures figures(List<ApplicationSample> told) {
    ServiceHistory history = new ServiceHistory(() -> 0, ServiceHistory.SLOT_NANOS);
    history.take(told, List.of());
    ServiceFigures figures =
        history.recent(Objective.bestEffort("x").tables("users")).orElseThrow();
    WireWriter out = new WireWriter();
    ServiceFields.writeFigures(out, figures);
    assertEquals(figures, ServiceFields.readFigures(new WireReader(out.toBytes())));
    return figures;
  }

  /** Each number can be read, and their sum could not. */
  @Test
  void samplesOfMoreThanAClientCanDoArePassedBy() {
    report(sample(0, 0, 1, Integer.MAX_VALUE), sample(0, 0, 1, Integer.MAX_VALUE));
    assertTrue(timers.isEmpty(), "there is nothing to tell");
    report(sample(0, 0, 1, Integer.MAX_VALUE), sample(5, 0, 1, 7));
    assertEquals(7, told().getFirst().sample().operations());
  }

  @Test
  void sumsAreNoMoreThanMessagesCarry() {
    for (int i = 0; i < 5; i++) {
      report(sample(0, 0, 1, 900_000_000), sample(0, 0, 1, 900_000_000));
    }
    List<ApplicationSample> told = told();
    assertEquals(Integer.MAX_VALUE, told.getFirst().sample().operations());
    assertEquals(Integer.MAX_VALUE, figures(told).operations());
  }

  @Test
  void thereAreNoMoreReadsAndFailuresThanOperations() {
    report(
        sample(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 10),
        sample(Long.MAX_VALUE, 3, 5, 10));
    List<ApplicationSample> told = told();
    ServiceSample sample = told.getFirst().sample();
    assertEquals(20, sample.operations());
    assertEquals(20, sample.reads());
    assertEquals(13, sample.failures());
    assertTrue(sample.meanNanos() <= 3_600 * SECOND, sample::toString);
    assertEquals(20, figures(told).reads());
  }

  private static ServiceSample of(String table, long count) {
    return new ServiceSample(table, 0, 0, 1, LatencySketch.of(new long[] {count}));
  }

  private void report(String application, String table, long count) {
    reports.take(application, ServiceFields.report(List.of(of(table, count))));
  }

  /** A client says that it is as many applications as it likes, and more than are told apart. */
  @Test
  void whatIsPromisedSomethingIsToldWhateverElseIsInvented() {
    promised.add(new ServiceLimit("shop", List.of(), 0, 100));
    promised.add(new ServiceLimit("orders", List.of("orders", "items"), 0, 100));
    for (int i = 0; i < 2 * ServiceReports.KEYS_MAX; i++) {
      report("app" + i, "table" + i, 1);
    }
    report("shop", "users", 7);
    report("shop", "items", 20);
    report("web", "orders", 300);
    report("web", "users", 4_000);
    List<ApplicationSample> told = told();
    assertEquals(ServiceReports.KEYS_MAX + 2, told.size());
    ServiceHistory history = new ServiceHistory(() -> 0, ServiceHistory.SLOT_NANOS);
    Objective shop = Objective.bestEffort("shop");
    Objective orders = Objective.bestEffort("orders").tables("items", "orders");
    history.take(told, List.of(shop, orders));
    assertEquals(27, history.recent(shop).orElseThrow().operations());
    assertEquals(320, history.recent(orders).orElseThrow().operations());
    assertEquals(Optional.empty(), history.recent(Objective.bestEffort("web")));
  }

  /** A node of an earlier release tells what its clients have said. */
  @Test
  void whatANodeTellsIsBoundedToo() {
    ServiceSample lie = sample(Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE, 10);
    ServiceFigures figures =
        figures(List.of(new ApplicationSample("shop", lie), new ApplicationSample("other", lie)));
    assertEquals(20, figures.operations());
    assertEquals(20, figures.reads());
    assertEquals(20, figures.failures());
  }
}
