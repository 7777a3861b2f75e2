package org.ecstore.tools.records;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.ecstore.tools.terminal.BadInputException;

/**
 * A column of a CSV file that is an element of the key.
 *
 * @param type what its text is
 */
public record KeyColumn(String name, Type type) {
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
   * @throws BadInputException if there is no such type
   */
  public static KeyColumn parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      return new KeyColumn(text, Type.TEXT);
    }
    String type = text.substring(colon + 1);
    return Arrays.stream(Type.values())
        .filter(one -> one.name().equalsIgnoreCase(type))
        .findFirst()
        .map(one -> new KeyColumn(text.substring(0, colon), one))
        .orElseThrow(
            () ->
                new BadInputException(
                    "--key: no type \"%s\"; there are %s"
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

  private static boolean bool(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException(text);
    }
    return text.equals("true");
  }
}
