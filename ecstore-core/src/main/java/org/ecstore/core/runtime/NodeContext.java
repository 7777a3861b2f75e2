package org.ecstore.core.runtime;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.message.Reply;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.EngineLostException;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.Ports;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.jspecify.annotations.Nullable;

/**
 * The ground under the components of one node: who it is, its ports with continuations instead of
 * tokens, timers, and messages. A message to the node itself never meets the network: it is handled
 * in the same step, after the handler that sent it.
 */
public final class NodeContext {
  private final NodeId self;
  private final Ports ports;
  private final Calls<EngineResult> engineCalls = new Calls<>();
  private final Calls<LedgerResult> ledgerCalls = new Calls<>();
  private final Calls<CoordinationResult> coordinationCalls = new Calls<>();
  private final Calls<Boolean> timerCalls = new Calls<>();
  private final Map<Long, Asked> asked = new HashMap<>();
  private final Deque<Envelope> local = new ArrayDeque<>();
  private final List<Runnable> atFlush = new ArrayList<>();
  private final Map<NodeId, ReadPoint> told = new HashMap<>();
  private Supplier<ReadPoint> point = () -> ReadPoint.ZERO;
  private long incarnation;
  private long lastCall;

  private record Asked(NodeId to, Consumer<Optional<NodeMessage>> then, Timer timeout) {}

  /** A timer that can be called off. */
  public final class Timer {
    private final long token;

    private Timer(long token) {
      this.token = token;
    }

    /** The action will not run. */
    public void cancel() {
      timerCalls.forget(token);
      ports.timers().cancel(token);
    }
  }

  public NodeContext(NodeId self, Ports ports) {
    this.self = self;
    this.ports = ports;
  }

  /** What every message carries: the sender's (D, M). */
  public void pointFrom(Supplier<ReadPoint> source) {
    point = source;
  }

  /**
   * Set once, when coordination has answered. Call numbers begin anew with each incarnation and are
   * never used twice: a late reply to a call of an earlier incarnation answers nothing.
   */
  public void incarnation(long value) {
    incarnation = value;
    lastCall = value << 32;
  }

  public long incarnation() {
    return incarnation;
  }

  public NodeId self() {
    return self;
  }

  public Ports ports() {
    return ports;
  }

  /** Where the numbers of this node go. Components ask for their instruments as they are made. */
  public Metrics metrics() {
    return ports.metrics();
  }

  public long nanos() {
    return ports.clock().nanos();
  }

  /** What the calendar says, for people; 0 if there is none. */
  public long epochMillis() {
    return ports.clock().epochMillis();
  }

  public void engine(LongConsumer submit, Consumer<EngineResult> then) {
    engineCalls.start(submit, then);
  }

  public void ledger(LongConsumer submit, Consumer<LedgerResult> then) {
    ledgerCalls.start(submit, then);
  }

  public void coordination(LongConsumer submit, Consumer<CoordinationResult> then) {
    coordinationCalls.start(submit, then);
  }

  /** Runs an action once after a delay. */
  public Timer after(long delayNanos, Runnable action) {
    return new Timer(
        timerCalls.start(
            token -> ports.timers().schedule(token, delayNanos), fired -> action.run()));
  }

  /** Runs an action again and again; the first time after one period, give or take a tenth. */
  public void every(long periodNanos, Runnable action) {
    long jitter = Math.max(1, periodNanos / 10);
    after(
        periodNanos + ports.random().nextLong(jitter),
        () -> {
          action.run();
          every(periodNanos, action);
        });
  }

  /** Sends a message; to the node itself, it is handled in this step. */
  public void send(NodeId to, NodeMessage message) {
    if (to.equals(self)) {
      local.add(new Envelope(self, incarnation, self, point.get(), message));
    } else {
      ReadPoint known = point.get();
      told.put(to, known);
      ports.network().send(to, known, message);
    }
  }

  /**
   * The pair (D, M) of the last message to a node, which may have been lost; of this node, its own.
   */
  public ReadPoint told(NodeId node) {
    return node.equals(self) ? point.get() : told.getOrDefault(node, ReadPoint.ZERO);
  }

  /**
   * Asks a node and waits for its reply; absent after the timeout, which says nothing about what
   * the node did.
   */
  public void ask(
      NodeId to,
      LongFunction<NodeMessage> request,
      long timeoutNanos,
      Consumer<Optional<NodeMessage>> then) {
    long call = ++lastCall;
    Timer timeout = after(timeoutNanos, () -> finish(call, Optional.empty()));
    asked.put(call, new Asked(to, then, timeout));
    send(to, request.apply(call));
  }

  private void finish(long call, Optional<NodeMessage> answer) {
    @Nullable Asked waiting = asked.remove(call);
    if (waiting != null) {
      waiting.timeout().cancel();
      waiting.then().accept(answer);
    }
  }

  /**
   * Hands a reply to the code that asked; replies from another node than the one asked are dropped.
   */
  public void replied(NodeId from, Reply reply) {
    Asked waiting = asked.get(reply.call());
    if (waiting != null && waiting.to().equals(from)) {
      finish(reply.call(), Optional.of(reply));
    }
  }

  /** The next message from this node to itself. */
  public @Nullable Envelope nextLocal() {
    return local.poll();
  }

  /** Runs an action at the end of this batch of events. */
  public void atFlush(Runnable action) {
    atFlush.add(action);
  }

  /** Runs what was asked for the end of the batch, what that asks for included. */
  public void flush() {
    while (!atFlush.isEmpty()) {
      List<Runnable> actions = List.copyOf(atFlush);
      atFlush.clear();
      actions.forEach(Runnable::run);
    }
  }

  /**
   * Hands a completion to its continuation; false if the event is no completion.
   *
   * @throws EngineLostException if it says that the engine has lost what it had
   */
  public boolean complete(Event event) {
    switch (event) {
      case Event.EngineDone(_, EngineResult.Lost(var detail)) ->
          throw new EngineLostException(self, detail);
      case Event.EngineDone done -> engineCalls.complete(done.token(), done.result());
      case Event.LedgerDone done -> ledgerCalls.complete(done.token(), done.result());
      case Event.CoordinationDone done -> coordinationCalls.complete(done.token(), done.result());
      case Event.TimerFired fired -> timerCalls.complete(fired.token(), Boolean.TRUE);
      case Event.Delivered delivered -> {
        return false;
      }
      case Event.Called called -> {
        return false;
      }
      case Event.Greeted greeted -> {
        return false;
      }
      case Event.Reported reported -> {
        return false;
      }
      case Event.ClientGone gone -> {
        return false;
      }
      case Event.MembersChanged changed -> {
        return false;
      }
      case Event.LeaderHinted hinted -> {
        return false;
      }
      case Event.KeyChanged changed -> {
        return false;
      }
      case Event.Displaced displaced -> {
        return false;
      }
      case Event.PartFailed failed -> {
        return false;
      }
    }
    return true;
  }
}
