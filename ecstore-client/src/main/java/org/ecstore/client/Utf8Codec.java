package org.ecstore.client;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;

/**
 * Text in UTF-8. Half of a pair of surrogates has no bytes there: put down as a question mark, as
 * Java's own conversion does, it would come back as another text.
 */
final class Utf8Codec implements Codec<String> {
  @Override
  public Bytes encode(String value) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return Bytes.wrap(bytes);
    } catch (CharacterCodingException e) {
      throw new WrongArgumentException(
          "the text has half of a pair of surrogates, which UTF-8 cannot hold", e);
    }
  }

  @Override
  public Optional<ValueSchema> schema() {
    return Optional.of(ValueSchema.of("text"));
  }

  /** JSON is text. */
  @Override
  public Optional<String> unreadable(ValueSchema stored) {
    return Codec.otherFormat(stored, List.of("text", "JSON"));
  }

  @Override
  public String decode(Bytes encoded) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(encoded.array()))
          .toString();
    } catch (CharacterCodingException e) {
      throw new WrongArgumentException("the value is no text in UTF-8", e);
    }
  }
}
