package org.ecstore.tools.records;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Descending;
import org.ecstore.key.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Elements of keys as JSON: strings, whole numbers, numbers with a point or an exponent (doubles),
 * true, false and null as such; what JSON has not as an object with one member, {@code {"uuid":
 * "..."}}, {@code "instant"}, {@code "date"}, {@code "decimal"}, {@code "double"} for what is no
 * number, {@code "bytes"} in base64, and {@code "desc"} with an element.
 */
final class ElementJson {
  private static final Pattern REAL =
      Pattern.compile("[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?");
  private static final String UUID_MEMBER = "uuid";
  private static final String INSTANT = "instant";
  private static final String DATE = "date";
  private static final String DECIMAL = "decimal";
  private static final String DOUBLE = "double";
  private static final String BYTES = "bytes";
  private static final String DESC = "desc";

  private ElementJson() {}

  /** The key that an array of elements is. */
  static Tuple key(JsonNode array) throws BadRecordException {
    if (!array.isArray()) {
      throw new BadRecordException("the key is an array of its elements, not " + array);
    }
    List<@Nullable Object> elements = new ArrayList<>();
    for (JsonNode element : array) {
      elements.add(element(element));
    }
    try {
      return Tuple.of(elements.toArray());
    } catch (WrongArgumentException e) {
      throw new BadRecordException("the key is none: " + e.getMessage(), e);
    }
  }

  private static @Nullable Object element(JsonNode json) throws BadRecordException {
    return switch (json.getNodeType()) {
      case NULL -> null;
      case BOOLEAN -> json.booleanValue();
      case STRING -> json.textValue();
      case NUMBER -> number(json);
      case OBJECT -> typed(json);
      default -> throw new BadRecordException("no element of a key: " + json);
    };
  }

  private static Object number(JsonNode json) throws BadRecordException {
    if (!json.isIntegralNumber()) {
      double value = json.doubleValue();
      if (Double.isInfinite(value)) {
        throw new BadRecordException("a number that no double holds: {\"decimal\": \"...\"} does");
      }
      return value;
    }
    if (!json.canConvertToLong()) {
      throw new BadRecordException(
          json + " is too large for a number of 64 bits: {\"decimal\": \"...\"} holds it");
    }
    return json.longValue();
  }

  private static Object typed(JsonNode json) throws BadRecordException {
    if (json.size() != 1) {
      throw new BadRecordException("an element's object has one member, its type: " + json);
    }
    Map.Entry<String, JsonNode> only = json.properties().iterator().next();
    if (only.getKey().equals(DESC)) {
      try {
        return Tuple.desc(element(only.getValue()));
      } catch (WrongArgumentException e) {
        throw new BadRecordException("the key is none: " + e.getMessage(), e);
      }
    }
    if (!only.getValue().isTextual()) {
      throw new BadRecordException("an element by its type is a string: " + json);
    }
    String text = only.getValue().textValue();
    try {
      return switch (only.getKey()) {
        case UUID_MEMBER -> uuid(text);
        case INSTANT -> Instant.parse(text);
        case DATE -> LocalDate.parse(text);
        case DECIMAL -> new BigDecimal(text);
        case DOUBLE -> real(text);
        case BYTES -> Bytes.wrap(Base64.getDecoder().decode(text));
        default ->
            throw new BadRecordException(
                "no type of elements is called \""
                    + only.getKey()
                    + "\"; there are uuid, instant, date, decimal, double, bytes and desc");
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new BadRecordException("no " + only.getKey() + ": " + json, e);
    }
  }

  /** Only the form that is written: {@link UUID#fromString} takes others for it. */
  static UUID uuid(String text) {
    UUID uuid = UUID.fromString(text);
    if (!uuid.toString().equalsIgnoreCase(text)) {
      throw new IllegalArgumentException(text);
    }
    return uuid;
  }

  /** What {@link Double#toString} writes: Java's own forms, as {@code 1d}, are none. */
  static double real(String text) {
    double value = Double.parseDouble(text);
    boolean isWord = text.endsWith("Infinity") || text.equals("NaN");
    if (!isWord && (!REAL.matcher(text).matches() || Double.isInfinite(value))) {
      throw new IllegalArgumentException(text);
    }
    return value;
  }

  /** Writes a key as an array. */
  static void write(Tuple key, JsonGenerator out) throws IOException {
    out.writeStartArray();
    for (int i = 0; i < key.size(); i++) {
      write(key.element(i), out);
    }
    out.writeEndArray();
  }

  private static void write(@Nullable Object element, JsonGenerator out) throws IOException {
    switch (element) {
      case null -> out.writeNull();
      case Boolean yes -> out.writeBoolean(yes);
      case String text -> out.writeString(text);
      case Long number -> out.writeNumber(number);
      case Double number when Double.isFinite(number) -> out.writeNumber(number);
      case Double number -> typed(DOUBLE, number.toString(), out);
      case UUID uuid -> typed(UUID_MEMBER, uuid.toString(), out);
      case Instant instant -> typed(INSTANT, instant.toString(), out);
      case LocalDate date -> typed(DATE, date.toString(), out);
      case BigDecimal decimal -> typed(DECIMAL, decimal.toString(), out);
      case Bytes bytes -> typed(BYTES, Base64.getEncoder().encodeToString(bytes.array()), out);
      case Descending descending -> {
        out.writeStartObject();
        out.writeFieldName(DESC);
        write(descending.element(), out);
        out.writeEndObject();
      }
      default -> throw new IllegalStateException("no element of a key: " + element);
    }
  }

  private static void typed(String type, String text, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField(type, text);
    out.writeEndObject();
  }
}
