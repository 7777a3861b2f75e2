package org.ecstore.server.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DurableFiles;

/**
 * What a directory says of itself: which part of which store it is, and at which start of that
 * store it was last used. Each start draws an id; a part keeps the last two.
 *
 * @param starts how often the store had been started, that time included
 * @param start the id of that start
 * @param before the id of the start before; the same again for the first
 * @param parts of the directory that holds the others: which there were
 */
record PartMark(
    UUID cluster, String part, long starts, UUID start, UUID before, List<String> parts) {
  static final String FILE = "part-of";

  private static final String CLUSTER = "cluster";
  private static final String PART = "part";
  private static final String STARTS = "starts";
  private static final String START = "start";
  private static final String BEFORE = "before";
  private static final String PARTS = "parts";
  private static final String SEPARATOR = ", ";

  PartMark {
    parts = List.copyOf(parts);
  }

  /**
   * The mark of a directory; absent if it has none.
   *
   * @throws IOException if it cannot be read, or is no mark
   */
  static Optional<PartMark> read(Path directory) throws IOException {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Map<String, String> entries = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      int equals = line.indexOf('=');
      if (equals > 0 && !line.startsWith("#")) {
        entries.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
      }
    }
    try {
      String parts = entries.getOrDefault(PARTS, "");
      return Optional.of(
          new PartMark(
              UUID.fromString(entry(entries, CLUSTER)),
              entry(entries, PART),
              Long.parseLong(entry(entries, STARTS)),
              UUID.fromString(entry(entries, START)),
              UUID.fromString(entry(entries, BEFORE)),
              parts.isEmpty() ? List.of() : List.of(parts.split(SEPARATOR))));
    } catch (IllegalArgumentException e) {
      throw new MixedPartsException(file + " is damaged: " + e.getMessage());
    }
  }

  private static String entry(Map<String, String> entries, String name) {
    String value = entries.get(name);
    if (value == null) {
      throw new IllegalArgumentException("it has no entry \"" + name + "\"");
    }
    return value;
  }

  /** Writes it durably. */
  void write(Path directory) throws IOException {
    StringBuilder text =
        new StringBuilder("# Which store this directory is a part of. Written at each start.\n");
    line(text, CLUSTER, cluster.toString());
    line(text, PART, part);
    line(text, STARTS, Long.toString(starts));
    line(text, START, start.toString());
    line(text, BEFORE, before.toString());
    if (!parts.isEmpty()) {
      line(text, PARTS, String.join(SEPARATOR, parts));
    }
    DurableFiles.replace(directory, FILE, Bytes.utf8(text.toString()));
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(name).append(" = ").append(value).append('\n');
  }
}
