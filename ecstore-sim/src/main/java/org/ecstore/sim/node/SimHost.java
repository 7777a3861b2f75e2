package org.ecstore.sim.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.ecstore.core.port.Clock;
import org.ecstore.core.port.DisplacedException;
import org.ecstore.core.port.EngineLostException;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.StateMachine;
import org.ecstore.core.port.WrongPartsException;
import org.ecstore.id.NodeId;
import org.ecstore.sim.world.EventTrace;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;
import org.jspecify.annotations.Nullable;

/**
 * One machine: its process, which may crash and be started again, and the inbox of that process's
 * event loop. Each start is a new <em>life</em>: what was under way for an earlier one is dropped.
 * The event loop takes events in batches, then flushes, as an event loop in production does.
 */
public final class SimHost {
  /** Makes the state machine of one life. */
  public interface Program {
    StateMachine start(SimHost host, Life life);
  }

  /** Hears of crashes, to drop what the process held. */
  public interface CrashListener {
    void crashed(SimHost host, Life life);
  }

  /** A machine's clock runs at this rate at the least. */
  public static final double CLOCK_RATE_MIN = 0.95;

  /** And at this at the most. */
  public static final double CLOCK_RATE_MAX = CLOCK_RATE_MIN + 0.1;

  private static final long GUARD_NANOS = 1_000_000_000L;

  /** When each world begins, by its calendar, in milliseconds since 1970. */
  private static final long CALENDAR_BEGINS = 1_700_000_000_000L;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final World world;
  private final NodeId id;
  private final SimRandom random;
  private final int stepEventsMax;
  private final Program program;
  private final ArrayDeque<Event> inbox = new ArrayDeque<>();
  private final List<CrashListener> crashListeners = new ArrayList<>();
  private final List<Consumer<SimHost>> startListeners = new ArrayList<>();
  private @Nullable StateMachine machine;
  private OneLife current = new OneLife(0);
  private int life;
  private boolean stepDue;
  private final List<Runnable> clockListeners = new ArrayList<>();
  private long pausedUntilNanos;
  private long clockOffsetNanos;
  private long stalledAtNanos;
  private boolean stalled;
  private long incarnation;
  private double crashAtStep;
  private final double clockRate;
  private @Nullable ToLongFunction<Event> costs;
  private int paidFor;
  private long occupiedNanos;
  private boolean mayRefuse;

  public SimHost(World world, NodeId id, int stepEventsMax, Program program) {
    this.world = world;
    this.id = id;
    this.random = world.random("host" + id.value());
    this.stepEventsMax = stepEventsMax;
    this.program = program;
    this.clockRate = CLOCK_RATE_MIN + random.between(0, 100) / 1000.0;
  }

  public NodeId id() {
    return id;
  }

  /**
   * From now on each event occupies the machine for what it costs, in nanoseconds: what it leads to
   * happens when that time is over. Otherwise a step takes a short while, whatever there is to do.
   */
  void occupiedBy(ToLongFunction<Event> nanos) {
    costs = nanos;
  }

  /** How long events have occupied it so far, by their costs; 0 if they have none. */
  public long occupiedNanos() {
    return occupiedNanos;
  }

  /** Counts the starts of the process. */
  public int life() {
    return life;
  }

  public boolean isUp() {
    return machine != null;
  }

  /** The running state machine, if there is one. */
  public @Nullable StateMachine machine() {
    return machine;
  }

  /** The incarnation that coordination gave this life; 0 before that. */
  public long incarnation() {
    return incarnation;
  }

  public void onCrash(CrashListener listener) {
    crashListeners.add(listener);
  }

  /** Hears of starts of the process. */
  public void onStart(Consumer<SimHost> listener) {
    startListeners.add(listener);
  }

  /**
   * From now on the process may end because its parts do not belong together, as they do not: that
   * is no failure of its own.
   */
  public void mayRefuse() {
    mayRefuse = true;
  }

  /**
   * This machine's own time: it runs a little fast or slow, from an arbitrary origin, jumps and
   * stands still at times, and never goes back.
   */
  public long clockNanos() {
    return stalled ? stalledAtNanos : runningClock() + clockOffsetNanos;
  }

  /** The same, with the calendar of the world, which is right everywhere. */
  Clock clock() {
    return new Clock() {
      @Override
      public long nanos() {
        return clockNanos();
      }

      @Override
      public long epochMillis() {
        return CALENDAR_BEGINS + world.nowNanos() / NANOS_PER_MILLI;
      }
    };
  }

  private long runningClock() {
    return (long) (world.nowNanos() * clockRate) + id.value() * 7_919_000_003L;
  }

  /** The clock jumps forward; what was to happen meanwhile happens now, all at once. */
  public void jumpClock(long nanos) {
    world.line(id.toString(), "its clock jumps by " + nanos / 1_000_000 + " ms");
    clockOffsetNanos += nanos;
    stalledAtNanos += nanos;
    List.copyOf(clockListeners).forEach(Runnable::run);
  }

  /** The clock stands still until it is started again, as a suspended machine's does. */
  public void stallClock() {
    if (!stalled) {
      world.line(id.toString(), "its clock stands still");
      stalledAtNanos = clockNanos();
      stalled = true;
    }
  }

  public void startClock() {
    if (stalled) {
      clockOffsetNanos = stalledAtNanos - runningClock();
      stalled = false;
    }
  }

  /** Hears of jumps of the clock, as long as this life lasts. */
  void onClockJump(Runnable listener) {
    clockListeners.add(listener);
  }

  /** How much virtual time passes while this machine's clock counts so many nanoseconds. */
  public long realNanos(long clockNanos) {
    return (long) (clockNanos / clockRate);
  }

  /** Starts the process, unless it runs. */
  public void start() {
    if (machine != null) {
      return;
    }
    life++;
    incarnation = 0;
    inbox.clear();
    clockListeners.clear();
    stepDue = false;
    pausedUntilNanos = 0;
    world.trace().mix(id.value() * 31 + life);
    world.line(id.toString(), "starts, life " + life);
    OneLife begun = new OneLife(life);
    current = begun;
    guard(
        () -> {
          StateMachine started = program.start(this, begun);
          machine = started;
          started.start();
          started.flush();
        });
    startListeners.forEach(listener -> listener.accept(this));
  }

  /** Ends the process at once: its memory and its inbox are gone. */
  public void crash() {
    if (machine == null) {
      return;
    }
    world.line(id.toString(), "crashes with " + inbox.size() + " events in its inbox");
    world.trace().mix(-id.value() - 1);
    machine = null;
    inbox.clear();
    crashListeners.forEach(listener -> listener.crashed(this, current));
  }

  /** Stops the event loop for a while, as a stopped process or a long collection would. */
  public void pause(long nanos) {
    pausedUntilNanos = Math.max(pausedUntilNanos, world.nowNanos() + nanos);
    world.line(id.toString(), "pauses for " + nanos / 1_000_000 + " ms");
  }

  public void resume() {
    pausedUntilNanos = 0;
  }

  /**
   * From now on each step is a crash with this probability: before, within or after its handlers.
   */
  public void crashAtStep(double probability) {
    crashAtStep = probability;
  }

  /** The life that runs, or the last one. */
  public Life currentLife() {
    return current;
  }

  private final class OneLife implements Life {
    private final int number;

    OneLife(int number) {
      this.number = number;
    }

    @Override
    public NodeId node() {
      return id;
    }

    @Override
    public String name() {
      return id.value() + "/" + number;
    }

    @Override
    public boolean isAlive() {
      return machine != null && life == number;
    }

    @Override
    public long pausedUntilNanos() {
      return life == number ? pausedUntilNanos : 0;
    }

    @Override
    public void post(Event event) {
      SimHost.this.post(number, event);
    }

    @Override
    public void joined(long given) {
      if (life == number) {
        incarnation = given;
      }
    }
  }

  /** Puts an event in the inbox of one life; nothing happens if that life is over. */
  private void post(int forLife, Event event) {
    if (machine == null || forLife != life) {
      return;
    }
    inbox.add(event);
    if (!stepDue) {
      stepDue = true;
      world.scheduler().after(stepNanos(50_000L), () -> step(forLife));
    }
  }

  /** How long the next step takes; with costs, what of the inbox is in it is fixed here. */
  private long stepNanos(long most) {
    ToLongFunction<Event> known = costs;
    if (known == null) {
      return random.between(1_000L, most);
    }
    long nanos = 0;
    paidFor = 0;
    for (Event event : inbox) {
      if (paidFor == stepEventsMax) {
        break;
      }
      nanos += known.applyAsLong(event);
      paidFor++;
    }
    occupiedNanos += nanos;
    return nanos;
  }

  private void step(int forLife) {
    if (machine == null || forLife != life) {
      return;
    }
    if (world.nowNanos() < pausedUntilNanos) {
      world.scheduler().at(pausedUntilNanos, () -> step(forLife));
      return;
    }
    boolean dies = world.faulty() && random.chance(crashAtStep);
    int batch = costs == null ? random.between(1, stepEventsMax) : paidFor;
    int handled = dies ? random.between(0, Math.min(batch, inbox.size())) : batch;
    guard(() -> handle(forLife, handled));
    if (dies && machine != null) {
      crashAtStep = 0;
      if (random.chance(0.3)) {
        guard(() -> flush());
      }
      crash();
      return;
    }
    guard(() -> flush());
    stepDue = false;
    if (!inbox.isEmpty()) {
      stepDue = true;
      world.scheduler().after(stepNanos(20_000L), () -> step(forLife));
    }
  }

  private void handle(int forLife, int count) {
    for (int i = 0; i < count && forLife == life; i++) {
      Event event = inbox.poll();
      StateMachine running = machine;
      if (event == null || running == null) {
        return;
      }
      EventTrace.mix(world, id, event);
      running.on(event);
    }
  }

  private void flush() {
    StateMachine running = machine;
    if (running != null) {
      running.flush();
    }
  }

  private void guard(Runnable work) {
    try {
      work.run();
    } catch (DisplacedException e) {
      world.line(id.toString(), String.valueOf(e.getMessage()));
      crash();
      // One that hears of it once all is healed is started again by an operator: the other process
      // has ended by then.
      world
          .scheduler()
          .after(
              GUARD_NANOS,
              () -> {
                if (!world.faulty()) {
                  start();
                }
              });
    } catch (EngineLostException e) {
      world.line(id.toString(), String.valueOf(e.getMessage()));
      world.happened("a node ends that has lost its store");
      crash();
      // Its guard starts it again.
      world.scheduler().after(GUARD_NANOS, this::start);
    } catch (WrongPartsException e) {
      refuse(e);
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void refuse(WrongPartsException e) {
    if (mayRefuse) {
      world.line(id.toString(), String.valueOf(e.getMessage()));
      world.happened("a node refuses what does not belong together");
      crash();
    } else {
      failed(e);
    }
  }

  private void failed(RuntimeException e) {
    StringBuilder where = new StringBuilder();
    StackTraceElement[] stack = e.getStackTrace();
    for (int i = 0; i < Math.min(8, stack.length); i++) {
      where.append("\n    at ").append(stack[i]);
    }
    world.violated(Promises.NO_FAILURE, id + " threw " + e + where);
    machine = null;
  }
}
