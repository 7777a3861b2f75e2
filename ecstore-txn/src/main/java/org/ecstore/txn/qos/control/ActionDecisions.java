package org.ecstore.txn.qos.control;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.txn.qos.control.book.ControlBook;
import org.ecstore.txn.qos.control.book.ControlPast;
import org.ecstore.txn.qos.control.book.ControlPast.Helpless;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.ecstore.txn.steward.decision.Decisions;

/** The controller's actions among the steward's decisions, those of earlier leaders too. */
final class ActionDecisions {
  private static final double THOUSAND = 1_000;
  private static final long NANOS_PER_MILLI = 1_000_000;

  private final NodeContext context;
  private final Decisions decisions;

  /** Those about actions that are not over, by the number of the action. */
  private final Map<Long, Long> decided = new TreeMap<>();

  /** Actions of which something was said here. */
  private final Set<Long> said = new HashSet<>();

  ActionDecisions(NodeContext context, Decisions decisions) {
    this.context = context;
    this.decisions = decisions;
  }

  void clear() {
    decided.clear();
    said.clear();
  }

  private void end(long decision, Outcome outcome, String detail) {
    decisions.end(decision, outcome, MapVersion.ZERO, detail);
  }

  /** The decision about an action, which is another with each leader. */
  private long decision(ControlAction action, long nanos) {
    return decided.computeIfAbsent(
        action.number(),
        _ -> decisions.open(nanos, Cause.OBJECTIVE, List.of(), action.what(), why(action), 0));
  }

  private static String why(ControlAction action) {
    return action.predictedMicros() == 0
        ? action.why()
        : "%s; predicted: %s ms".formatted(action.why(), action.predictedMicros() / THOUSAND);
  }

  /** Says how far an action is. */
  void say(ControlAction action) {
    say(action, context.nanos());
  }

  /** As above, of an action that was begun then. */
  private void say(ControlAction action, long nanos) {
    said.add(action.number());
    long decision = decision(action, nanos);
    switch (action.stage()) {
      case PROPOSED ->
          decisions.note(
              decision, "waits for an answer: qos approve %d".formatted(action.number()));
      case UNDER_WAY, MEASURING -> decisions.note(decision, action.detail());
      case DONE, FAILED, WITHDRAWN -> end(decision, outcome(action.stage()), action.detail());
    }
    if (action.stage().isOver()) {
      decided.remove(action.number());
    }
  }

  private static Outcome outcome(ActionStage stage) {
    return switch (stage) {
      case PROPOSED, UNDER_WAY, MEASURING -> Outcome.UNDER_WAY;
      case DONE -> Outcome.DONE;
      case FAILED, WITHDRAWN -> Outcome.PUT_OFF;
    };
  }

  /** Says that nothing is predicted to help. */
  void say(Helpless helpless) {
    long decision =
        decisions.open(
            context.nanos(), Cause.OBJECTIVE, List.of(), what(helpless), helpless.why(), 0);
    end(decision, Outcome.PUT_OFF, helpless.detail());
  }

  private static String what(Helpless helpless) {
    return "keep the objective of " + helpless.application();
  }

  /** Says what who led before has done, and what is under way. */
  void recall(ControlBook book) {
    ControlPast past = book.past();
    for (ControlAction action : book.actions()) {
      long nanos = nanos(past.begunMillis(action.number()));
      if (action.stage().isOver() && said.add(action.number())) {
        decisions.recall(
            nanos,
            Cause.OBJECTIVE,
            action.what(),
            why(action),
            outcome(action.stage()),
            action.detail());
      } else if (!action.stage().isOver()) {
        say(action, nanos);
      }
    }
    for (Helpless helpless : past.helpless()) {
      decisions.recall(
          nanos(helpless.atMillis()),
          Cause.OBJECTIVE,
          what(helpless),
          helpless.why(),
          Outcome.PUT_OFF,
          helpless.detail());
    }
  }

  /** A time of the calendar by the clock of this node; 0 if it is not known. */
  private long nanos(long millis) {
    long now = context.epochMillis();
    if (millis == 0 || now == 0) {
      return 0;
    }
    long nanos = context.nanos() - Math.max(0, now - millis) * NANOS_PER_MILLI;
    return nanos == 0 ? 1 : nanos;
  }
}
