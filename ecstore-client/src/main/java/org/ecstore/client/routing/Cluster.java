package org.ecstore.client.routing;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.copies.CopyChoice;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.retry.Answer;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.spi.CallFailedException;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.TraceContext;
import org.ecstore.wire.Limits;
import org.jspecify.annotations.Nullable;

/**
 * The nodes as a client sees them: their connections, and who serves which range. Safe for use by
 * several threads; methods that take a deadline block, and may be called from virtual threads.
 */
public final class Cluster implements AutoCloseable {
  /** With so many connections those that broke are given up before another one is made. */
  private static final int CONNECTIONS_MANY = 64;

  private final Connector connector;
  private final ClientTime time;
  private final Backoff backoff;
  private final Duration requestTimeout;
  private final StoreObserver observer;
  private final CopyChoice copies = new CopyChoice(this::readRank);
  private final Map<String, Counted> connections = new ConcurrentHashMap<>();

  /** More than any connection has counted that was closed: where the next ones begin. */
  private final AtomicLong lossesOfClosed = new AtomicLong();

  /** Shared by all applications of a store, as what follows. */
  private final RouteCache routes;

  private final Homes homes;
  private final NodeOrder order;
  private final AnswerWaits waits;
  private final AtomicBoolean closed;

  public Cluster(
      Connector connector,
      ClientTime time,
      Backoff backoff,
      Duration requestTimeout,
      StoreObserver observer) {
    this.observer = observer;
    this.connector = connector;
    this.time = time;
    this.backoff = backoff;
    this.requestTimeout = requestTimeout;
    this.routes = new RouteCache();
    this.homes = new Homes();
    this.waits = new AnswerWaits(time);
    this.order = new NodeOrder(List.copyOf(connector.seeds()), time.random());
    this.closed = new AtomicBoolean();
  }

  private Cluster(Cluster other, Connector connector, StoreObserver observer) {
    this.observer = observer;
    this.connector = connector;
    this.time = other.time;
    this.backoff = other.backoff;
    this.requestTimeout = other.requestTimeout;
    this.routes = other.routes;
    this.homes = other.homes;
    this.waits = other.waits;
    this.order = other.order;
    this.closed = other.closed;
  }

  /**
   * The same nodes by connections of their own, as those of another application. Where ranges are
   * is known to both, and they are closed together; how soon a copy answers each finds out by its
   * own requests, of which nodes may refuse those of one alone.
   */
  public Cluster by(Connector other, StoreObserver itsObserver) {
    return new Cluster(this, other, itsObserver);
  }

  /**
   * A connection, and how often such to its address had broken when it was made: one that is made
   * anew counts from 0, and what was kept by the one before it has ended all the same.
   */
  private record Counted(NodeConnection connection, long lossesBefore) {
    long losses() {
      return lossesBefore + connection.losses();
    }
  }

  /** Clock, waiting and chance. */
  public ClientTime time() {
    return time;
  }

  /** The back-off between tries. */
  public Backoff backoff() {
    return backoff;
  }

  /** Is told what is done. */
  public StoreObserver observer() {
    return observer;
  }

  /** The routes known. */
  public RouteCache routes() {
    return routes;
  }

  /** What is known of copies, to choose well which to read. */
  public CopyChoice copies() {
    return copies;
  }

  /** The longest that one request may take, cut at the deadline. */
  public Duration timeout(Deadline deadline) {
    long left = Math.max(1, deadline.left(time.nanos()));
    return Duration.ofNanos(Math.min(left, requestTimeout.toNanos()));
  }

  /**
   * Addresses to ask what any node can answer, without repetition: first the given ones, then the
   * seeds, beginning with another one each time the turn has moved on, then some homes of ranges.
   * Those that did not answer a moment ago are behind all others.
   */
  public List<String> addresses(List<String> first) {
    return order.of(first, homes.some(), time.nanos());
  }

  /** Says that no node was any help: begin with another one next time. */
  public void moveOn() {
    order.moveOn();
  }

  /**
   * Says that a node was no help: begin with another one next time, if that was the first. Of one
   * that does not answer this is known.
   */
  public void passOver(String address) {
    order.passOver(address);
  }

  /**
   * Sends a request without waiting. The future never fails; a request that cannot leave at all, as
   * by an address that is none, was not sent: who asks for the outcome of a commit goes on.
   *
   * @throws TooLargeException if it is too large for any node
   */
  public CompletableFuture<Answer> start(String address, ClientRequest request, Duration timeout) {
    if (closed.get()) {
      return CompletableFuture.completedFuture(new Answer.Ended("the store is closed"));
    }
    Optional<TraceContext> trace =
        observer
            .trace()
            .map(at -> new TraceContext(at.traceHigh(), at.traceLow(), at.span(), at.flags()));
    CompletableFuture<ClientReply> called;
    try {
      called = connection(address).call(request, timeout, trace);
    } catch (TooLargeException e) {
      throw e;
    } catch (RuntimeException e) {
      failed(address);
      return CompletableFuture.completedFuture(new Answer.NotSent(String.valueOf(e)));
    }
    return called.handle((reply, failure) -> toAnswer(address, reply, failure));
  }

  private Answer toAnswer(
      String address, @Nullable ClientReply reply, @Nullable Throwable failure) {
    if (reply != null) {
      if (order.answered(address)) {
        homes.found(address);
      }
      return new Answer.Replied(reply);
    }
    Answer answer = noReply(failure);
    if (answer instanceof Answer.NotSent || answer instanceof Answer.NoReply) {
      failed(address);
    }
    return answer;
  }

  private void failed(String address) {
    if (order.failed(address, time.nanos())) {
      homes.failed(address);
    }
  }

  private Answer noReply(@Nullable Throwable failure) {
    if (failure instanceof CallFailedException failed) {
      String detail = String.valueOf(failed.getMessage());
      return switch (failed.kind()) {
        case NOT_SENT ->
            closed.get() ? new Answer.Ended("the store is closed") : new Answer.NotSent(detail);
        // As good as the node's own word: nothing was done, and to ask on soon does not help.
        case NOT_TAKEN ->
            new Answer.Replied(new ClientReply.Refused(RefusalCode.OVERLOADED, detail));
        case LOST, TIMED_OUT -> new Answer.NoReply(String.valueOf(failure));
      };
    }
    return new Answer.NoReply(String.valueOf(failure));
  }

  /** Waits for an answer to a request that was started with a timeout. */
  public Answer await(CompletableFuture<Answer> future, Duration timeout) {
    return waits.await(future, timeout);
  }

  /**
   * Waits until one of some requests has an answer.
   *
   * @param timeout the longest of theirs: when it is over, with none, all count as unanswered
   */
  public void awaitAny(List<CompletableFuture<Answer>> futures, Duration timeout) {
    CompletableFuture<Answer> any = futures.get(0);
    for (CompletableFuture<Answer> other : futures.subList(1, futures.size())) {
      any = any.applyToEither(other, answer -> answer);
    }
    Answer first = any.isDone() ? any.join() : await(any, timeout);
    if (!any.isDone()) {
      if (first instanceof Answer.Ended ended) {
        throw new UnavailableException("the wait was cut short", null, "by", ended.detail());
      }
      futures.forEach(future -> future.complete(first));
    }
  }

  /** Sends a request and waits for the answer. */
  public Answer ask(String address, ClientRequest request, Deadline deadline) {
    Duration timeout = timeout(deadline);
    return await(start(address, request, timeout), timeout);
  }

  /** Tells a node that a snapshot is over. */
  public void send(String address, ClientRequest.EndSnapshot request) {
    Counted known = closed.get() ? null : connections.get(address);
    if (known != null) {
      known.connection().send(request);
    }
  }

  /** The heaviest transaction that a node takes, as far as it has said; else 0. */
  public long transactionMax(String address) {
    try {
      return closed.get() ? 0 : connection(address).transactionMax();
    } catch (RuntimeException e) {
      // What is sent there will not leave.
      return 0;
    }
  }

  /**
   * A number that is another one as soon as a connection to the node broke, which ended what the
   * node kept for it: leases. Also where that connection was given up since, or another was made.
   */
  public long losses(String address) {
    Counted known = connections.get(address);
    return known == null ? lossesOfClosed.get() : known.losses();
  }

  /**
   * As {@link #losses}, before a request to the node: of the connection by which that goes. While
   * one is made others may be given up, which changes the number of a node that has none.
   */
  public long lossesConnected(String address) {
    try {
      if (!closed.get()) {
        var unused = connection(address);
      }
    } catch (RuntimeException e) {
      // What is sent there will not leave.
    }
    return losses(address);
  }

  /** How well the engine of a node reads, as far as it has said; else 0. */
  private int readRank(String address) {
    Counted known = connections.get(address);
    return known == null ? 0 : known.connection().readRank();
  }

  private NodeConnection connection(String address) {
    Counted known = connections.get(address);
    return known != null ? known.connection() : connect(address);
  }

  private NodeConnection connect(String address) {
    if (connections.size() >= CONNECTIONS_MANY) {
      // Of nodes that are gone for good, as far as can be seen.
      connections.forEach(this::closeIfBroken);
    }
    return connections
        .computeIfAbsent(address, to -> new Counted(connector.connect(to), lossesOfClosed.get()))
        .connection();
  }

  private void closeIfBroken(String address, Counted counted) {
    if (!counted.connection().isBroken()) {
      return;
    }
    // First, so that another one to the address begins behind all that this one has counted.
    lossesOfClosed.accumulateAndGet(counted.losses() + 1, Math::max);
    if (connections.remove(address, counted)) {
      counted.connection().close();
      copies.forget(address);
    }
  }

  /**
   * The route of the range that holds a key: from the cache, otherwise from any node.
   *
   * @throws UnavailableException if no node knows before the deadline
   */
  public Route route(Bytes key, Deadline deadline) {
    return route(key, false, deadline);
  }

  /** As {@link #route(Bytes, Deadline)}; the primary may be away if any copy will do. */
  public Route route(Bytes key, boolean anyCopy, Deadline deadline) {
    Route known = knownRoute(key, anyCopy).orElse(null);
    return known != null ? known : locate(key, anyCopy, deadline);
  }

  /** The route of the range that holds a key, if it is known. */
  public Optional<Route> knownRoute(Bytes key, boolean anyCopy) {
    return routes.find(key).filter(route -> isReached(route, anyCopy));
  }

  /** The route of the range that holds the greatest keys below an end, if it is known. */
  public Optional<Route> knownRouteBelow(Optional<Bytes> end, boolean anyCopy) {
    return routes.findBelow(end).filter(route -> isReached(route, anyCopy));
  }

  /** Asks a node who holds a key, without waiting; what it says is learnt. Never fails. */
  public CompletableFuture<Answer> locateAhead(Bytes key) {
    String address = addresses(List.of()).get(0);
    return start(address, new ClientRequest.Locate(key), requestTimeout)
        .thenApply(
            answer -> {
              if (answer instanceof Answer.Replied replied
                  && replied.reply() instanceof ClientReply.Located located) {
                learn(located.route());
              } else {
                passOver(address);
              }
              return answer;
            });
  }

  private static boolean isReached(Route route, boolean anyCopy) {
    return !route.address().isEmpty()
        || (anyCopy && route.secondaries().stream().anyMatch(copy -> !copy.address().isEmpty()));
  }

  /**
   * The route of the range that holds the greatest keys below an end, absent meaning the end of all
   * keys.
   */
  public Route routeBelow(Optional<Bytes> end, boolean anyCopy, Deadline deadline) {
    Route known = knownRouteBelow(end, anyCopy).orElse(null);
    return known != null ? known : locate(Limits.greatestKeyBelow(end), anyCopy, deadline);
  }

  /** A node did not answer for a range: perhaps it is gone, so ask another who serves it now. */
  public void routeFailed(Route route, Answer answer) {
    if (!(answer instanceof Answer.Replied)) {
      routes.forget(route);
    }
  }

  /** Asks node after node who holds a key, until one knows. */
  private Route locate(Bytes key, boolean anyCopy, Deadline deadline) {
    Attempts attempts =
        new Attempts(this, deadline, "say which node has the key", Optional.of(key));
    while (true) {
      for (String address : addresses(List.of())) {
        Answer answer = ask(address, new ClientRequest.Locate(key), deadline);
        if (answer instanceof Answer.Replied replied
            && replied.reply() instanceof ClientReply.Located located) {
          Route route = located.route();
          if (!route.keys().contains(key)) {
            throw protocol(
                "a node located a key outside of its range",
                address,
                KeyText.brief(key) + " in " + KeyText.interval(route.keys()));
          }
          learn(route);
          if (isReached(route, anyCopy)) {
            return route;
          }
          attempts.note(address, "the node that has the key has no address");
        } else {
          attempts.noteAnswer(address, answer);
        }
        attempts.checkTime();
      }
      moveOn();
      attempts.backOff();
    }
  }

  /**
   * Asks node after node for the home of the least key, until one answers, if only who it is.
   *
   * @param ifSilent what the exception ends with if no node says anything; empty for nothing
   */
  public void reach(Deadline deadline, String ifSilent) {
    Attempts attempts = new Attempts(this, deadline, "be reached");
    attempts.ifSilent(ifSilent);
    while (true) {
      for (String address : addresses(List.of())) {
        Answer answer = ask(address, new ClientRequest.Locate(Bytes.EMPTY), deadline);
        if (answer instanceof Answer.Replied replied
            && replied.reply() instanceof ClientReply.Located located) {
          learn(located.route());
          return;
        }
        attempts.noteAnswer(address, answer);
        attempts.checkTime();
      }
      moveOn();
      attempts.backOff();
    }
  }

  /**
   * Asks node after node for its status, until one answers; another goes on behind the parts that
   * there are.
   */
  public ClientReply.StatusReport status(Optional<KeyRange> keys, Deadline deadline) {
    Attempts attempts = new Attempts(this, deadline, "tell its status");
    StatusParts parts = new StatusParts(keys);
    while (true) {
      for (String address : addresses(List.of())) {
        Answer answer = ask(address, parts.next(), deadline);
        while (answer instanceof Answer.Replied replied
            && replied.reply() instanceof ClientReply.StatusReport part) {
          Optional<ClientReply.StatusReport> whole = parts.take(part);
          if (whole.isPresent()) {
            return whole.get();
          }
          attempts.progressed();
          attempts.checkTime();
          answer = ask(address, parts.next(), deadline);
        }
        attempts.noteAnswer(address, answer);
        attempts.checkTime();
      }
      moveOn();
      attempts.backOff();
    }
  }

  /** A route that does not say where any copy is is no help: another node is asked then. */
  private void learn(Route route) {
    if (isReached(route, true)) {
      routes.learn(route);
      addHome(route.address());
      route.secondaries().forEach(copy -> addHome(copy.address()));
    }
  }

  private void addHome(String address) {
    if (!address.isEmpty()) {
      homes.told(address);
    }
  }

  /** Takes in what a node knows instead. Returns whether the route for a key is another now. */
  public boolean learn(ClientReply.WrongRange wrong, Route used) {
    wrong.routes().forEach(this::learn);
    boolean changed = !routes.find(used.keys().start()).equals(Optional.of(used));
    if (!changed) {
      routes.forget(used);
    }
    return changed;
  }

  /** A node broke the protocol. */
  public static EcStoreException protocol(String text, String address, Object detail) {
    return new EcStoreException(ErrorCode.PROTOCOL, text, null, "node", address, "answer", detail);
  }

  /** Throws if the store is closed. */
  public void checkOpen() {
    if (closed.get()) {
      throw new ClosedException("the store is closed", null);
    }
  }

  @Override
  public void close() {
    closed.set(true);
    connector.close();
  }
}
