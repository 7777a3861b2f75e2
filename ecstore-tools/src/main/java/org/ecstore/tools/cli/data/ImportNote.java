package org.ecstore.tools.cli.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.server.file.SmallFiles;
import org.ecstore.tools.terminal.BadInputException;

/**
 * A file beside the one that is imported, {@code F.imported}, that says how far it has come. It is
 * there from the first transaction on until all is imported.
 */
final class ImportNote {
  private static final String SUFFIX = ".imported";
  private static final int BYTES_MAX = 1 << 16;
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final long NANOS_BETWEEN = 500_000_000;

  private final Path file;
  private final Path directory;
  private final String name;
  private final Path note;
  private final String table;
  private long writtenAt = System.nanoTime() - NANOS_BETWEEN;

  ImportNote(Path file, String table) {
    this.file = file.toAbsolutePath();
    this.directory = Objects.requireNonNull(this.file.getParent(), "a file is in a directory");
    this.name = this.file.getFileName() + SUFFIX;
    this.note = directory.resolve(name);
    this.table = table;
  }

  /** Whether an import of that file has stopped before its end. */
  boolean isThere() {
    return Files.exists(note);
  }

  /**
   * How many of the file's records are in the table.
   *
   * @throws BadInputException if there is no such note, or it is of another table or of what the
   *     file was before
   */
  long records() throws IOException {
    if (!isThere()) {
      throw new BadInputException(
          "no import of %s has stopped, or it was another's directory: %s is not there; without --resume it begins"
              .formatted(file, note));
    }
    JsonNode said;
    try {
      said = MAPPER.readTree(SmallFiles.readText(note, BYTES_MAX));
    } catch (JsonProcessingException e) {
      throw new BadInputException(note + " is no note of an import: delete it");
    }
    if (!said.path("table").asText().equals(table)) {
      throw new BadInputException(
          "%s is of an import into table %s, not %s"
              .formatted(note, said.path("table").asText(), table));
    }
    if (said.path("bytes").asLong() != Files.size(file)
        || said.path("modified").asLong() != modified()) {
      throw new BadInputException(
          file + " has changed since its import stopped: import it again without --resume");
    }
    return said.path("records").asLong();
  }

  private long modified() throws IOException {
    return Files.getLastModifiedTime(file).toMillis();
  }

  /** So many records are in the table; written down twice a second at most. */
  void done(long records) throws IOException {
    if (System.nanoTime() - writtenAt >= NANOS_BETWEEN) {
      write(records);
      writtenAt = System.nanoTime();
    }
  }

  /** As above, in any case. */
  void write(long records) throws IOException {
    String said =
        MAPPER
            .createObjectNode()
            .put("table", table)
            .put("bytes", Files.size(file))
            .put("modified", modified())
            .put("records", records)
            .toString();
    DurableFiles.replace(directory, name, Bytes.utf8(said + "\n"));
  }

  /** All is imported. */
  void delete() throws IOException {
    Files.deleteIfExists(note);
  }
}
