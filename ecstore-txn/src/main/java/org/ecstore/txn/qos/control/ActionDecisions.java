package org.ecstore.txn.qos.control;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.model.control.ControlAction;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.ecstore.txn.steward.decision.Decisions;

/** The controller's actions among the steward's decisions. */
final class ActionDecisions {
  private static final double THOUSAND = 1_000;

  private final NodeContext context;
  private final Decisions decisions;

  /** Those about actions that are not over, by the number of the action. */
  private final Map<Long, Long> decided = new TreeMap<>();

  ActionDecisions(NodeContext context, Decisions decisions) {
    this.context = context;
    this.decisions = decisions;
  }

  void clear() {
    decided.clear();
  }

  private void end(long decision, Outcome outcome, String detail) {
    decisions.end(decision, outcome, MapVersion.ZERO, detail);
  }

  /** The decision about an action, which is another with each leader. */
  private long decision(ControlAction action) {
    return decided.computeIfAbsent(
        action.number(),
        _ ->
            decisions.open(
                context.nanos(),
                Cause.OBJECTIVE,
                List.of(),
                action.what(),
                action.why() + predicted(action),
                0));
  }

  private static String predicted(ControlAction action) {
    return action.predictedMicros() == 0
        ? ""
        : "; predicted: %s ms".formatted(action.predictedMicros() / THOUSAND);
  }

  /** Says how far an action is. */
  void say(ControlAction action) {
    long decision = decision(action);
    switch (action.stage()) {
      case PROPOSED ->
          decisions.note(
              decision, "waits for an answer: qos approve %d".formatted(action.number()));
      case UNDER_WAY, MEASURING -> decisions.note(decision, action.detail());
      case DONE -> end(decision, Outcome.DONE, action.detail());
      case FAILED, WITHDRAWN -> end(decision, Outcome.PUT_OFF, action.detail());
    }
    if (action.stage().isOver()) {
      decided.remove(action.number());
    }
  }
}
