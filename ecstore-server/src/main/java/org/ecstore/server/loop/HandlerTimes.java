package org.ecstore.server.loop;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.metrics.LoopWork;
import org.ecstore.core.port.Event;

/**
 * How long an event loop was busy with one thing: while it is, nothing else on the node goes on.
 * Counts what took too long and knows which was the longest; says so in a line where one took so
 * long that clients notice it, of many in a while in one. For the event loop's thread; {@link
 * #seen} for any.
 */
final class HandlerTimes {
  /** What one thing may take. */
  static final long LONG_NANOS = Duration.ofMillis(10).toNanos();

  /** From here on it is worth a line: a virtual machine that warms up often needs some 10 ms. */
  static final long SAID_NANOS = Duration.ofMillis(100).toNanos();

  private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

  private final Consumer<LoopWork> told;
  private volatile LongHandlers seen = LongHandlers.NONE;
  private LongHandlers unsaid = LongHandlers.NONE;
  private boolean saidBefore;
  private long saidAtNanos;

  /**
   * Of an event loop.
   *
   * @param told what took too long, each time
   */
  HandlerTimes(Consumer<LoopWork> told) {
    this.told = told;
  }

  /** An event took so long. A line to say, if it is time for one. */
  Optional<String> took(Event event, long nanos, long nowNanos) {
    return nanos < LONG_NANOS
        ? Optional.empty()
        : tookLong(workOf(event), kindOf(event), nanos, nowNanos);
  }

  /** Something else than an event took so long. A line to say, if it is time for one. */
  Optional<String> took(LoopWork work, String kind, long nanos, long nowNanos) {
    return nanos < LONG_NANOS ? Optional.empty() : tookLong(work, kind, nanos, nowNanos);
  }

  private Optional<String> tookLong(LoopWork work, String kind, long nanos, long nowNanos) {
    told.accept(work);
    seen = seen.with(kind, nanos);
    unsaid = unsaid.with(kind, nanos);
    if (unsaid.longestNanos() < SAID_NANOS
        || (saidBefore && nowNanos - saidAtNanos < PAUSE_NANOS)) {
      return Optional.empty();
    }
    saidBefore = true;
    saidAtNanos = nowNanos;
    LongHandlers since = unsaid;
    unsaid = LongHandlers.NONE;
    return Optional.of(
        since.count()
            + " times the event loop was busy with one thing for 10 ms or more, the longest "
            + since.longestNanos() / 1_000_000
            + " ms: "
            + since.longestKind());
  }

  /** All of them since the event loop began. */
  LongHandlers seen() {
    return seen;
  }

  private static LoopWork workOf(Event event) {
    return switch (event) {
      case Event.Called _, Event.Greeted _, Event.Reported _, Event.ClientGone _ ->
          LoopWork.REQUEST;
      case Event.Delivered _ -> LoopWork.MESSAGE;
      case Event.EngineDone _ -> LoopWork.ENGINE;
      case Event.LedgerDone _ -> LoopWork.LEDGER;
      case Event.TimerFired _ -> LoopWork.TIMER;
      case Event.CoordinationDone _,
          Event.MembersChanged _,
          Event.LeaderHinted _,
          Event.KeyChanged _,
          Event.Displaced _,
          Event.PartFailed _ ->
          LoopWork.COORDINATION;
    };
  }

  private static String kindOf(Event event) {
    return switch (event) {
      case Event.Called called -> "request " + called.request().getClass().getSimpleName();
      case Event.Delivered delivered ->
          "message " + delivered.envelope().body().getClass().getSimpleName();
      case Event.EngineDone done -> "engine's " + done.result().getClass().getSimpleName();
      case Event.LedgerDone done -> "ledger's " + done.result().getClass().getSimpleName();
      case Event.CoordinationDone done ->
          "coordination's " + done.result().getClass().getSimpleName();
      case Event.TimerFired _ -> "timer";
      case Event.Greeted _ -> "a client's name";
      case Event.Reported _ -> "a client's report";
      case Event.ClientGone _ -> "a client's end";
      case Event.MembersChanged _ -> "members changed";
      case Event.LeaderHinted _ -> "leader hinted";
      case Event.KeyChanged _ -> "key changed";
      case Event.Displaced _ -> "displaced";
      case Event.PartFailed _ -> "a part has failed";
    };
  }
}
