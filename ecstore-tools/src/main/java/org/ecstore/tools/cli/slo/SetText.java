package org.ecstore.tools.cli.slo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.ecstore.model.objective.Objective;

/** What {@code slo set} says of tables that are not there, and its JSON. */
final class SetText {
  private SetText() {}

  /** A line for each objective that names a table which is not there. */
  static List<String> warnings(List<Objective> objectives, StatedTables.Asked asked) {
    Optional<StatedTables> tables = asked.tables();
    if (tables.isEmpty()) {
      return List.of("whether their tables are there is not known: " + asked.why());
    }
    return objectives.stream().flatMap(each -> tables.get().warning(each).stream()).toList();
  }

  /**
   * Where it is not known which tables there are, nothing is said of them but why.
   *
   * @param why each can be kept, or was not held against anything, by application
   */
  static ObjectNode json(
      List<Objective> objectives, Map<String, String> why, StatedTables.Asked asked) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ArrayNode stated = all.putArray("objectives");
    for (Objective objective : objectives) {
      ObjectNode one = ObjectiveJson.of(objective);
      if (why.containsKey(objective.application())) {
        one.put("why", why.get(objective.application()));
      }
      asked
          .tables()
          .ifPresent(
              tables -> {
                List<String> absent = tables.missing(objective);
                ArrayNode missing = one.putArray("tablesMissing");
                absent.forEach(missing::add);
                ArrayNode there = one.putArray("tablesThere");
                objective.tables().stream()
                    .filter(table -> !absent.contains(table))
                    .forEach(there::add);
              });
      stated.add(one);
    }
    if (asked.tables().isEmpty()) {
      all.put("tablesUnknown", asked.why());
    }
    return all;
  }

  /**
   * How far it came where one failed.
   *
   * @param stated how many were before
   */
  static String howFar(List<Objective> objectives, int stated) {
    String after = names(objectives.subList(stated + 1, objectives.size()));
    return (stated == 0
            ? "; none was stated before it"
            : "; stated before it, and standing: " + names(objectives.subList(0, stated)))
        + (after.isEmpty() ? "" : "; not told: " + after);
  }

  private static String names(List<Objective> objectives) {
    return objectives.stream().map(Objective::application).collect(Collectors.joining(", "));
  }

  /** The same as JSON, with why. */
  static ObjectNode partly(List<Objective> objectives, int stated, String why) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ArrayNode before = all.putArray("objectives");
    objectives.subList(0, stated).forEach(each -> before.add(ObjectiveJson.of(each)));
    ObjectNode failed = all.putObject("failed");
    failed.put("application", objectives.get(stated).application()).put("why", why);
    ArrayNode after = all.putArray("notTold");
    objectives
        .subList(stated + 1, objectives.size())
        .forEach(each -> after.add(each.application()));
    return all;
  }
}
