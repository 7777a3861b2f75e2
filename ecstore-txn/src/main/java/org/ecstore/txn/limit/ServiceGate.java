package org.ecstore.txn.limit;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.ecstore.core.metrics.Instrument;
import org.ecstore.core.metrics.MetricSeries;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.port.Engine.CacheUse;
import org.ecstore.core.port.Event;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.txn.message.TxnMessage.LimitNews;
import org.ecstore.txn.message.TxnMessage.NodeLoadNews;
import org.ecstore.txn.message.TxnMessage.QuotaNews;

/** Holds applications to what they may have of this node, and tells the steward of its load. */
public final class ServiceGate {
  private static final long TELL_NANOS = ApplicationLimits.TOLD_SECONDS * 1_000_000_000L;
  private static final long NANOS_PER_MICRO = 1_000;

  private final NodeContext context;
  private final Supplier<NodeUse> process;
  private final Supplier<Optional<NodeId>> leader;
  private final LongSupplier foldLag;
  private final ApplicationLimits limits = new ApplicationLimits();
  private final QuotaLimits quotas;
  private final Instrument busy;
  private final Instrument waits;
  private boolean hasTold;
  private long toldNanos;
  private NodeUse use = NodeUse.UNKNOWN;
  private CacheUse told = CacheUse.NONE;

  /**
   * One that knows of no limit.
   *
   * @param process what it uses
   * @param leader who is told
   * @param foldLag how many commits the engine is behind the ledger
   * @param quotas which applications hold all that they may
   */
  public ServiceGate(
      NodeContext context,
      Supplier<NodeUse> process,
      Supplier<Optional<NodeId>> leader,
      LongSupplier foldLag,
      QuotaLimits quotas) {
    this.context = context;
    this.process = process;
    this.leader = leader;
    this.foldLag = foldLag;
    this.quotas = quotas;
    this.busy = context.metrics().of(new MetricSeries(NodeMetrics.CAPACITY_USED));
    this.waits = context.metrics().of(new MetricSeries(NodeMetrics.REQUESTS_WAIT));
  }

  /** A connection is of an application. */
  public void greeted(Event.Greeted greeted) {
    limits.greeted(greeted.connection(), greeted.application());
  }

  /** A connection has closed. */
  public void gone(long connection) {
    limits.gone(connection);
  }

  /**
   * The steward says what applications may have here.
   *
   * @return whether it is not late
   */
  public boolean take(LimitNews news) {
    return limits.take(news.version(), news.limits());
  }

  /** What applications with objectives may have, as the steward has said. */
  public List<ServiceLimit> limits() {
    return limits.told();
  }

  /**
   * The steward says what applications may hold.
   *
   * @return whether it is news, of the node that leads as far as is known here
   */
  public boolean take(NodeId from, QuotaNews news) {
    return leader.get().filter(known -> !known.equals(from)).isEmpty() && quotas.take(news);
  }

  /** Whether a request was refused, as its application has had enough, or holds all it may. */
  public boolean refused(Event.Called called) {
    ClientRequest request = called.request();
    Optional<String> full =
        request instanceof ClientRequest.Commit commit ? quotas.refusal(commit) : Optional.empty();
    if (full.isPresent()) {
      context
          .ports()
          .network()
          .reply(called.call(), new ClientReply.Refused(RefusalCode.OVER_QUOTA, full.get()));
      return true;
    }
    OptionalInt wait =
        limits.refusal(called.call().connection(), request, use.isPressed(), context.nanos());
    if (wait.isEmpty()) {
      return false;
    }
    context
        .ports()
        .network()
        .reply(
            called.call(),
            new ClientReply.Refused(
                RefusalCode.OVERLOADED,
                "the application has what it may have: see slo status",
                wait.getAsInt()));
    return true;
  }

  /**
   * Looks how much there is to do, and tells the node that leads, if an application has an
   * objective.
   */
  public void look() {
    use = process.get();
    busy.record(use.busyMilli());
    waits.record(use.waitMicros() * NANOS_PER_MICRO);
    long now = context.nanos();
    long since = now - toldNanos;
    // A clock that has gone back says nothing of how long that is.
    boolean isDue = !hasTold || since >= TELL_NANOS || since < 0;
    if (!limits.isEmpty() && isDue) {
      hasTold = true;
      toldNanos = now;
      tell();
    }
  }

  private void tell() {
    leader.get().ifPresent(to -> context.send(to, new NodeLoadNews(load(), limits.counts())));
  }

  private NodeLoad load() {
    CacheUse now = context.ports().engine().cacheUse().orElse(told);
    CacheUse since = now.since(told);
    told = now;
    return new NodeLoad(
        use.busyMilli(),
        use.waitMicros(),
        since.lookups(),
        since.misses(),
        Math.max(0, foldLag.getAsLong()));
  }
}
