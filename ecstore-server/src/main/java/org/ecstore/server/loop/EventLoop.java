package org.ecstore.server.loop;

import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ecstore.check.Check;
import org.ecstore.core.metrics.LoopWork;
import org.ecstore.core.port.Clock;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.NodeEndsException;
import org.ecstore.core.port.StateMachine;
import org.ecstore.core.port.Timers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One platform thread that owns a state machine: it takes events in batches, hands them over one at
 * a time and flushes after each batch. Nothing else ever calls the state machine.
 *
 * <p>Two queues lead in. The inbox is bounded, and what is refused there was never admitted; what
 * is in it is handled by {@link Turns}, and a part of it is kept for what other nodes say. The
 * completions of engine, ledger and coordination take a queue of their own, which is never refused
 * and always emptied first: each answers a call that the node itself made, so there are never more
 * of them than calls, and a full inbox cannot keep the node from finishing what it began.
 *
 * <p>A {@link RequestGate} may hold back requests of clients, and these only: they wait in the
 * inbox, which is bounded all the same. While it does, the event loop rests for a few milliseconds
 * at a time and then handles what has come meanwhile together: who is out of processor time would
 * else spend what it gets on waking up for each request that has to wait.
 *
 * <p>Whatever the state machine throws is a bug, but for a {@link NodeEndsException}. The event
 * loop then stops for good: it does not go on with a state that it does not understand (fail-stop),
 * and the other nodes treat it as crashed.
 */
public final class EventLoop implements Inbox, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
  private static final long PARK_NANOS_MAX = Duration.ofSeconds(1).toNanos();

  /** From how many eighths of the inbox on clients are not read from, and other nodes. */
  private static final int CLIENTS_EIGHTHS = 4;

  private static final int NODES_EIGHTHS = 7;

  /** For so long, and by one more, requests are handled before what else has come. */
  private static final long REQUESTS_NANOS = Duration.ofMillis(5).toNanos();

  /** For so long nothing is looked at while requests wait for the gate: as long as for these. */
  private static final long REST_NANOS_MAX = REQUESTS_NANOS;

  /** That of the machine. */
  private static final class MachineTime implements Clock {
    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public long epochMillis() {
      return System.currentTimeMillis();
    }
  }

  private final String name;
  private final LoopLimits limits;
  private final Thread thread;
  private final SideWork sideWork;
  private final LoopTimers timers;
  private final Clock clock = new MachineTime();

  private final Queue<Event> completions = new ConcurrentLinkedQueue<>();
  private final Queue<Turns.Offered> inbox = new ConcurrentLinkedQueue<>();

  /** What the event loop has taken out of the inbox and not handled yet; it counts as there. */
  private final Turns turns = new Turns();

  private final Queue<Runnable> questions = new ConcurrentLinkedQueue<>();
  private final AtomicInteger inboxEvents = new AtomicInteger();
  private final AtomicLong inboxBytes = new AtomicLong();

  /** Of rows in completions that wait. */
  private final AtomicLong rowBytes = new AtomicLong();

  /**
   * Set before the queues are looked at for the last time, read after something was added to one;
   * the thread that takes it back wakes the event loop.
   */
  private volatile boolean parked;

  private final AtomicBoolean began = new AtomicBoolean();
  private final AtomicBoolean started = new AtomicBoolean();

  /** The batch at hand is the last. */
  private volatile boolean stopWanted;

  /** The state machine will not be called any more. */
  private volatile boolean stopped;

  private volatile @Nullable Throwable failure;
  private volatile @Nullable StateMachine machine;
  private Runnable afterBatch = () -> {};
  private Runnable onRelief = () -> {};
  private Consumer<LoopWork> onLong = work -> {};
  private Runnable onStopped = () -> {};
  private volatile boolean reliefWanted;
  private volatile boolean reliefOfNodesWanted;

  private final RequestWaits waits = new RequestWaits();
  private final HandlerTimes times = new HandlerTimes(work -> onLong.accept(work));
  private LateEvents late = LateEvents.HANDLED;
  private RequestGate gate = RequestGate.OPEN;

  /** A event loop whose thread does nothing else. */
  public EventLoop(String name, LoopLimits limits) {
    this(name, limits, new Parking());
  }

  /** A event loop whose thread has other work too, which belongs to the event loop from now on. */
  public EventLoop(String name, LoopLimits limits, SideWork sideWork) {
    this.name = name;
    this.limits = limits;
    this.sideWork = sideWork;
    this.timers = new LoopTimers(clock);
    this.thread = Thread.ofPlatform().name("loop-" + name).daemon().unstarted(this::run);
  }

  /** The clock of this event loop; any thread may read it. */
  public Clock clock() {
    return clock;
  }

  /** The timers of this event loop, to be used by its state machine only. */
  public Timers timers() {
    return timers;
  }

  /** Where the adapters deliver the results of calls; any thread may call, and never waits. */
  public Consumer<Event> completions() {
    return this::complete;
  }

  /**
   * What to call on the event loop after each batch: send what was gathered. Before {@link #start}
   * only.
   */
  public void afterBatch(Runnable action) {
    afterBatch = action;
  }

  /** Who refuses what waited too long in the inbox. Before {@link #start} only. */
  public void onLate(LateEvents refuses) {
    late = refuses;
  }

  /** When clients' requests may be taken. Before {@link #start} only. */
  public void admitBy(RequestGate says) {
    gate = says;
  }

  /** What kept this event loop busy for too long; any thread may call. */
  public LongHandlers longHandlers() {
    return times.seen();
  }

  /** How long clients' requests wait for their turn; any thread may look. */
  public RequestWaits requestWaits() {
    return waits;
  }

  /**
   * What to tell each time that it was busy with one thing too long. Before {@link #start} only.
   */
  public void onLong(Consumer<LoopWork> told) {
    onLong = told;
  }

  /**
   * What to call on the event loop when a congested inbox has room again. Before {@link #start}
   * only.
   */
  public void onRelief(Runnable action) {
    onRelief = action;
  }

  /**
   * What to call on the event loop's thread, last, when it stops for whatever cause. Before {@link
   * #start} only.
   */
  public void onStopped(Runnable action) {
    onStopped = action;
  }

  /** Starts the thread, for the work beside the state machine that is needed to make one. */
  public void begin() {
    Check.that(began.compareAndSet(false, true), "an event loop begins once");
    thread.start();
  }

  /** Starts the state machine, whose first call is {@link StateMachine#start}. */
  public void start(StateMachine stateMachine) {
    Check.that(started.compareAndSet(false, true), "an event loop starts once");
    machine = stateMachine;
    if (began.compareAndSet(false, true)) {
      thread.start();
    } else {
      sideWork.wake();
    }
  }

  @Override
  public boolean offer(Event event, int bytes) {
    boolean isRequest = event instanceof Event.Called;
    if (isStopped() || inboxBytes.get() >= limits.inboxBytesMax(isRequest)) {
      return false;
    }
    if (inboxEvents.incrementAndGet() > limits.inboxEventsMax(isRequest)) {
      inboxEvents.decrementAndGet();
      return false;
    }
    inboxBytes.addAndGet(bytes);
    inbox.add(new Turns.Offered(event, bytes, clock.nanos()));
    wake();
    return true;
  }

  @Override
  public void offerLast(Event event) {
    if (!isStopped()) {
      inboxEvents.incrementAndGet();
      inbox.add(new Turns.Offered(event, 0, clock.nanos()));
      wake();
    }
  }

  @Override
  public boolean congested() {
    boolean congested = isFull(CLIENTS_EIGHTHS);
    if (congested) {
      reliefWanted = true;
      // The event loop may have emptied the inbox between the two lines above and seen no request
      // for
      // relief.
      congested = isFull(CLIENTS_EIGHTHS);
    }
    return congested;
  }

  @Override
  public boolean congestedForNodes() {
    boolean congested = isFull(NODES_EIGHTHS);
    if (congested) {
      reliefOfNodesWanted = true;
      congested = isFull(NODES_EIGHTHS);
    }
    return congested;
  }

  private boolean isFull(int eighths) {
    return inboxEvents.get() >= limits.inboxEventsMax() * (long) eighths / 8
        || inboxBytes.get() >= limits.inboxBytesMax() / 8 * eighths;
  }

  private void complete(Event event) {
    if (!isStopped()) {
      rowBytes.addAndGet(AnswerBytes.of(event));
      completions.add(event);
      wake();
    }
  }

  /**
   * Bytes of the rows that an engine has read and the event loop has not looked at yet. Any thread.
   */
  public long rowBytes() {
    return rowBytes.get();
  }

  /**
   * Asks something of the state machine on its own thread, between two batches: for operators and
   * tests. Fails if the event loop has stopped.
   */
  public <T> CompletableFuture<T> ask(Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    questions.add(() -> answer(question, answer));
    wake();
    if (stopped) {
      runQuestions();
    }
    return answer;
  }

  private <T> void answer(Supplier<T> question, CompletableFuture<T> answer) {
    if (stopped) {
      answer.completeExceptionally(new IllegalStateException(name + " has stopped"));
      return;
    }
    try {
      answer.complete(question.get());
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }

  private void runQuestions() {
    for (Runnable next = questions.poll(); next != null; next = questions.poll()) {
      next.run();
    }
  }

  private void wake() {
    if (parked && !Thread.currentThread().equals(thread)) {
      parked = false;
      sideWork.wake();
    }
  }

  /** Whether the state machine will not be called any more, or was told to stop. */
  public boolean isStopped() {
    return stopWanted || stopped;
  }

  /** What the state machine threw, if that is why the event loop stopped. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Stops after the batch at hand, without telling the state machine, and waits for the thread's
   * end.
   */
  @Override
  public void close() {
    stopWanted = true;
    started.set(true);
    if (began.compareAndSet(false, true)) {
      stopped = true;
      // There will be no thread of its own to let go of it.
      sideWork.begin();
      sideWork.end();
      return;
    }
    sideWork.wake();
    if (!Thread.currentThread().equals(thread)) {
      join();
    }
  }

  private void join() {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    sideWork.begin();
    try {
      StateMachine owned = awaitMachine();
      if (owned != null) {
        owned.start();
        send();
        while (!stopWanted) {
          runBatch(owned);
          if (!park()) {
            timed(LoopWork.NETWORK, "connections", sideWork::runReady);
          }
        }
      }
    } catch (NodeEndsException end) {
      failure = end;
      LOG.error(end.getMessage());
    } catch (Throwable thrown) {
      failure = thrown;
      LOG.error("{}: stopped by a bug; its state is not trusted any more", name, thrown);
    } finally {
      stopped = true;
      completions.clear();
      inbox.clear();
      turns.clear();
      runQuestions();
      try {
        onStopped.run();
      } finally {
        // Whatever happens to those who are told: no other thread drives it or ends its links.
        sideWork.end();
      }
    }
  }

  /** Null if the event loop is to stop before there is one. */
  private @Nullable StateMachine awaitMachine() {
    while (machine == null && !stopWanted) {
      sideWork.await(PARK_NANOS_MAX);
    }
    return machine;
  }

  private void runBatch(StateMachine owned) {
    int handled = runCompletions(owned);
    handled += runTimers(owned);
    handled += runInbox(owned);
    if (handled > 0) {
      timed(LoopWork.BATCH, "what a batch leaves to do", owned::flush);
      timed(LoopWork.NETWORK, "what a batch leaves to send", this::send);
    }
    relieve();
    runQuestions();
  }

  private void send() {
    afterBatch.run();
    sideWork.runHanded();
  }

  /** Clients may fill the inbox to more than half for long: nodes do not wait for less. */
  private void relieve() {
    boolean clients = reliefWanted && !isFull(CLIENTS_EIGHTHS);
    boolean nodes = reliefOfNodesWanted && !isFull(NODES_EIGHTHS);
    if (clients) {
      reliefWanted = false;
    }
    if (nodes) {
      reliefOfNodesWanted = false;
    }
    if (clients || nodes) {
      onRelief.run();
    }
  }

  private int runCompletions(StateMachine owned) {
    int handled = 0;
    while (handled < limits.batchEventsMax()) {
      Event event = completions.poll();
      if (event == null) {
        break;
      }
      handle(owned, event);
      rowBytes.addAndGet(-AnswerBytes.of(event));
      handled++;
    }
    return handled;
  }

  private void handle(StateMachine owned, Event event) {
    long before = clock.nanos();
    owned.on(event);
    long after = clock.nanos();
    times.took(event, after - before, after).ifPresent(this::say);
  }

  private void timed(LoopWork work, String kind, Runnable action) {
    long before = clock.nanos();
    action.run();
    long after = clock.nanos();
    times.took(work, kind, after - before, after).ifPresent(this::say);
  }

  private void say(String line) {
    LOG.warn("{}: {}", name, line);
  }

  private int runTimers(StateMachine owned) {
    long now = clock.nanos();
    int handled = 0;
    while (handled < limits.batchEventsMax()) {
      Long token = timers.pollDue(now);
      if (token == null) {
        break;
      }
      handle(owned, new Event.TimerFired(token));
      handled++;
    }
    return handled;
  }

  /**
   * What nodes say goes first: it is about work that the cluster has begun. Requests have a part of
   * each batch, and only a part: otherwise other nodes would take this one for gone.
   */
  private int runInbox(StateMachine owned) {
    for (Turns.Offered next = inbox.poll(); next != null; next = inbox.poll()) {
      turns.add(next);
    }
    int handled = 0;
    while (handled < limits.batchEventsMax()) {
      Turns.Offered next = turns.pollOther();
      if (next == null) {
        break;
      }
      take(owned, next);
      handled++;
    }
    return handled + runRequests(owned);
  }

  private int runRequests(StateMachine owned) {
    long until = clock.nanos() + REQUESTS_NANOS;
    int handled = 0;
    while (handled < limits.batchEventsMax() && !turns.hasNoClient()) {
      long now = clock.nanos();
      if ((handled > 0 && now - until >= 0) || gate.waitNanos(now) > 0) {
        break;
      }
      Turns.Offered next = turns.pollClient();
      if (next == null) {
        break;
      }
      gate.taken();
      take(owned, next);
      handled++;
    }
    return handled;
  }

  private void take(StateMachine owned, Turns.Offered next) {
    inboxEvents.decrementAndGet();
    inboxBytes.addAndGet(-next.bytes());
    long waited = clock.nanos() - next.sinceNanos();
    if (next.event() instanceof Event.Called) {
      waits.took(waited);
    }
    if (!late.refused(next.event(), waited)) {
      handle(owned, next.event());
    }
  }

  /**
   * Waits if nothing is there that can be done, which sees to connections too: a turn looks at them
   * once, here or after it has done a part.
   *
   * @return whether it has looked at connections
   */
  private boolean park() {
    boolean looked = false;
    parked = true;
    if (completions.isEmpty() && inbox.isEmpty() && questions.isEmpty() && !stopWanted) {
      long now = clock.nanos();
      long nanos = Math.min(timers.nanosToNext(now, PARK_NANOS_MAX), nanosToTurn(now));
      if (nanos > 0 && turns.isEmpty()) {
        looked = true;
        sideWork.await(Math.min(nanos, PARK_NANOS_MAX));
      } else if (nanos > 0) {
        parked = false;
        LockSupport.parkNanos(this, Math.min(nanos, REST_NANOS_MAX));
      }
    }
    parked = false;
    return looked;
  }

  /** When the next that waits may be taken: at once, or as the gate says of requests. */
  private long nanosToTurn(long now) {
    if (turns.isEmpty()) {
      return PARK_NANOS_MAX;
    }
    return turns.isOfClientsOnly() ? gate.waitNanos(now) : 0;
  }

  @Override
  public String toString() {
    return "event loop " + name + (stopped ? " (stopped)" : "");
  }
}
