package org.ecstore.tools.records;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.ecstore.tools.terminal.BadInputException;

/**
 * A column of a CSV file that has a type: an element of the key, or a part of the value.
 *
 * @param type what its text is
 */
public record TypedColumn(String name, Type type) {
  /** What the text of a column can be. */
  public enum Type {
    TEXT,
    LONG,
    DOUBLE,
    BOOLEAN,
    DATE,
    INSTANT,
    UUID,
    DECIMAL
  }

  /**
   * A column as it is named on the command line: {@code name}, which is text, or {@code name:type}.
   *
   * @param option that names it
   * @throws BadInputException if there is no such type
   */
  public static TypedColumn parse(String option, String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      return new TypedColumn(text, Type.TEXT);
    }
    String type = text.substring(colon + 1);
    return Arrays.stream(Type.values())
        .filter(one -> one.name().equalsIgnoreCase(type))
        .findFirst()
        .map(one -> new TypedColumn(text.substring(0, colon), one))
        .orElseThrow(
            () ->
                new BadInputException(
                    option
                        + ": no type \"%s\"; there are %s"
                            .formatted(
                                type,
                                Arrays.stream(Type.values())
                                    .map(one -> one.name().toLowerCase(Locale.ROOT))
                                    .collect(Collectors.joining(", ")))));
  }

  Object element(String text) throws BadRecordException {
    try {
      return switch (type) {
        case TEXT -> text;
        case LONG -> Long.valueOf(text);
        case DOUBLE -> ElementJson.real(text);
        case BOOLEAN -> bool(text);
        case DATE -> LocalDate.parse(text);
        case INSTANT -> Instant.parse(text);
        case UUID -> ElementJson.uuid(text);
        case DECIMAL -> new BigDecimal(text);
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new BadRecordException(
          "column \"%s\" is no %s: \"%s\""
              .formatted(name, type.name().toLowerCase(Locale.ROOT), text),
          e);
    }
  }

  /** Adds what a text is to the JSON of a value: null for no text at all, unless it is text. */
  void put(ObjectNode value, String text) throws BadRecordException {
    if (text.isEmpty() && type != Type.TEXT) {
      value.putNull(name);
      return;
    }
    Object element = element(text);
    if (element instanceof Long number) {
      value.put(name, number);
    } else if (element instanceof Double number) {
      if (!Double.isFinite(number)) {
        throw new BadRecordException(
            "column \"%s\": JSON has no number \"%s\"".formatted(name, text));
      }
      value.put(name, number);
    } else if (element instanceof Boolean yes) {
      value.put(name, yes);
    } else if (element instanceof BigDecimal number) {
      value.put(name, number);
    } else {
      value.put(name, text);
    }
  }

  private static boolean bool(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(text);
    }
    return text.equals("true");
  }
}
