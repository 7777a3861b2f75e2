package org.ecstore.cluster.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.runtime.EachInTurn;
import org.ecstore.id.NodeId;
import org.ecstore.server.coordination.CoordinationService;

/**
 * Coordination for the nodes of one process over sessions of ZooKeeper, which its caller keeps. One
 * worker owns everything and tells the nodes, in order. Safe for use by several threads.
 *
 * <p>Without a connection nothing waits: calls are answered Unknown, members hear nothing. With the
 * next connection they are told again who is there and who leads, their watches fire, and those
 * whose session has ended are announced again under the same incarnation.
 */
final class ProcessCoordination implements CoordinationService {
  /** Calls that wait; further ones are answered Unknown. */
  private static final int CALLS_MAX = 1 << 14;

  private final String hosts;
  private final ZooKeeperSettings settings;
  private final OperatorLog log;

  /** The session that is connected at the moment; absent if none is. */
  private final Supplier<Optional<ZooKeeperSession>> connection;

  private final Worker worker;
  private final Values values;
  private final Membership membership;
  private final AtomicInteger calls = new AtomicInteger();

  /** Those of nodes that have not ended; any thread. */
  private final Queue<Handle> handles = new ConcurrentLinkedQueue<>();

  /** What a bug has ended it with. */
  private volatile Optional<Event.PartFailed> broken = Optional.empty();

  /** Calls without an answer; the worker's. */
  private final Set<Call> open = new LinkedHashSet<>();

  /** Present while there is a connection; the worker's. */
  private Optional<ZooKeeperSession> session = Optional.empty();

  /** Of the last connection; the worker's. */
  private long lastSession;

  /** The worker's. */
  private boolean started;

  /** The worker's. */
  private boolean closed;

  /** Makes what it is made of; a test may plant a fault here. */
  static class Parts {
    Values values(
        Layout layout,
        Worker worker,
        Supplier<Optional<ZooKeeperSession>> session,
        ZooKeeperSettings settings,
        OperatorLog log) {
      return new Values(layout, worker, session, settings.valueBytesMax(), log);
    }

    Membership membership(
        Layout layout,
        Worker worker,
        Supplier<Optional<ZooKeeperSession>> session,
        ZooKeeperSettings settings,
        OperatorLog log) {
      return new Membership(layout, worker, session, settings, log);
    }
  }

  /**
   * Makes one that does nothing yet.
   *
   * @param hosts the servers, as operators are told of them
   */
  ProcessCoordination(
      String hosts,
      Layout layout,
      Worker worker,
      Supplier<Optional<ZooKeeperSession>> connection,
      ZooKeeperSettings settings,
      OperatorLog log,
      Parts parts) {
    EachInTurn.prepare();
    this.hosts = hosts;
    this.worker = worker;
    this.connection = connection;
    this.settings = settings;
    this.log = log;
    this.values = parts.values(layout, worker, () -> session, settings, log);
    this.membership = parts.membership(layout, worker, () -> session, settings, log);
  }

  /** From now on sessions are used. */
  void start() {
    worker.execute(
        () -> {
          started = true;
          lookAgain();
        });
  }

  /** Finds what a lost notification would have told. */
  private void lookAgain() {
    look(false);
    membership.read();
    worker.after(settings.session(), this::lookAgain);
  }

  /**
   * There is news of the connection. It may be old, so what counts is how things are now.
   *
   * @param interrupted there has been an interruption, even if it is the same session
   */
  void connectionChanged(boolean interrupted) {
    worker.execute(() -> look(interrupted));
  }

  /** Finds out whether there is a connection, and whether it is another one. */
  private void look(boolean interrupted) {
    if (closed || !started) {
      return;
    }
    Optional<ZooKeeperSession> found = connection.get();
    if (found.isEmpty()) {
      disconnected();
    } else if (interrupted || !found.equals(session)) {
      connected(found.get());
    }
  }

  private void connected(ZooKeeperSession found) {
    if (lastSession != 0) {
      boolean same = lastSession == found.id();
      log.info(
          "coordination: connected to ZooKeeper again"
              + (same ? "" : "; the session had ended, a new one has begun"));
    }
    lastSession = found.id();
    session = Optional.of(found);
    values.connected();
    membership.connected();
  }

  private void disconnected() {
    if (session.isPresent()) {
      session = Optional.empty();
      log.warn(
          "coordination: no connection to ZooKeeper at "
              + hosts
              + "; who is a member and who leads stays as it was told last. It is tried again and"
              + " again: if none comes back, see whether most of these servers run, and whether"
              + " this process reaches them");
    }
  }

  Values values() {
    return values;
  }

  Membership membership() {
    return membership;
  }

  boolean execute(Runnable task) {
    return worker.execute(task);
  }

  /** Begins a call of a node, which is answered in time. */
  void begin(long token, Consumer<Event> sink, Consumer<Call> work) {
    boolean taken =
        calls.incrementAndGet() <= CALLS_MAX && worker.execute(() -> begun(token, sink, work));
    if (!taken) {
      calls.decrementAndGet();
      CoordinationResult refused =
          new CoordinationResult.Unknown("closed, or too many calls at once");
      sink.accept(new Event.CoordinationDone(token, refused));
    }
  }

  private void begun(long token, Consumer<Event> sink, Consumer<Call> work) {
    Call call = new Call(token, sink);
    call.afterwards(calls::decrementAndGet);
    if (closed) {
      call.unknown("closed");
      return;
    }
    open.add(call);
    call.afterwards(() -> open.remove(call));
    Duration within = settings.callWithin();
    call.afterwards(
        worker.after(within, () -> call.unknown("no answer within " + within.toMillis() + " ms")));
    work.accept(call);
  }

  @Override
  public Coordination handle(NodeId node, Consumer<Event> sink) {
    Handle handle = new Handle(this, node, sink);
    handles.add(handle);
    // One that is added after the others were told is told here.
    broken.ifPresent(handle::tell);
    return handle;
  }

  @Override
  public void end(NodeId node) {
    handles.removeIf(handle -> handle.self().equals(node));
    worker.execute(
        () -> {
          values.end(node);
          membership.end(node);
        });
  }

  @Override
  public void suspect(NodeId node, long incarnation) {
    worker.execute(() -> membership.suspect(node, incarnation));
  }

  /**
   * A bug was found: the nodes of this process are members no more, and each is told to end, first
   * of all (decision 0115). The last word that one of them has may be that it leads: it would shut
   * out its successor, as often as a client commits there.
   */
  void failed(Throwable bug) {
    closed = true;
    Event.PartFailed failed = new Event.PartFailed("the coordination client", bug.toString());
    broken = Optional.of(failed);
    List<Runnable> steps = new ArrayList<>();
    handles.forEach(handle -> steps.add(() -> handle.tell(failed)));
    open.forEach(call -> steps.add(() -> call.unknown("coordination has failed")));
    EachInTurn.run(steps)
        .ifPresent(further -> log.warn("coordination: another bug as it is closed: " + further));
  }

  @Override
  public void close() {
    worker.execute(
        () -> {
          closed = true;
          List.copyOf(open).forEach(call -> call.unknown("closed"));
        });
    worker.close();
  }
}
