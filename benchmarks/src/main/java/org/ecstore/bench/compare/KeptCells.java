package org.ecstore.bench.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of each cell, kept as soon as it is there: a run that was interrupted goes on
 * where it was, and one of few rounds with more of them. A file of JSON lines: the settings that
 * all cells have in common, then cells and what is said of stores. What failed is not kept. For one
 * thread.
 */
public final class KeptCells {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long BYTES_MAX = 256L << 20;
  private static final String SETTINGS = "settings";
  private static final String STORE = "store";
  private static final String SAID = "said";
  private static final String RESULT = "result";

  private record Key(int round, String store, Cell cell) {}

  private final @Nullable Path file;
  private final Map<Key, ObjectNode> cells = new HashMap<>();
  private final Map<String, ObjectNode> stores = new HashMap<>();

  private KeptCells(@Nullable Path file) {
    this.file = file;
  }

  /** Keeps nothing. */
  public static KeptCells none() {
    return new KeptCells(null);
  }

  /**
   * In a file, which is made if it is not there.
   *
   * @param settings without which cells cannot be put beside each other
   * @throws BadInputException if it has cells of other settings, or is no such file
   */
  public static KeptCells in(Path file, ObjectNode settings) throws IOException {
    KeptCells kept = new KeptCells(file);
    List<JsonNode> lines = Files.exists(file) ? lines(file) : List.of();
    if (lines.isEmpty()) {
      Files.writeString(file, line(JsonNodeFactory.instance.objectNode().set(SETTINGS, settings)));
      return kept;
    }
    JsonNode theirs = lines.getFirst().path(SETTINGS);
    // By its text: a number that was read may be of another type than the same one that was not.
    if (!theirs.toString().equals(settings.toString())) {
      throw new BadInputException(
          "%s is of a run with other settings: %s; these are %s. Give another directory, or the same settings"
              .formatted(file, theirs, settings));
    }
    lines.subList(1, lines.size()).forEach(kept::read);
    return kept;
  }

  /** The lines that are whole: of the last one a part may be there, which is cut off. */
  private static List<JsonNode> lines(Path file) throws IOException {
    if (Files.size(file) > BYTES_MAX) {
      throw new BadInputException(
          "%s has more than %d MiB: it is none of kept cells".formatted(file, BYTES_MAX >> 20));
    }
    String text = Files.readString(file);
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    if (whole.length() < text.length()) {
      Files.writeString(file, whole);
    }
    List<JsonNode> lines = new ArrayList<>();
    for (String line : whole.lines().toList()) {
      try {
        lines.add(MAPPER.readTree(line));
      } catch (JsonProcessingException e) {
        throw new BadInputException(
            "%s is not what a run has kept: %s".formatted(file, e.getOriginalMessage()));
      }
    }
    return lines;
  }

  private void read(JsonNode line) {
    String store = line.path(STORE).asText();
    if (line.get(SAID) instanceof ObjectNode said) {
      stores.put(store, said);
    } else if (line.get(RESULT) instanceof ObjectNode result) {
      Cell cell =
          new Cell(
              line.path("command").asText(),
              line.path("workload").asText(),
              line.path("clients").asInt(),
              line.path("rate").asInt());
      cells.put(new Key(line.path("round").asInt(), store, cell), result);
    }
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

  private void append(JsonNode json) throws IOException {
    if (file != null) {
      Files.writeString(file, line(json), StandardOpenOption.APPEND);
    }
  }

  private static String line(JsonNode json) {
    return json + "\n";
  }
}
