package org.ecstore.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Runs a load at a pace and measures it. A closed loop counts what ends while it counts. An open
 * loop counts each operation that was to begin then, and its time from that moment, so that a store
 * that stops for a second is seen to keep all waiting who came in that second ("coordinated
 * omission" avoided), though it be the last one: what is due is awaited to the end, within a limit.
 * What was due while it warmed up, and had not begun in time, is left out: it counts with none of
 * it waiting, so that a program that was still being compiled is not measured by its backlog.
 */
public final class LoadRun {
  private static final int TALLIES_MAX = 64;
  private static final double SECOND = 1e9;
  private static final long TICK_NANOS = 250_000_000L;

  /** Sleeping is only so exact; the rest of the wait is spent looking at the clock. */
  private static final long SPIN_NANOS = 60_000L;

  /** In an open loop, what has not begun so long after all were due is not begun any more. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Load load;
  private final Pace pace;
  private final List<Long> servers;
  private final LongConsumer elapsed;
  private final long timeoutNanos;

  /** The next operation of an open loop. */
  private final AtomicLong next = new AtomicLong();

  private volatile boolean failed;

  /** Whether it is to end, whatever its pace says. */
  private volatile boolean isEnding;

  /**
   * To be run once.
   *
   * @param servers processes whose processor time counts as the servers'
   * @param elapsed is told every quarter of a second how many nanoseconds went by since the last
   *     time
   */
  public LoadRun(Load load, Pace pace, List<Long> servers, LongConsumer elapsed) {
    this(load, pace, servers, elapsed, TIMEOUT);
  }

  LoadRun(Load load, Pace pace, List<Long> servers, LongConsumer elapsed, Duration timeout) {
    this.timeoutNanos = timeout.toNanos();
    this.load = load;
    this.pace = pace;
    this.servers = List.copyOf(servers);
    this.elapsed = elapsed;
  }

  /** From when to when things count; it may end earlier than it was to. */
  private static final class Window {
    private final long begun;
    private final long from;
    private volatile long to;

    Window(long begun, long from, long to) {
      this.begun = begun;
      this.from = from;
      this.to = to;
    }

    long begun() {
      return begun;
    }

    long from() {
      return from;
    }

    long to() {
      return to;
    }

    void end(long now) {
      to = Math.max(from + 1, now);
    }

    boolean counts(long moment) {
      return moment - from >= 0 && moment - to < 0;
    }
  }

  /**
   * Has it end as soon as what is due by now is done, before its time. Any thread may call, once it
   * runs or before.
   */
  public void end() {
    isEnding = true;
  }

  /**
   * Runs it, warm-up first.
   *
   * @throws IllegalStateException if a client throws something
   */
  public Measured run() throws InterruptedException {
    List<Load.Client> clients = new ArrayList<>();
    try {
      for (int i = 0; i < pace.clients(); i++) {
        clients.add(load.client(i, pace.clients()));
      }
      return run(clients);
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("a client failed: " + e.getMessage(), e);
    } finally {
      clients.forEach(Load.Client::close);
    }
  }

  private Measured run(List<Load.Client> clients) throws InterruptedException, ExecutionException {
    long begun = System.nanoTime();
    long from = begun + pace.warmUp().toNanos();
    Window window = new Window(begun, from, from + pace.measured().toNanos());
    load.counts(from);
    try (ExecutorService threads = Executors.newFixedThreadPool(clients.size())) {
      List<Future<?>> running = new ArrayList<>();
      List<Tally> tallies = tallies(clients.size());
      for (int number = 0; number < clients.size(); number++) {
        Load.Client client = clients.get(number);
        Tally tally = tallies.get(number % tallies.size());
        running.add(threads.submit(() -> loop(client, window, tally)));
      }
      sleepUntil(window.from());
      Processors before = Processors.now(servers);
      long fromNanos = System.nanoTime();
      sleepUntil(window.to());
      if (isEnding && window.to() - System.nanoTime() > 0) {
        window.end(System.nanoTime());
      }
      Processors used = Processors.now(servers).since(before);
      long toNanos = System.nanoTime();
      Tally all = new Tally();
      for (Future<?> one : running) {
        one.get();
      }
      tallies.forEach(all::add);
      // Looks at processors take their time: what they say is of another span.
      long counted = window.to() - window.from();
      return Measured.of(all, counted, used.times((double) counted / (toNanos - fromNanos)));
    } finally {
      failed = true;
    }
  }

  private void sleepUntil(long end) throws InterruptedException {
    for (long last = System.nanoTime(); end - last > 0 && !failed && !isEnding; ) {
      Thread.sleep(Duration.ofNanos(Math.min(TICK_NANOS, end - last)));
      long now = System.nanoTime();
      elapsed.accept(now - last);
      last = now;
    }
  }

  /** One for each client, or for some of them: histograms of thousands take too much. */
  private static List<Tally> tallies(int clients) {
    return Stream.generate(Tally::new).limit(Math.min(clients, TALLIES_MAX)).toList();
  }

  private boolean loop(Load.Client client, Window window, Tally tally) throws Exception {
    try {
      while (!failed) {
        rest(client.restNanos(), window);
        long begin = pace.isOpen() ? awaitTurn(window) : System.nanoTime();
        if (begin - window.to() >= 0) {
          break;
        }
        long now = System.nanoTime();
        if (now - window.to() > timeoutNanos) {
          if (window.counts(begin)) {
            tally.due();
            tally.undone(now - begin);
          }
          client.leftOut(begin);
          continue;
        }
        LoadOutcome outcome = client.next();
        long ended = System.nanoTime();
        client.ended(outcome, begin, ended);
        if (window.counts(ended)) {
          tally.ended(outcome);
        }
        boolean due = window.counts(pace.isOpen() ? begin : ended);
        if (due) {
          tally.due();
          tally.add(outcome, ended - begin);
        } else if (ended - window.from() >= 0) {
          tally.failed(outcome);
        }
      }
      return true;
    } catch (Exception e) {
      failed = true;
      throw e;
    }
  }

  /** Waits, to the end of the run at most. */
  private void rest(long nanos, Window window) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !failed; left = end - System.nanoTime()) {
      long rest = window.to() - System.nanoTime();
      if (rest <= 0) {
        return;
      }
      LockSupport.parkNanos(Math.min(Math.min(left, rest), TICK_NANOS));
    }
  }

  /** Returns when the operation was to begin, once that has come. */
  private long awaitTurn(Window window) {
    long turn = window.begun() + (long) (takeTurn(window) * SECOND / pace.rate());
    while (turn - window.to() < 0) {
      long left = turn - System.nanoTime();
      if (left <= 0) {
        break;
      }
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(Math.min(left - SPIN_NANOS, TICK_NANOS));
      } else {
        Thread.onSpinWait();
      }
    }
    return turn;
  }

  /** The number of the next operation; one that was due in the warm-up by now is left out. */
  private long takeTurn(Window window) {
    long warm = Math.min(System.nanoTime(), window.from()) - window.begun();
    long gone = (long) (warm * pace.rate() / SECOND);
    return Math.max(gone, next.getAndUpdate(number -> Math.max(gone, number) + 1));
  }
}
