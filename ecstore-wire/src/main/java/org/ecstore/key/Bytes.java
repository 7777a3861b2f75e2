package org.ecstore.key;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.ecstore.client.error.WrongArgumentException;

/**
 * An immutable byte string, ordered as unsigned bytes, a prefix before its extensions. Keys and
 * values are of this type. {@link #wrap} takes ownership of the array: its caller must not write to
 * it afterwards; {@link #array} lends it: its caller must not write to it either.
 */
public final class Bytes implements Comparable<Bytes> {
  /** The empty byte string: the least key. */
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] array;
  private int hash;

  private Bytes(byte[] array) {
    this.array = array;
  }

  /** Takes ownership of the array. */
  public static Bytes wrap(byte[] array) {
    return array.length == 0 ? EMPTY : new Bytes(array);
  }

  /** Copies the array. */
  public static Bytes copyOf(byte[] array) {
    return wrap(array.clone());
  }

  /** Bytes given as ints, for literals: {@code Bytes.of(0x01, 0xff)}. */
  public static Bytes of(int... values) {
    byte[] array = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      array[i] = (byte) values[i];
    }
    return wrap(array);
  }

  /** The UTF-8 encoding of a string. */
  public static Bytes utf8(String text) {
    return wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Length in bytes. */
  public int length() {
    return array.length;
  }

  /**
   * The byte at an index.
   *
   * @throws WrongArgumentException if there is none
   */
  public byte at(int index) {
    if (index < 0 || index >= array.length) {
      throw outside("index", index, "length", array.length);
    }
    return array[index];
  }

  /** The array itself, lent: it must not be written to. */
  public byte[] array() {
    return array;
  }

  /**
   * The bytes from an index (inclusive) to an index (exclusive).
   *
   * @throws WrongArgumentException if they are not 0 &lt;= from &lt;= to &lt;= length
   */
  public Bytes slice(int from, int to) {
    if (from < 0 || from > to || to > array.length) {
      throw outside("from", from, "to", to, "length", array.length);
    }
    return wrap(Arrays.copyOfRange(array, from, to));
  }

  private static WrongArgumentException outside(Object... details) {
    return new WrongArgumentException("outside of the byte string", null, details);
  }

  /** This followed by another. */
  public Bytes concat(Bytes other) {
    byte[] joined = Arrays.copyOf(array, array.length + other.array.length);
    System.arraycopy(other.array, 0, joined, array.length, other.array.length);
    return wrap(joined);
  }

  /** Whether this begins with a prefix. */
  public boolean startsWith(Bytes prefix) {
    return prefix.array.length <= array.length
        && Arrays.equals(array, 0, prefix.array.length, prefix.array, 0, prefix.array.length);
  }

  /** The least byte string greater than this one: this followed by a zero byte. */
  public Bytes successor() {
    return wrap(Arrays.copyOf(array, array.length + 1));
  }

  /** As UTF-8 text. */
  public String toUtf8() {
    return new String(array, StandardCharsets.UTF_8);
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(array, other.array);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes that && Arrays.equals(array, that.array);
  }

  @Override
  public int hashCode() {
    int value = hash;
    if (value == 0) {
      value = Arrays.hashCode(array);
      hash = value;
    }
    return value;
  }

  /** Printable ASCII as it is, other bytes as {@code \\xhh}; long strings are cut. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    int shown = Math.min(array.length, 64);
    for (int i = 0; i < shown; i++) {
      byte b = array[i];
      if (b >= 0x20 && b < 0x7f && b != '\\') {
        text.append((char) b);
      } else {
        text.append("\\x").append(HexFormat.of().toHexDigits(b));
      }
    }
    if (shown < array.length) {
      text.append("...(").append(array.length).append(" bytes)");
    }
    return text.toString();
  }
}
