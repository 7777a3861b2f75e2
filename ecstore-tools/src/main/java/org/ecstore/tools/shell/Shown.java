package org.ecstore.tools.shell;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.ecstore.client.QuorumRead;
import org.ecstore.client.QuorumStore;
import org.ecstore.client.schema.ComponentSchema;
import org.ecstore.client.schema.TypeSchema;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyText;
import org.ecstore.key.MalformedTupleException;
import org.ecstore.key.Tuple;
import org.ecstore.model.Quorum;

/** Keys and values as text that the shell reads again. */
final class Shown {
  private Shown() {}

  /** A key as it is typed: one text without quotes, one other element alone, else a tuple. */
  static String key(Tuple key) {
    if (key.size() != 1) {
      return KeyText.of(key);
    }
    Object element = key.element(0);
    if (element instanceof String text) {
      return isPlain(text) ? text : KeyText.quoted(text);
    }
    return KeyText.element(element);
  }

  private static boolean isPlain(String text) {
    return !text.isEmpty()
        && "(\"'#".indexOf(text.charAt(0)) < 0
        && !text.startsWith("x'")
        && Words.isText(text)
        && text.chars().noneMatch(c -> Character.isWhitespace(c) || !KeyText.isPrinted((char) c));
  }

  /** What a table's values consist of, as the catalog has it. */
  static List<String> values(ValueSchema schema) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "values: "
            + String.join(", ", schema.formats())
            + (schema.values().isEmpty() ? "" : " of " + String.join(", ", schema.values())));
    for (TypeSchema type : schema.types()) {
      lines.add(
          "  "
              + type.name()
              + type.components().stream()
                  .map(Shown::component)
                  .collect(Collectors.joining(", ", "(", ")")));
    }
    return lines;
  }

  private static String component(ComponentSchema component) {
    return component.types().isEmpty()
        ? component.name()
        : String.join(" or ", component.types()) + " " + component.name();
  }

  /** What a quorum is good for. */
  static String quorum(QuorumStore store) {
    Quorum quorum = store.quorum();
    return "of %d copies %d have a write, and %d answer a read%s"
        .formatted(
            quorum.n(),
            quorum.w(),
            quorum.r(),
            quorum.isStrict() ? "" : ", which may be stale: W + R is not above N");
  }

  /** Which copies have answered. */
  static String copies(QuorumRead<?> answer) {
    return "by "
        + answer.copies().stream()
            .map(copy -> copy.node() + " at " + copy.closed().value())
            .collect(Collectors.joining(", "))
        + answer.version().map(number -> ", written as number " + number.value()).orElse("")
        + (answer.writtenBack() ? ", now on W copies" : "")
        + (answer.mayBeStale() ? ", may be stale" : "");
  }

  /** A value: text if it is some, else the tuple it is, else its bytes. */
  static String value(Bytes value) {
    return text(value).or(() -> decoded(value)).orElseGet(() -> KeyText.hex(value));
  }

  private static Optional<String> text(Bytes value) {
    try {
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value.array())).toString();
      boolean printable =
          text.chars().noneMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\t');
      return printable ? Optional.of(text) : Optional.empty();
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> decoded(Bytes value) {
    try {
      return Optional.of(KeyText.of(Tuple.decode(value)));
    } catch (MalformedTupleException e) {
      return Optional.empty();
    }
  }
}
