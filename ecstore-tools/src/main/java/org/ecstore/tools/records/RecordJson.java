package org.ecstore.tools.records;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.ecstore.client.Codec;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.wire.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Records as lines of JSON, {@code {"key":["alice",7],"value":{"name":"Alice"}}}. A value is JSON,
 * stored as its text without blanks; or else {@code "text"}, stored in UTF-8; or {@code "base64"},
 * any bytes. Which one a stored value is written as is seen from its bytes, so that they come back
 * as they were.
 */
public final class RecordJson implements RecordSink {
  private static final String KEY = "key";
  static final String VALUE = "value";
  private static final String TEXT = "text";
  private static final String BASE64 = "base64";

  /** Of a line: one more than a value may have that is written as JSON. */
  private static final int DEPTH_MAX = 1_000;

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxNumberLength(Limits.VALUE_BYTES_MAX)
                  .maxNameLength(Limits.VALUE_BYTES_MAX)
                  .build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
          .build();
  private static final JsonMapper MAPPER = JsonMapper.builder(FACTORY).build();

  private final Bytes prefix;
  private final boolean opaque;

  /** For the records of a table. */
  public RecordJson(String table) {
    this(table, false);
  }

  /**
   * For the records of a table.
   *
   * @param opaque whether values are no text, whatever they look like: written as {@code "base64"}
   */
  public RecordJson(String table, boolean opaque) {
    prefix = Tuple.of(table).encode();
    this.opaque = opaque;
  }

  /**
   * The record of a line.
   *
   * @throws BadRecordException if it is none, or larger than the store takes
   */
  public RecordLine read(byte[] line) throws BadRecordException {
    Tuple key = null;
    Bytes value = null;
    boolean isJson = false;
    try (JsonParser in = FACTORY.createParser(line)) {
      in.setCodec(MAPPER);
      if (in.nextToken() != JsonToken.START_OBJECT) {
        throw new BadRecordException("a record is an object with \"key\" and \"value\"");
      }
      while (in.nextToken() != JsonToken.END_OBJECT) {
        String name = in.currentName();
        in.nextToken();
        if (name.equals(KEY)) {
          key = ElementJson.key(in.readValueAsTree());
        } else if (value != null) {
          throw new BadRecordException("a record has one value, as JSON, text or base64");
        } else {
          value = value(name, in);
          isJson = name.equals(VALUE);
        }
      }
      if (in.nextToken() != null) {
        throw new BadRecordException("something follows the record's object");
      }
    } catch (JsonProcessingException e) {
      throw new BadRecordException(
          "no JSON at character "
              + (e.getLocation() == null ? 0 : e.getLocation().getColumnNr())
              + ": "
              + e.getOriginalMessage(),
          e);
    } catch (IOException e) {
      throw new BadRecordException("no JSON: " + e.getMessage(), e);
    }
    RecordLine read = checked(key, value);
    return isJson ? read.ofJson() : read;
  }

  private static Bytes value(String name, JsonParser in) throws IOException, BadRecordException {
    if (name.equals(VALUE)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      copy(in, out);
      return Bytes.wrap(out.toByteArray());
    }
    if (!name.equals(TEXT) && !name.equals(BASE64)) {
      throw new BadRecordException(
          "a record has no \"" + name + "\", but \"key\" and \"value\", \"text\" or \"base64\"");
    }
    JsonNode text = in.readValueAsTree();
    if (!text.isTextual()) {
      throw new BadRecordException("\"" + name + "\" is a string, not " + text);
    }
    return value(name, text.textValue());
  }

  private static Bytes value(String kind, String text) throws BadRecordException {
    if (kind.equals(TEXT)) {
      try {
        return Codec.utf8().encode(text);
      } catch (WrongArgumentException e) {
        throw new BadRecordException("\"text\" is none: " + e.getMessage(), e);
      }
    }
    try {
      return Bytes.wrap(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw new BadRecordException("\"base64\" is none: " + e.getMessage(), e);
    }
  }

  /** The record of a key's JSON, what its value is (as in a line), and that. */
  RecordLine of(String key, String kind, String text) throws BadRecordException {
    try {
      Bytes value;
      if (kind.equals(VALUE)) {
        value = stored(text.getBytes(StandardCharsets.UTF_8));
      } else if (kind.equals(TEXT) || kind.equals(BASE64)) {
        value = value(kind, text);
      } else {
        throw new BadRecordException("no kind \"" + kind + "\"; there are json, text and base64");
      }
      RecordLine line = checked(ElementJson.key(MAPPER.readTree(key)), value);
      return kind.equals(VALUE) ? line.ofJson() : line;
    } catch (JsonProcessingException e) {
      throw new BadRecordException("no JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new BadRecordException("no JSON: " + e.getMessage(), e);
    }
  }

  /** The record of a key's elements and JSON. */
  RecordLine of(List<Object> key, ObjectNode value) throws BadRecordException {
    try {
      return checked(Tuple.of(key.toArray()), Bytes.utf8(MAPPER.writeValueAsString(value)))
          .ofJson();
    } catch (JsonProcessingException | WrongArgumentException e) {
      throw new BadRecordException(String.valueOf(e.getMessage()), e);
    }
  }

  private RecordLine checked(@Nullable Tuple key, @Nullable Bytes value) throws BadRecordException {
    if (key == null || value == null) {
      throw new BadRecordException(
          "a record has \"key\", and \"value\", \"text\" or \"base64\": "
              + (key == null ? "the key" : "the value")
              + " is missing");
    }
    int bytes = key.encode(prefix).length();
    if (bytes > Limits.KEY_BYTES_MAX) {
      throw new BadRecordException(
          "the key takes %d bytes, and %d are the most".formatted(bytes, Limits.KEY_BYTES_MAX));
    }
    if (value.length() > Limits.VALUE_BYTES_MAX) {
      throw new BadRecordException(
          "the value takes %d bytes, and %d are the most"
              .formatted(value.length(), Limits.VALUE_BYTES_MAX));
    }
    return new RecordLine(key, value);
  }

  /** Copies a value without blanks, its numbers as they are written. */
  private static void copy(JsonParser in, ByteArrayOutputStream to)
      throws IOException, BadRecordException {
    try (JsonGenerator out = FACTORY.createGenerator(to)) {
      int depth = 0;
      do {
        JsonToken token = in.currentToken();
        if (token == null) {
          return;
        }
        switch (token) {
          case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.writeNumber(in.getText());
          default -> out.copyCurrentEvent(in);
        }
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (depth >= DEPTH_MAX) {
          throw new BadRecordException(
              "the value is nested more than " + (DEPTH_MAX - 1) + " deep");
        }
        if (depth > 0) {
          in.nextToken();
        }
      } while (depth > 0);
    }
  }

  /** JSON as it is stored. */
  private static Bytes stored(byte[] text) throws IOException, BadRecordException {
    try (JsonParser in = FACTORY.createParser(text)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream(text.length);
      if (in.nextToken() == null) {
        throw new BadRecordException("no JSON: nothing is there");
      }
      copy(in, out);
      if (in.nextToken() != null) {
        throw new BadRecordException("no JSON: something follows it");
      }
      return Bytes.wrap(out.toByteArray());
    }
  }

  /**
   * What a stored value is written as.
   *
   * @param kind the member of a line that it is in
   */
  record Written(String kind, String text) {}

  /** The same of bytes that are no text. */
  static Written opaque(Bytes value) {
    return new Written(BASE64, Base64.getEncoder().encodeToString(value.array()));
  }

  static Written written(Bytes value) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value.array())).toString();
    } catch (CharacterCodingException e) {
      return opaque(value);
    }
    return new Written(isStoredJson(value) ? VALUE : TEXT, text);
  }

  /** Whether a value is what storing some JSON gives. */
  private static boolean isStoredJson(Bytes value) {
    try {
      return value.equals(stored(value.array()));
    } catch (IOException | BadRecordException e) {
      return false;
    }
  }

  static String key(Tuple key) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(text)) {
      ElementJson.write(key, out);
    }
    return text.toString();
  }

  @Override
  public byte[] header() {
    return new byte[0];
  }

  /** The line of a record, with its end. */
  @Override
  public byte[] bytes(RecordLine line) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = FACTORY.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeFieldName(KEY);
      ElementJson.write(line.key(), out);
      if (opaque) {
        out.writeStringField(BASE64, opaque(line.value()).text());
      } else {
        writeValue(line.value(), out);
      }
      out.writeEndObject();
    }
    bytes.write('\n');
    return bytes.toByteArray();
  }

  /** A value as a member of an object: {@code "value"}, {@code "text"} or {@code "base64"}. */
  static void writeValue(Bytes value, JsonGenerator out) throws IOException {
    Written written = written(value);
    out.writeFieldName(written.kind());
    if (written.kind().equals(VALUE)) {
      out.writeRawValue(written.text());
    } else {
      out.writeString(written.text());
    }
  }
}
