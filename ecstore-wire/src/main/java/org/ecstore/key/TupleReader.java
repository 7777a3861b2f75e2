package org.ecstore.key;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the bytes that {@link TupleElements} describes; refuses all others. */
final class TupleReader {
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private final byte[] in;
  private int at;

  private TupleReader(byte[] in, int at) {
    this.in = in;
    this.at = at;
  }

  static @Nullable Object[] decode(Bytes encoded, int from) {
    TupleReader reader = new TupleReader(encoded.array(), from);
    List<@Nullable Object> elements = new ArrayList<>();
    while (reader.at < reader.in.length) {
      elements.add(reader.readElement());
    }
    return elements.toArray();
  }

  private @Nullable Object readElement() {
    int tag = readByte();
    return switch (tag) {
      case TupleElements.NULL -> null;
      case TupleElements.BYTES -> Bytes.wrap(readEscaped());
      case TupleElements.STRING -> readString();
      case TupleElements.UUID_TAG -> new UUID(readFixed(8), readFixed(8));
      case TupleElements.INSTANT -> readInstant();
      default -> {
        if (tag < TupleElements.MINUS_ONE - 8 || tag > TupleElements.ZERO + 8) {
          throw new MalformedTupleException("unknown type of tuple element: " + tag);
        }
        yield readLong(tag);
      }
    };
  }

  private long readLong(int tag) {
    boolean negative = tag <= TupleElements.MINUS_ONE;
    int length = negative ? TupleElements.MINUS_ONE - tag : tag - TupleElements.ZERO;
    long number = readFixed(length);
    if (negative && length < 8) {
      number |= -1L << (8 * length);
    }
    if (number < 0 != negative || TupleElements.bytesOf(number) != length) {
      throw new MalformedTupleException("a long in other bytes than its own");
    }
    return number;
  }

  private Instant readInstant() {
    long seconds = readFixed(8) ^ Long.MIN_VALUE;
    long nanos = readFixed(4);
    if (seconds < Instant.MIN.getEpochSecond()
        || seconds > Instant.MAX.getEpochSecond()
        || nanos >= NANOS_PER_SECOND) {
      throw new MalformedTupleException("no instant: " + seconds + " s and " + nanos + " ns");
    }
    return Instant.ofEpochSecond(seconds, nanos);
  }

  private String readString() {
    byte[] utf8 = readEscaped();
    if (isAscii(utf8)) {
      return new String(utf8, StandardCharsets.ISO_8859_1);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedTupleException("a string that is not UTF-8: " + Bytes.wrap(utf8));
    }
  }

  private static boolean isAscii(byte[] bytes) {
    int all = 0;
    for (byte b : bytes) {
      all |= b;
    }
    return all >= 0;
  }

  private byte[] readEscaped() {
    int from = at;
    int escapes = 0;
    while (readByte() != 0 || isEscape()) {
      if (in[at - 1] == 0) {
        at++;
        escapes++;
      }
    }
    if (escapes == 0) {
      return Arrays.copyOfRange(in, from, at - 1);
    }
    byte[] content = new byte[at - 1 - from - escapes];
    for (int i = 0, next = from; i < content.length; i++, next++) {
      content[i] = in[next];
      if (in[next] == 0) {
        next++;
      }
    }
    return content;
  }

  private boolean isEscape() {
    return at < in.length && (in[at] & 0xff) == TupleElements.ESCAPED;
  }

  private long readFixed(int length) {
    long value = 0;
    for (int i = 0; i < length; i++) {
      value = value << 8 | readByte();
    }
    return value;
  }

  private int readByte() {
    if (at == in.length) {
      throw new MalformedTupleException("a tuple that ends within an element");
    }
    return in[at++] & 0xff;
  }
}
