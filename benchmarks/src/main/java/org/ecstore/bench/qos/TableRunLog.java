package org.ecstore.bench.qos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.server.file.FileErrors;
import org.ecstore.txn.qos.table.GridPoint;

/**
 * The file that keeps every run of a table as soon as it is made, so that a measurement that was
 * killed goes on where it was: the first line says what is measured, each further one is a run, all
 * as JSON. What was torn by a crash at the end is cut off.
 */
public final class TableRunLog {
  /** Behind the table's name. */
  public static final String ENDING = ".runs.jsonl";

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long BYTES_MAX = 64L << 20;

  private final Path file;
  private final List<TableRun> runs;

  private TableRunLog(Path file, List<TableRun> runs) {
    this.file = file;
    this.runs = runs;
  }

  /** What was measured, and in what that differs from what is wanted. */
  public static final class OtherSubjectException extends IOException {
    OtherSubjectException(Path file, List<String> differences) {
      super(
          "%s is of another table: %s; give another --out, or remove it"
              .formatted(file, String.join(", ", differences)));
    }
  }

  /**
   * Whether the runs of a directory, if there are any, are of a subject.
   *
   * @throws OtherSubjectException if not
   * @throws IOException if the file cannot be read, or is none of these
   */
  public static void check(Path directory, MeasuredSubject subject) throws IOException {
    read(file(directory, subject), subject);
  }

  /** The runs of a subject that are there, none if there are none; as {@link #check}. */
  public static List<TableRun> there(Path directory, MeasuredSubject subject) throws IOException {
    return read(file(directory, subject), subject).runs();
  }

  /**
   * Opens the runs of a subject, or begins them.
   *
   * @throws OtherSubjectException if those there are of another one
   */
  public static TableRunLog open(Path directory, MeasuredSubject subject) throws IOException {
    Path file = file(directory, subject);
    Contents contents = read(file, subject);
    TableRunLog log = new TableRunLog(file, new ArrayList<>(contents.runs()));
    if (contents.bytes() == 0) {
      Files.deleteIfExists(file);
      log.write(subject.json());
    } else if (contents.bytes() < Files.size(file)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(contents.bytes());
        channel.force(true);
      }
    }
    return log;
  }

  private static Path file(Path directory, MeasuredSubject subject) {
    return directory.resolve(subject.name() + ENDING);
  }

  /**
   * What is in a file.
   *
   * @param bytes of its whole lines
   */
  private record Contents(List<TableRun> runs, long bytes) {}

  private static Contents read(Path file, MeasuredSubject subject) throws IOException {
    if (!Files.exists(file)) {
      return new Contents(List.of(), 0);
    }
    FileErrors.mustBeFile(file);
    if (Files.size(file) > BYTES_MAX) {
      throw new IOException(file + " is longer than any file of runs");
    }
    String text = Files.readString(file, StandardCharsets.UTF_8);
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    List<String> lines = whole.lines().toList();
    if (lines.isEmpty()) {
      return new Contents(List.of(), 0);
    }
    List<String> differences = subject.differencesFrom(json(file, 1, lines.getFirst()));
    if (!differences.isEmpty()) {
      throw new OtherSubjectException(file, differences);
    }
    List<TableRun> runs = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      int number = i + 1;
      runs.add(
          TableRun.of(json(file, number, lines.get(i)))
              .orElseThrow(() -> new IOException(file + ", line " + number + ": is no run")));
    }
    return new Contents(runs, whole.getBytes(StandardCharsets.UTF_8).length);
  }

  private static JsonNode json(Path file, int line, String text) throws IOException {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IOException(file + ", line " + line + ": is no JSON", e);
    }
  }

  /** All that were made, in their order. */
  public List<TableRun> runs() {
    return List.copyOf(runs);
  }

  /** Those of a cell. */
  public List<TableRun> runs(GridPoint point) {
    return runs.stream().filter(run -> run.point().equals(point)).toList();
  }

  /** Keeps a run; it is on disk when this returns. */
  public void add(TableRun run) throws IOException {
    write(run.json());
    runs.add(run);
  }

  private void write(JsonNode line) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + "\n");
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }
}
