package org.ecstore.codec.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;

/**
 * Values as JSON, by Jackson: readable in the shell and by programs in other languages, and what
 * {@code ecstore import} stores.
 *
 * <pre>{@code
 * record User(String name, Optional<LocalDate> born) {}
 *
 * static final Table<User> USERS = Table.of("users", JsonCodec.of(User.class));
 * }</pre>
 *
 * <p>Members are stored by name. One that was added reads as null, 0 or an empty Optional where a
 * stored value lacks it; {@code @JsonAlias} declares a former name, {@code @JsonIgnoreProperties} a
 * member that was removed. A value with a member that is not declared is refused: the program would
 * lose it when it writes the value again. Times and dates are texts of ISO 8601. What else there
 * is, an application's own mapper says.
 *
 * <p>Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public final class JsonCodec<V> implements Codec<V> {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNumberLength(Limits.VALUE_BYTES_MAX)
                          .maxNameLength(Limits.VALUE_BYTES_MAX)
                          .build())
                  .build())
          .addModule(new Jdk8Module())
          .addModule(new JavaTimeModule())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
          .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
          .build();

  private final JavaType type;
  private final ObjectReader reader;
  private final ObjectWriter writer;

  private JsonCodec(ObjectMapper mapper, JavaType type) {
    this.type = type;
    this.reader = mapper.readerFor(type);
    this.writer = mapper.writerFor(type);
  }

  /** Values of a class. */
  public static <V> JsonCodec<V> of(Class<V> type) {
    return of(type, MAPPER);
  }

  /** Values of a type with parameters, as {@code new TypeReference<List<User>>() {}}. */
  public static <V> JsonCodec<V> of(TypeReference<V> type) {
    return of(type, MAPPER);
  }

  /**
   * Values of a class by a mapper of one's own, which is not changed any more from now on. What it
   * writes has to be what it reads for as long as values are stored.
   */
  public static <V> JsonCodec<V> of(Class<V> type, ObjectMapper mapper) {
    return new JsonCodec<>(mapper, mapper.constructType(type));
  }

  /** As above, for a type with parameters. */
  public static <V> JsonCodec<V> of(TypeReference<V> type, ObjectMapper mapper) {
    return new JsonCodec<>(mapper, mapper.constructType(type));
  }

  @Override
  public Bytes encode(V value) {
    try {
      return Bytes.wrap(writer.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw wrong("the value cannot be written as JSON", e);
    }
  }

  /** Of format {@code JSON}; of its members the catalog knows nothing. */
  @Override
  public Optional<ValueSchema> schema() {
    return Optional.of(ValueSchema.of("JSON"));
  }

  /** Text may be JSON: what is stored by {@code Codec.utf8()} is looked at when it is read. */
  @Override
  public Optional<String> unreadable(ValueSchema stored) {
    return Codec.otherFormat(stored, List.of("JSON", "text"));
  }

  /**
   * A stored value.
   *
   * @throws WrongArgumentException if it is no JSON of this type; the detail {@code why} says where
   */
  @Override
  public V decode(Bytes encoded) {
    try {
      return reader.readValue(encoded.array());
    } catch (JsonProcessingException e) {
      throw wrong("the stored value is no JSON of this type", e);
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory cannot be read", e);
    }
  }

  private WrongArgumentException wrong(String what, JsonProcessingException e) {
    String why = e.getOriginalMessage();
    return new WrongArgumentException(what, e, "type", type.toCanonical(), "why", why);
  }
}
