package org.ecstore.client;

import java.nio.ByteBuffer;
import org.ecstore.client.error.WrongArgumentException;
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
  public Long decode(Bytes encoded) {
    if (encoded.length() != Long.BYTES) {
      throw new WrongArgumentException(
          "the value is no number of 8 bytes", null, "bytes", encoded.length());
    }
    return ByteBuffer.wrap(encoded.array()).getLong();
  }
}
