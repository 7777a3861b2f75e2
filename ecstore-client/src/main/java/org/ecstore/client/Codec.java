package org.ecstore.client;

import java.nio.ByteBuffer;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;

/**
 * How the values of a table become bytes and back. Safe for use by several threads.
 *
 * @param <V> the type of the values
 */
public interface Codec<V> {
  /** The bytes of a value, never null; the caller owns them. */
  Bytes encode(V value);

  /**
   * The value of bytes that {@link #encode} gave, never null.
   *
   * @throws org.ecstore.client.error.WrongArgumentException if it gave no such bytes
   */
  V decode(Bytes encoded);

  /** Values are bytes. */
  static Codec<Bytes> bytes() {
    return new Codec<>() {
      @Override
      public Bytes encode(Bytes value) {
        return value;
      }

      @Override
      public Bytes decode(Bytes encoded) {
        return encoded;
      }
    };
  }

  /** Values are arrays, copied on the way in and out. */
  static Codec<byte[]> byteArrays() {
    return new Codec<>() {
      @Override
      public Bytes encode(byte[] value) {
        return Bytes.copyOf(value);
      }

      @Override
      public byte[] decode(Bytes encoded) {
        return encoded.array().clone();
      }
    };
  }

  /**
   * Values are text, in UTF-8. Text with half of a pair of surrogates is refused, and so are bytes
   * that are no UTF-8.
   */
  static Codec<String> utf8() {
    return new Utf8Codec();
  }

  /** Values are whole numbers: 8 bytes, the highest first. */
  static Codec<Long> longs() {
    return new Codec<>() {
      @Override
      public Bytes encode(Long value) {
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
    };
  }

  /**
   * There is nothing but keys: values take no bytes. See {@link Transaction#put(Table,
   * org.ecstore.key.Tuple)}.
   */
  static Codec<Nothing> nothing() {
    return new Codec<>() {
      @Override
      public Bytes encode(Nothing value) {
        return Bytes.EMPTY;
      }

      @Override
      public Nothing decode(Bytes encoded) {
        if (encoded.length() > 0) {
          throw new WrongArgumentException(
              "there is a value where only keys are stored", null, "bytes", encoded.length());
        }
        return Nothing.NOTHING;
      }
    };
  }
}
