package org.ecstore.bench.validate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.bench.report.EachSecond;

/**
 * What was measured of a plan once.
 *
 * @param plan its number, from 1
 * @param actions that the controller was first seen with after it, in words
 * @param seconds what clients had in each second; of older runs none is known
 */
public record ValidationRun(int plan, TableRun run, List<String> actions, EachSecond seconds) {
  private static final String PLAN = "plan";
  private static final String ACTIONS = "actions";
  private static final String SECONDS = "eachSecond";

  public ValidationRun {
    actions = List.copyOf(actions);
  }

  /** As a line of a file of runs. */
  ObjectNode json() {
    ObjectNode json = run.json();
    json.put(PLAN, plan);
    actions.forEach(json.putArray(ACTIONS)::add);
    if (seconds.size() > 0) {
      json.set(SECONDS, seconds.json());
    }
    return json;
  }

  /** What {@link #json} wrote; absent if it is none. */
  static Optional<ValidationRun> of(JsonNode json) {
    int plan = json.path(PLAN).asInt();
    List<String> actions = new ArrayList<>();
    json.path(ACTIONS).forEach(action -> actions.add(action.asText()));
    return plan < 1
        ? Optional.empty()
        : TableRun.of(json)
            .map(run -> new ValidationRun(plan, run, actions, EachSecond.of(json.path(SECONDS))));
  }
}
