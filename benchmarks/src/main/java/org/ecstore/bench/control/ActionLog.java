package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;

/** Remembers when actions of a controller were first seen, and when they were over. */
final class ActionLog {
  private static final double MILLIS = 1e3;

  private final SortedMap<Long, Noted> actions = new TreeMap<>();

  /**
   * An action.
   *
   * @param action as it was seen last
   * @param atMillis when it was seen first, since 1970
   * @param seconds the same since the first phase began
   * @param effective seconds when it was done and its effect measured; empty if that was not seen
   * @param over seconds when it was over; empty if it is not
   */
  record Noted(
      ControlAction action,
      long atMillis,
      double seconds,
      OptionalDouble effective,
      OptionalDouble over) {
    /** Whether anything was done, or is. */
    boolean isDone() {
      return ActionLog.isDone(action.stage());
    }

    ObjectNode json() {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("number", action.number()).put("kind", action.kind().words());
      json.put("what", action.what()).put("for", action.about());
      json.put("at", Instant.ofEpochMilli(atMillis).toString());
      json.put("seconds", rounded(seconds));
      effective.ifPresent(at -> json.put("effectiveSeconds", rounded(at)));
      over.ifPresent(at -> json.put("overSeconds", rounded(at)));
      json.put("stage", action.stage().words()).put("why", action.why());
      millis(json, "beforeMillis", action.beforeMicros());
      millis(json, "predictedMillis", action.predictedMicros());
      millis(json, "measuredMillis", action.afterMicros());
      json.put("detail", action.detail());
      return json;
    }

    private static void millis(ObjectNode json, String name, long micros) {
      if (micros > 0) {
        json.put(name, micros / MILLIS);
      }
    }

    private static double rounded(double seconds) {
      return Math.round(seconds * MILLIS) / MILLIS;
    }
  }

  /** Whether an action of a stage is carried out, or was. */
  static boolean isDone(ActionStage stage) {
    return switch (stage) {
      case UNDER_WAY, MEASURING, DONE -> true;
      case PROPOSED, FAILED, WITHDRAWN -> false;
    };
  }

  /**
   * A controller has these.
   *
   * @param seconds since the first phase began
   */
  void see(long atMillis, double seconds, List<ControlAction> seen) {
    for (ControlAction action : seen) {
      Noted known = actions.get(action.number());
      Noted last =
          known == null
              ? new Noted(action, atMillis, seconds, OptionalDouble.empty(), OptionalDouble.empty())
              : known;
      boolean isEffective =
          action.stage() == ActionStage.MEASURING || action.stage() == ActionStage.DONE;
      actions.put(
          action.number(),
          new Noted(
              action,
              last.atMillis(),
              last.seconds(),
              isEffective ? first(last.effective(), seconds) : last.effective(),
              action.stage().isOver() ? first(last.over(), seconds) : last.over()));
    }
  }

  private static OptionalDouble first(OptionalDouble earlier, double now) {
    return earlier.isPresent() ? earlier : OptionalDouble.of(now);
  }

  /** All of them, in their order. */
  List<Noted> all() {
    return List.copyOf(actions.values());
  }
}
