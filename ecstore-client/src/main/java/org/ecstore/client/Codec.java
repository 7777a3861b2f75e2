package org.ecstore.client;

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
}
