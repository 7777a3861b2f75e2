package org.ecstore.server.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.StateMachine;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventLoopTest {
  private static final LoopLimits TIGHT = new LoopLimits(8, 1_000, 4);

  private final List<EventLoop> loops = new ArrayList<>();

  private EventLoop eventLoop(LoopLimits limits) {
    EventLoop eventLoop = new EventLoop("test", limits);
    loops.add(eventLoop);
    return eventLoop;
  }

  @AfterEach
  void stopLoops() {
    loops.forEach(EventLoop::close);
  }

  private static Event event(long token) {
    return new Event.KeyChanged(Long.toString(token));
  }

  /** Writes down what it is told; may hand each event to a test's own action first. */
  private static final class Recorder implements StateMachine {
    final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    final List<Thread> threads = new ArrayList<>();
    Consumer<Event> action = event -> {};
    Runnable onStart = () -> {};

    @Override
    public void start() {
      calls.add("start");
      onStart.run();
    }

    @Override
    public void on(Event event) {
      threads.add(Thread.currentThread());
      action.accept(event);
      calls.add(
          switch (event) {
            case Event.KeyChanged changed -> changed.key();
            case Event.TimerFired fired -> "timer " + fired.token();
            case Event.ClientGone gone -> "gone " + gone.connection();
            default -> event.toString();
          });
    }

    @Override
    public void flush() {
      calls.add("flush");
    }

    String next() throws InterruptedException {
      String call = calls.poll(30, TimeUnit.SECONDS);
      return call == null ? "nothing came" : call;
    }
  }

  @Test
  void aBatchIsFollowedByOneFlush() throws InterruptedException {
    EventLoop eventLoop = eventLoop(TIGHT);
    Recorder recorder = new Recorder();
    for (int i = 1; i <= 3; i++) {
      assertTrue(eventLoop.offer(event(i), 1));
    }
    eventLoop.start(recorder);
    for (String expected : List.of("start", "1", "2", "3", "flush")) {
      assertEquals(expected, recorder.next());
    }
  }

  @Test
  void theInboxRefusesBeyondItsNumberOfEvents() {
    EventLoop eventLoop = eventLoop(TIGHT);
    for (int i = 0; i < 8; i++) {
      assertTrue(eventLoop.offer(event(i), 1));
    }
    assertFalse(eventLoop.offer(event(9), 1));
  }

  @Test
  void theInboxRefusesBeyondItsBytesButTakesOneEventOfAnySize() {
    EventLoop eventLoop = eventLoop(TIGHT);
    assertTrue(eventLoop.offer(event(1), 5_000));
    assertFalse(eventLoop.offer(event(2), 1));
  }

  @Test
  void completionsComeFirstThoughTheInboxIsFull() throws InterruptedException {
    EventLoop eventLoop = eventLoop(TIGHT);
    Recorder recorder = new Recorder();
    while (eventLoop.offer(event(1), 1)) {
      assertTrue(true);
    }
    for (int i = 0; i < 3; i++) {
      eventLoop.completions().accept(event(100 + i));
    }
    eventLoop.start(recorder);
    for (String expected : List.of("start", "100", "101", "102", "1")) {
      assertEquals(expected, recorder.next());
    }
  }

  @Test
  void thatAConnectionIsGoneIsNeverRefusedAndComesAfterItsCalls() throws InterruptedException {
    EventLoop eventLoop = eventLoop(TIGHT);
    int offered = 0;
    while (eventLoop.offer(request(7, offered), 1)) {
      offered++;
    }
    while (eventLoop.offer(event(1), 1)) {
      offered++;
    }
    eventLoop.offerLast(new Event.ClientGone(7));
    assertEquals(offered, handled(eventLoop, offered + 1).indexOf("7 is gone"));
  }

  private static Event request(long connection, long correlation) {
    return new Event.Called(
        new ClientCall(connection, correlation),
        new ClientRequest.AskOutcome(new TxnId(connection, correlation), ReadPoint.ZERO));
  }

  /** What is handled, as connection and correlation; of others their own word. */
  private static List<String> handled(EventLoop eventLoop, int events) throws InterruptedException {
    Recorder recorder = new Recorder();
    List<String> order = new ArrayList<>();
    recorder.action =
        event ->
            order.add(
                event instanceof Event.Called(ClientCall call, ClientRequest _)
                    ? call.connection() + "." + call.correlation()
                    : event instanceof Event.ClientGone gone
                        ? gone.connection() + " is gone"
                        : ((Event.KeyChanged) event).key());
    eventLoop.start(recorder);
    for (int seen = 0; seen < events; ) {
      String call = recorder.next();
      seen += call.equals("start") || call.equals("flush") ? 0 : 1;
    }
    return List.copyOf(order);
  }

  @Test
  void connectionsTakeTurnsAndEachKeepsItsOrder() throws InterruptedException {
    EventLoop eventLoop = eventLoop(new LoopLimits(100, 1_000, 100));
    for (int i = 1; i <= 4; i++) {
      assertTrue(eventLoop.offer(request(1, i), 1));
    }
    eventLoop.offerLast(new Event.ClientGone(1));
    assertTrue(eventLoop.offer(request(2, 1), 1));
    assertTrue(eventLoop.offer(request(3, 1), 1));
    assertTrue(eventLoop.offer(request(2, 2), 1));
    assertEquals(
        List.of("1.1", "2.1", "3.1", "1.2", "2.2", "1.3", "1.4", "1 is gone"),
        handled(eventLoop, 8));
  }

  @Test
  void whatOtherNodesSayGoesBeforeRequests() throws InterruptedException {
    EventLoop eventLoop = eventLoop(new LoopLimits(100, 1_000, 100));
    assertTrue(eventLoop.offer(request(1, 1), 1));
    assertTrue(eventLoop.offer(request(1, 2), 1));
    assertTrue(eventLoop.offer(event(7), 1));
    assertEquals(List.of("7", "1.1", "1.2"), handled(eventLoop, 3));
  }

  @Test
  void requestsHaveAPartOfEachBatchHoweverMuchNodesSay() throws InterruptedException {
    EventLoop eventLoop = eventLoop(new LoopLimits(100, 1_000, 4));
    for (int i = 0; i < 20; i++) {
      assertTrue(eventLoop.offer(event(i), 1));
    }
    assertTrue(eventLoop.offer(request(1, 1), 1));
    assertEquals(4, handled(eventLoop, 21).indexOf("1.1"));
  }

  /** Closed until it is told; counts what is taken. */
  private static final class Gate implements RequestGate {
    volatile boolean open;
    final AtomicInteger asked = new AtomicInteger();
    final AtomicInteger taken = new AtomicInteger();

    @Override
    public long waitNanos(long now) {
      asked.incrementAndGet();
      return open ? 0 : Duration.ofMillis(1).toNanos();
    }

    @Override
    public void taken() {
      taken.incrementAndGet();
    }
  }

  @Test
  void onlyRequestsWaitForTheGate() throws Exception {
    EventLoop eventLoop = eventLoop(new LoopLimits(100, 1_000, 100));
    Gate gate = new Gate();
    eventLoop.admitBy(gate);
    Recorder recorder = new Recorder();
    recorder.onStart = () -> eventLoop.timers().schedule(5, 0);
    assertTrue(eventLoop.offer(request(1, 1), 1));
    assertTrue(eventLoop.offer(request(2, 1), 1));
    eventLoop.start(recorder);
    assertTrue(eventLoop.offer(event(7), 1));
    eventLoop.completions().accept(event(8));
    Set<String> went = new TreeSet<>();
    while (went.size() < 3) {
      String call = recorder.next();
      if (!call.equals("start") && !call.equals("flush")) {
        went.add(call);
      }
    }
    assertEquals(Set.of("7", "8", "timer 5"), went);
    assertEquals("asked", eventLoop.ask(() -> "asked").get(), "questions are answered");
    int before = gate.asked.get();
    while (gate.asked.get() < before + 3) {
      Thread.onSpinWait(); // It asks again when the time that was said is over.
    }
    assertEquals(0, gate.taken.get());
    gate.open = true;
    Set<String> taken = new TreeSet<>();
    while (taken.size() < 2) {
      String call = recorder.next();
      if (call.startsWith("Called")) {
        taken.add(call);
      }
    }
    assertEquals(2, gate.taken.get());
  }

  /**
   * It would wake up for each request that comes, only to have it wait: it sees to all of them
   * after a rest instead.
   */
  @Test
  void whileRequestsWaitForTheGateNoConnectionIsWaitedFor() throws Exception {
    AtomicInteger awaits = new AtomicInteger();
    Noted side = new Noted();
    side.onAwait = awaits::incrementAndGet;
    EventLoop eventLoop = new EventLoop("test", new LoopLimits(1_000, 100_000, 100), side);
    loops.add(eventLoop);
    Gate gate = new Gate();
    eventLoop.admitBy(gate);
    assertTrue(eventLoop.offer(request(1, 0), 1));
    Recorder recorder = new Recorder();
    eventLoop.start(recorder);
    int before = gate.asked.get();
    while (gate.asked.get() < before + 10) {
      Thread.onSpinWait();
    }
    assertEquals(0, awaits.get());
    assertTrue(side.looks.get() > 0, "it looks at connections after each rest");
    assertTrue(eventLoop.offer(event(7), 1));
    while (!recorder.next().equals("7")) {
      assertEquals(0, gate.taken.get());
    }
    gate.open = true;
    while (gate.taken.get() < 1) {
      Thread.onSpinWait();
    }
    while (awaits.get() == 0) {
      Thread.onSpinWait(); // It waits for connections again, with nothing to do.
    }
  }

  @Test
  void whatWaitsForTheGateIsBounded() {
    EventLoop eventLoop = eventLoop(new LoopLimits(16, 1_600, 4));
    eventLoop.admitBy(new Gate());
    eventLoop.start(new Recorder());
    int requests = 0;
    while (eventLoop.offer(request(1, requests), 1)) {
      requests++;
    }
    assertEquals(12, requests, "as many as may wait in any case");
    assertTrue(eventLoop.congested(), "and clients are not read from");
    assertTrue(eventLoop.offer(event(1), 1), "what other nodes say has room");
  }

  @Test
  void requestsLeaveRoomForWhatOtherNodesSay() {
    EventLoop eventLoop = eventLoop(new LoopLimits(16, 1_600, 4));
    int requests = 0;
    while (eventLoop.offer(request(1, requests), 1)) {
      requests++;
    }
    assertEquals(12, requests);
    assertTrue(eventLoop.congested());
    assertFalse(eventLoop.congestedForNodes());
    assertTrue(eventLoop.offer(event(1), 1_500));
    assertTrue(eventLoop.congestedForNodes());
    assertFalse(eventLoop.offer(request(2, 1), 1));
    assertTrue(eventLoop.offer(event(2), 1));
  }

  @Test
  void reliefIsToldWhenACongestedInboxHasRoomAgain() throws InterruptedException {
    EventLoop eventLoop = eventLoop(TIGHT);
    CountDownLatch relieved = new CountDownLatch(1);
    eventLoop.onRelief(relieved::countDown);
    assertFalse(eventLoop.congested());
    for (int i = 0; i < 4; i++) {
      assertTrue(eventLoop.offer(event(i), 1));
    }
    assertTrue(eventLoop.congested());
    eventLoop.start(new Recorder());
    assertTrue(relieved.await(30, TimeUnit.SECONDS));
    assertFalse(eventLoop.congested());
  }

  @Test
  void nodesAreReadFromAgainThoughClientsKeepHalfOfTheInbox() throws InterruptedException {
    EventLoop eventLoop = eventLoop(new LoopLimits(16, 1_600, 1));
    CountDownLatch relieved = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    eventLoop.onRelief(relieved::countDown);
    for (int i = 0; i < 12; i++) {
      assertTrue(eventLoop.offer(request(i, 1), 1));
    }
    assertTrue(eventLoop.offer(event(1), 1_500));
    assertTrue(eventLoop.congestedForNodes());
    Recorder recorder = new Recorder();
    recorder.action =
        event -> {
          if (event instanceof Event.Called(ClientCall call, ClientRequest _)
              && call.connection() == 1) {
            await(held);
          }
        };
    eventLoop.start(recorder);
    assertTrue(relieved.await(30, TimeUnit.SECONDS));
    assertTrue(eventLoop.congested());
    assertFalse(eventLoop.congestedForNodes());
    held.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void timersFireInTheOrderOfTheirMomentsAndCancelledOnesDoNot() throws InterruptedException {
    EventLoop eventLoop = eventLoop(TIGHT);
    Recorder recorder = new Recorder();
    recorder.onStart =
        () -> {
          eventLoop.timers().schedule(3, Duration.ofMillis(30).toNanos());
          eventLoop.timers().schedule(1, 0);
          eventLoop.timers().schedule(2, Duration.ofMillis(5).toNanos());
          eventLoop.timers().schedule(4, 0);
          eventLoop.timers().cancel(4);
        };
    eventLoop.start(recorder);
    List<String> fired = new ArrayList<>();
    while (fired.size() < 3) {
      String call = recorder.next();
      if (call.startsWith("timer")) {
        fired.add(call);
      }
    }
    assertEquals(List.of("timer 1", "timer 2", "timer 3"), fired);
  }

  @Test
  void aTimerScheduledAgainIsReplaced() throws InterruptedException {
    EventLoop eventLoop = eventLoop(TIGHT);
    Recorder recorder = new Recorder();
    recorder.onStart =
        () -> {
          eventLoop.timers().schedule(1, Duration.ofDays(1).toNanos());
          eventLoop.timers().schedule(1, 0);
        };
    eventLoop.start(recorder);
    assertEquals("start", recorder.next());
    assertEquals("timer 1", recorder.next());
  }

  @Test
  void whatTheStateMachineThrowsStopsTheLoopForGood() throws InterruptedException {
    EventLoop eventLoop = eventLoop(TIGHT);
    Recorder recorder = new Recorder();
    IllegalStateException bug = new IllegalStateException("planted by a test");
    recorder.action =
        event -> {
          throw bug;
        };
    CountDownLatch stopped = new CountDownLatch(1);
    eventLoop.onStopped(stopped::countDown);
    eventLoop.start(recorder);
    assertTrue(eventLoop.offer(event(1), 1));
    assertTrue(stopped.await(30, TimeUnit.SECONDS));
    assertTrue(eventLoop.isStopped());
    assertSame(bug, eventLoop.failure().orElseThrow());
    assertFalse(eventLoop.offer(event(2), 1));
    assertThrows(ExecutionException.class, () -> eventLoop.ask(() -> 1).get());
  }

  @Test
  void questionsAreAnsweredOnTheLoop() throws Exception {
    EventLoop eventLoop = eventLoop(TIGHT);
    Recorder recorder = new Recorder();
    eventLoop.start(recorder);
    eventLoop.completions().accept(event(1));
    Thread asked = eventLoop.ask(Thread::currentThread).get();
    assertEquals("loop-test", asked.getName());
    assertThrows(
        ExecutionException.class,
        () ->
            eventLoop
                .ask(
                    () -> {
                      throw new IllegalArgumentException("a bad question");
                    })
                .get());
    assertEquals(2, eventLoop.ask(() -> 2).get(), "a bad question harms no other");
  }

  @Test
  void everyEventOfManyThreadsIsHandledOnceOnOneThread() throws Exception {
    EventLoop eventLoop = eventLoop(new LoopLimits(64, 1_000_000, 16));
    Recorder recorder = new Recorder();
    eventLoop.start(recorder);
    int producers = 4;
    int each = 5_000;
    List<Thread> threads = new ArrayList<>();
    for (int p = 0; p < producers; p++) {
      boolean completes = p % 2 == 0;
      threads.add(Thread.ofVirtual().start(() -> produce(eventLoop, each, completes)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    long handled = 0;
    while (handled < (long) producers * each) {
      handled += recorder.next().equals("1") ? 1 : 0;
    }
    assertEquals(1, eventLoop.ask(() -> recorder.threads.stream().distinct().count()).get());
    assertEquals(producers * each, eventLoop.ask(recorder.threads::size).get());
  }

  private static void produce(EventLoop eventLoop, int count, boolean completes) {
    for (int i = 0; i < count; i++) {
      if (completes) {
        eventLoop.completions().accept(event(1));
      } else {
        while (!eventLoop.offer(event(1), 10)) {
          Thread.onSpinWait();
        }
      }
    }
  }

  @Test
  void aClosedLoopIsNotStartedAndHandlesNothing() {
    EventLoop eventLoop = eventLoop(TIGHT);
    eventLoop.close();
    assertTrue(eventLoop.isStopped());
    assertFalse(eventLoop.offer(event(1), 1));
    assertThrows(IllegalStateException.class, () -> eventLoop.start(new Recorder()));
  }

  /** Side work that only writes down what becomes of it. */
  private static final class Noted implements SideWork {
    final SideWork parking = SideWork.none();
    final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    final AtomicInteger looks = new AtomicInteger();
    Runnable onAwait = () -> {};

    @Override
    public void begin() {
      parking.begin();
      calls.add("begin");
    }

    @Override
    public void runReady() {
      looks.incrementAndGet();
    }

    @Override
    public void runHanded() {}

    @Override
    public void await(long nanos) {
      onAwait.run();
      parking.await(nanos);
    }

    @Override
    public void wake() {
      parking.wake();
    }

    @Override
    public void end() {
      calls.add("end");
    }
  }

  @Test
  void sideWorkOfALoopThatNeverBeganIsEnded() {
    Noted work = new Noted();
    new EventLoop("test", TIGHT, work).close();
    assertEquals(List.of("begin", "end"), List.copyOf(work.calls));
  }

  @Test
  void sideWorkBeginsBeforeTheStateMachineAndEndsWithTheLane() throws InterruptedException {
    Noted work = new Noted();
    EventLoop eventLoop = new EventLoop("test", TIGHT, work);
    loops.add(eventLoop);
    eventLoop.onStopped(
        () -> {
          throw new IllegalStateException("planted by a test: the listener of the stop fails");
        });
    eventLoop.begin();
    assertEquals("begin", work.calls.poll(30, TimeUnit.SECONDS));
    Recorder recorder = new Recorder();
    eventLoop.start(recorder);
    assertEquals("start", recorder.next());
    eventLoop.close();
    assertEquals("end", work.calls.poll(30, TimeUnit.SECONDS));
  }

  /**
   * What comes while it waits is handled, and then it waits again: that is a look at connections.
   */
  @Test
  void aTurnLooksAtConnectionsOnce() throws InterruptedException {
    Noted work = new Noted();
    EventLoop eventLoop = new EventLoop("test", TIGHT, work);
    loops.add(eventLoop);
    AtomicInteger waits = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(1);
    work.onAwait =
        () -> {
          if (waits.incrementAndGet() <= 5) {
            assertTrue(eventLoop.offer(event(waits.get()), 1));
            work.parking.wake();
          } else {
            done.countDown();
          }
        };
    eventLoop.start(new Recorder());
    assertTrue(done.await(30, TimeUnit.SECONDS));
    assertEquals(0, work.looks.get());
  }

  @Test
  void connectionsAreLookedAtThoughEventsComeWithoutEnd() throws InterruptedException {
    Noted work = new Noted();
    EventLoop eventLoop = new EventLoop("test", TIGHT, work);
    loops.add(eventLoop);
    Recorder recorder = new Recorder();
    AtomicInteger left = new AtomicInteger(100);
    CountDownLatch done = new CountDownLatch(1);
    recorder.action =
        event -> {
          if (left.decrementAndGet() > 0) {
            eventLoop.completions().accept(event);
          } else {
            done.countDown();
          }
        };
    eventLoop.completions().accept(event(1));
    eventLoop.start(recorder);
    assertTrue(done.await(30, TimeUnit.SECONDS));
    int looks = work.looks.get();
    assertTrue(looks >= 100 / TIGHT.batchEventsMax() - 1, () -> looks + " looks");
  }
}
