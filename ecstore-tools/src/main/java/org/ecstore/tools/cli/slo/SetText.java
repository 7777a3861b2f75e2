package org.ecstore.tools.cli.slo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
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

  /** Where it is not known which tables there are, nothing is said of them but why. */
  static ObjectNode json(List<Objective> objectives, StatedTables.Asked asked) {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ArrayNode stated = all.putArray("objectives");
    for (Objective objective : objectives) {
      ObjectNode one = ObjectiveJson.of(objective);
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
}
