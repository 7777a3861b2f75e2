package org.ecstore.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.server.file.FileErrors;
import org.ecstore.tools.terminal.BadInputException;

/**
 * A file of JSON lines, each of which is on disk before the next is made: the first line, the head,
 * says what the others are of. What was torn by a crash at the end is cut off.
 */
public final class HeadedLog {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long BYTES_MAX = 64L << 20;
  private static final String REMEDY = "give another --out, or move all that is in the directory";

  private final Path file;

  private HeadedLog(Path file) {
    this.file = file;
  }

  /**
   * A line as one of these; absent if it is none.
   *
   * @param <T> what the lines below the head are
   */
  @FunctionalInterface
  public interface Form<T> {
    Optional<T> of(JsonNode line);
  }

  /** What the file is of, and in what that differs from what is wanted. */
  public static final class OtherHeadException extends IOException {
    OtherHeadException(Path file, List<String> differences, String remedy) {
      super(
          "%s is of another measurement: %s; %s"
              .formatted(file, String.join(", ", differences), remedy));
    }
  }

  /**
   * The head of a file; absent if the file is not there, or has no whole line.
   *
   * @throws BadInputException if it is none of these
   * @throws IOException if it cannot be read
   */
  public static Optional<JsonNode> head(Path file) throws IOException {
    List<JsonNode> lines = read(file).lines();
    return lines.isEmpty() ? Optional.empty() : Optional.of(lines.getFirst());
  }

  /**
   * What is in a file, below its head; none if it is not there.
   *
   * @param head what the file is of: an object of names and values
   * @throws OtherHeadException if it is of another one
   * @throws BadInputException if it is none of these
   * @throws IOException if it cannot be read
   */
  public static <T> List<T> there(Path file, ObjectNode head, Form<T> form) throws IOException {
    return there(file, head, form, REMEDY);
  }

  /**
   * As above.
   *
   * @param remedy what a user does where the file is of another head
   */
  public static <T> List<T> there(Path file, ObjectNode head, Form<T> form, String remedy)
      throws IOException {
    Contents contents = read(file);
    List<JsonNode> lines = contents.lines();
    if (lines.isEmpty()) {
      if (!(head + "\n").startsWith(contents.torn())) {
        throw new BadInputException(
            file + " has no whole line, and does not begin as one would: give another --out");
      }
      return List.of();
    }
    List<String> differences = differences(head, lines.getFirst());
    if (!differences.isEmpty()) {
      throw new OtherHeadException(file, differences, remedy);
    }
    List<T> there = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      int number = i + 1;
      there.add(
          form.of(lines.get(i))
              .orElseThrow(() -> new BadInputException(file + ", line " + number + ": is no run")));
    }
    return List.copyOf(there);
  }

  /**
   * Opens a file to which lines are added, or begins it. That it is of this head was looked at.
   *
   * @throws IOException if that fails
   */
  public static HeadedLog open(Path file, ObjectNode head) throws IOException {
    HeadedLog log = new HeadedLog(file);
    long whole = read(file).bytes();
    if (whole == 0) {
      Files.deleteIfExists(file);
      log.add(head);
    } else if (whole < Files.size(file)) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(whole);
        channel.force(true);
      }
    }
    return log;
  }

  /** In what a head is another than this one: a few words each. */
  public static List<String> differences(ObjectNode head, JsonNode other) {
    List<String> differences = new ArrayList<>();
    for (Map.Entry<String, JsonNode> own : head.properties()) {
      JsonNode there = other.path(own.getKey());
      if (!words(there).equals(words(own.getValue()))) {
        differences.add(
            "%s is %s there, not %s"
                .formatted(
                    own.getKey(),
                    there.isMissingNode() ? "not said" : words(there),
                    words(own.getValue())));
      }
    }
    return differences;
  }

  /** By its text: a number that was read may be of another type than the same one that was not. */
  private static String words(JsonNode value) {
    return value.isContainerNode() ? value.toString() : value.asText();
  }

  /**
   * What is in a file.
   *
   * @param bytes of its whole lines
   * @param torn what is behind them, a character for each byte
   */
  private record Contents(List<JsonNode> lines, long bytes, String torn) {}

  private static Contents read(Path file) throws IOException {
    if (!Files.exists(file)) {
      return new Contents(List.of(), 0, "");
    }
    FileErrors.mustBeFile(file);
    if (Files.size(file) > BYTES_MAX) {
      throw new BadInputException(file + " is longer than any file of runs");
    }
    byte[] all = Files.readAllBytes(file);
    int whole = all.length;
    while (whole > 0 && all[whole - 1] != '\n') {
      whole--;
    }
    List<JsonNode> lines = new ArrayList<>();
    for (String line : text(file, ByteBuffer.wrap(all, 0, whole)).lines().toList()) {
      lines.add(json(file, lines.size() + 1, line));
    }
    return new Contents(
        lines, whole, new String(all, whole, all.length - whole, StandardCharsets.ISO_8859_1));
  }

  private static String text(Path file, ByteBuffer bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new BadInputException(file + ": is no text in UTF-8");
    }
  }

  private static JsonNode json(Path file, int line, String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new BadInputException(file + ", line " + line + ": is no JSON");
    }
  }

  /**
   * Adds a line; it is on disk when this returns.
   *
   * @throws IOException if that fails; what there is of the line is cut off again
   */
  public void add(JsonNode line) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      long before = channel.size();
      try {
        append(channel.position(before), line);
      } catch (IOException e) {
        channel.truncate(before);
        throw e;
      }
    }
  }

  private static void append(FileChannel channel, JsonNode line) throws IOException {
    ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + "\n");
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.force(true);
  }
}
