package org.ecstore.client;

import java.nio.ByteBuffer;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.schema.ValueSchema;
import org.ecstore.key.Bytes;

/** Whole numbers as the operations on numbers have them ({@link org.ecstore.model.AtomicOp}). */
final class LongCodec implements Codec<Long> {
  static final LongCodec INSTANCE = new LongCodec();

  private LongCodec() {}

  @Override
  public Bytes encode(Long value) {
    return bytes(value);
  }

  static Bytes bytes(long value) {
    return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
  }

  @Override
  public Optional<ValueSchema> schema() {
    return Optional.of(ValueSchema.of("number of 8 bytes"));
  }

  @Override
  public Long decode(Bytes encoded) {
    if (encoded.length() != Long.BYTES) {
      throw new WrongArgumentException(
          "the value is no number of 8 bytes", null, "bytes", encoded.length());
    }
    return ByteBuffer.wrap(encoded.array()).getLong();
  }
}
