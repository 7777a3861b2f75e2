package org.ecstore.bench.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.ecstore.bench.store.Target;

/**
 * What was measured of several stores, and how the first of them stands to the others. For one
 * thread.
 */
public final class Comparison {
  /** In what is said of a store: how it was set up. */
  static final String SETTINGS = "settings";

  /** In place of a result. */
  private static final String FAILED = "failed";

  /** In place of what is said of a store. */
  private static final String UNAVAILABLE = "unavailable";

  private final ObjectNode settings = JsonNodeFactory.instance.objectNode();
  private final Map<String, ObjectNode> stores = new LinkedHashMap<>();
  private final Set<Cell> cells = new LinkedHashSet<>();
  private final List<Result> results = new ArrayList<>();

  private record Result(int round, String store, Cell cell, ObjectNode json) {}

  /** Says something of the whole run, which all stores have in common. */
  public ObjectNode settings() {
    return settings;
  }

  /** A store takes part. Returns what is said of it. */
  public ObjectNode takesPart(String store, Target target) {
    ObjectNode said = JsonNodeFactory.instance.objectNode();
    ObjectNode its = said.putObject(SETTINGS);
    target.settings().forEach(its::put);
    ArrayNode processes = said.putArray("processes");
    target.processes().forEach(processes::add);
    OptionalLong disk = target.bytesOnDisk();
    disk.ifPresent(bytes -> said.put("bytesOnDisk", bytes));
    takesPart(store, said);
    return said;
  }

  /** A store takes part, of which that was said. */
  public void takesPart(String store, ObjectNode said) {
    stores.put(store, said);
  }

  /** A store cannot take part. */
  public void isUnavailable(String store, String why) {
    stores.put(store, JsonNodeFactory.instance.objectNode().put(UNAVAILABLE, why));
  }

  /** One measurement, as a client process printed it. */
  public void add(int round, String store, Cell cell, ObjectNode result) {
    cells.add(cell);
    results.add(new Result(round, store, cell, result));
  }

  /** A measurement that came to nothing. */
  public void failed(int round, String store, Cell cell, String why) {
    add(round, store, cell, JsonNodeFactory.instance.objectNode().put(FAILED, why));
  }

  /**
   * Whether each store took part, and each measurement has a result without errors, of which all
   * that was due was begun.
   */
  public boolean isClean() {
    return stores.values().stream().noneMatch(store -> store.has(UNAVAILABLE))
        && results.stream()
            .allMatch(
                result ->
                    !result.json().has(FAILED)
                        && result.json().path("errors").asLong() == 0
                        && result.json().path("undone").asLong() == 0);
  }

  /** Everything: settings, medians and ratios by cell, and each result. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.setAll(settings);
    ObjectNode its = json.putObject("stores");
    stores.forEach(its::set);
    ArrayNode compared = json.putArray("workloads");
    cells.forEach(cell -> compared.add(compared(cell)));
    ArrayNode each = json.putArray("results");
    for (Result result : results) {
      ObjectNode one = each.addObject().put("round", result.round()).put("store", result.store());
      one.put("command", result.cell().command()).put("workload", result.cell().workload());
      one.put("clients", result.cell().clients());
      if (result.cell().rate() > 0) {
        one.put("rate", result.cell().rate());
      }
      one.setAll(result.json());
    }
    return json;
  }

  private ObjectNode compared(Cell cell) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("title", cell.title()).put("command", cell.command());
    json.put("workload", cell.workload()).put("clients", cell.clients());
    if (cell.rate() > 0) {
      json.put("rate", cell.rate());
    }
    ObjectNode medians = json.putObject("medians");
    for (String store : stores.keySet()) {
      List<ObjectNode> of =
          results.stream()
              .filter(result -> result.store().equals(store) && result.cell().equals(cell))
              .map(Result::json)
              .filter(result -> !result.has(FAILED))
              .toList();
      if (!of.isEmpty()) {
        medians.set(store, Medians.of(of));
      }
    }
    String first = stores.keySet().iterator().next();
    ObjectNode ratios = json.putObject("ratios");
    for (Map.Entry<String, JsonNode> other : medians.properties()) {
      if (!other.getKey().equals(first) && medians.has(first)) {
        ratios.set(other.getKey(), Medians.ratios(medians.get(first), other.getValue()));
      }
    }
    return json;
  }
}
