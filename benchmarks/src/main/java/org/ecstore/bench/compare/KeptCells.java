package org.ecstore.bench.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.bench.report.HeadedLog;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of each cell, kept as soon as it is there: a run that was interrupted goes on
 * where it was, and one of few rounds with more of them. A {@link HeadedLog}: its head has the
 * settings that all cells have in common, its lines are cells and what is said of stores. What
 * failed is not kept. For one thread.
 */
public final class KeptCells {
  private static final String STORE = "store";
  private static final String SAID = "said";
  private static final String RESULT = "result";

  private record Key(int round, String store, Cell cell) {}

  private final Map<Key, ObjectNode> cells = new HashMap<>();
  private final Map<String, ObjectNode> stores = new HashMap<>();
  private @Nullable HeadedLog log;

  private KeptCells() {}

  /** Keeps nothing. */
  public static KeptCells none() {
    return new KeptCells();
  }

  /**
   * In a file, which is made if it is not there.
   *
   * @param settings without which cells cannot be put beside each other
   * @throws BadInputException if it has cells of other settings, or is no such file
   * @throws IOException if it cannot be read or written
   */
  public static KeptCells in(Path file, ObjectNode settings) throws IOException {
    KeptCells kept = new KeptCells();
    try {
      HeadedLog.there(file, settings, kept::read);
    } catch (HeadedLog.OtherHeadException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
    kept.log = HeadedLog.open(file, settings);
    return kept;
  }

  /** Takes a line, if it is one of these. */
  private Optional<JsonNode> read(JsonNode line) {
    String store = line.path(STORE).asText();
    if (line.get(SAID) instanceof ObjectNode said
        && said.get(Comparison.SETTINGS) instanceof ObjectNode) {
      stores.put(store, said);
      return Optional.of(line);
    }
    if (line.get(RESULT) instanceof ObjectNode result) {
      Cell cell =
          new Cell(
              line.path("command").asText(),
              line.path("workload").asText(),
              line.path("clients").asInt(),
              line.path("rate").asInt());
      cells.put(new Key(line.path("round").asInt(), store, cell), result);
      return Optional.of(line);
    }
    return Optional.empty();
  }

  /** A measurement, if it is there. */
  public Optional<ObjectNode> of(int round, String store, Cell cell) {
    return Optional.ofNullable(cells.get(new Key(round, store, cell)));
  }

  /** Whether nothing of a store is left to measure. */
  public boolean hasAll(String store, List<Cell> all, int rounds) {
    for (int round = 1; round <= rounds; round++) {
      for (Cell cell : all) {
        if (of(round, store, cell).isEmpty()) {
          return false;
        }
      }
    }
    return stores.containsKey(store);
  }

  /** What was said of a store, if that is there. */
  public Optional<ObjectNode> said(String store) {
    return Optional.ofNullable(stores.get(store));
  }

  /** Keeps what is said of a store. */
  public void keepSaid(String store, ObjectNode said) throws IOException {
    stores.put(store, said);
    ObjectNode line = JsonNodeFactory.instance.objectNode().put(STORE, store);
    append(line.set(SAID, said));
  }

  /** Keeps a measurement. */
  public void keep(int round, String store, Cell cell, ObjectNode result) throws IOException {
    cells.put(new Key(round, store, cell), result);
    ObjectNode line = JsonNodeFactory.instance.objectNode().put("round", round).put(STORE, store);
    line.put("command", cell.command()).put("workload", cell.workload());
    line.put("clients", cell.clients()).put("rate", cell.rate());
    append(line.set(RESULT, result));
  }

  private void append(JsonNode line) throws IOException {
    HeadedLog to = log;
    if (to != null) {
      to.add(line);
    }
  }
}
