package org.ecstore.codec.protobuf;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;

/**
 * Values as messages of Protocol Buffers. They evolve by its rules: numbers of fields are kept, and
 * fields that a program does not know stay in a value that it reads and writes again.
 *
 * <pre>{@code
 * static final Table<User> USERS = Table.of("users", ProtobufCodec.of(User.getDefaultInstance()));
 * }</pre>
 *
 * <p>Safe for use by several threads.
 *
 * @param <V> the type of the messages
 */
public final class ProtobufCodec<V extends Message> implements Codec<V> {
  /** As deep as a message of some use is, and a thread's stack surely carries. */
  private static final int DEPTH_MAX = 1_000;

  private final Parser<V> parser;
  private final String type;

  private ProtobufCodec(Parser<V> parser, String type) {
    this.parser = parser;
    this.type = type;
  }

  /**
   * Messages of a type.
   *
   * @param message any of the type, as its default instance
   */
  public static <V extends Message> ProtobufCodec<V> of(V message) {
    // The parser of a message is of its own type, which its class cannot say.
    @SuppressWarnings("unchecked")
    Parser<V> parser = (Parser<V>) message.getParserForType();
    return new ProtobufCodec<>(parser, message.getDescriptorForType().getFullName());
  }

  @Override
  public Bytes encode(V value) {
    if (!value.isInitialized()) {
      throw new WrongArgumentException(
          "the message lacks required fields",
          null,
          "type",
          type,
          "fields",
          value.findInitializationErrors());
    }
    return Bytes.wrap(value.toByteArray());
  }

  /** Of format {@code protobuf}; of messages and their fields the catalog knows nothing. */
  @Override
  public Optional<ValueSchema> schema() {
    return Optional.of(ValueSchema.of("protobuf"));
  }

  /**
   * A stored message.
   *
   * @throws WrongArgumentException if it is none of this type
   */
  @Override
  public V decode(Bytes encoded) {
    try {
      CodedInputStream in = CodedInputStream.newInstance(encoded.array());
      in.setRecursionLimit(DEPTH_MAX);
      V message = parser.parseFrom(in);
      in.checkLastTagWas(0);
      return message;
    } catch (InvalidProtocolBufferException e) {
      throw new WrongArgumentException(
          "the stored value is no message of this type",
          e,
          "type",
          type,
          "why",
          String.valueOf(e.getMessage()));
    }
  }
}
