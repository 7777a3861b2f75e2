package org.ecstore.key;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the bytes that {@link TupleElements} describes; refuses all others. */
final class TupleReader {
  private static final int NANOS_PER_SECOND = 1_000_000_000;

  private final byte[] in;
  private int at;

  /** What each byte is inverted by: all ones within some elements, and zero else. */
  private int inverted;

  /** Whether strings end with a second 00. */
  private boolean descends;

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

  static Optional<String> firstText(Bytes encoded) {
    return encoded.length() > 0 && encoded.array()[0] == TupleElements.STRING
        ? Optional.of(new TupleReader(encoded.array(), 1).readString())
        : Optional.empty();
  }

  private @Nullable Object readElement() {
    int tag = readByte();
    return switch (tag) {
      case TupleElements.NULL -> null;
      case TupleElements.BYTES -> Bytes.wrap(readEscaped());
      case TupleElements.STRING -> readString();
      case TupleElements.UUID_TAG -> new UUID(readFixed(8), readFixed(8));
      case TupleElements.INSTANT -> readInstant();
      case TupleElements.FALSE -> false;
      case TupleElements.TRUE -> true;
      case TupleElements.DOUBLE -> readDouble();
      case TupleElements.DATE -> readDate();
      case TupleElements.DECIMAL_ZERO -> BigDecimal.ZERO;
      case TupleElements.ABOVE_ZERO -> readDecimal();
      case TupleElements.BELOW_ZERO -> {
        inverted ^= 0xff;
        BigDecimal value = readDecimal();
        inverted ^= 0xff;
        yield value.negate();
      }
      case TupleElements.DESCENDING -> readDescending();
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

  private double readDouble() {
    long read = readFixed(8);
    long bits = read ^ (~read >> 63 | Long.MIN_VALUE);
    double value = Double.longBitsToDouble(bits);
    if (Double.doubleToLongBits(value) != bits) {
      throw new MalformedTupleException("a NaN in other bytes than its own");
    }
    return value;
  }

  private LocalDate readDate() {
    long day = readFixed(TupleElements.DATE_BYTES) - TupleElements.DATE_OFFSET;
    if (day < LocalDate.MIN.toEpochDay() || day > LocalDate.MAX.toEpochDay()) {
      throw new MalformedTupleException("no date: day " + day);
    }
    return LocalDate.ofEpochDay(day);
  }

  private BigDecimal readDecimal() {
    int tag = readByte();
    if (tag < TupleElements.MINUS_ONE - 8 || tag > TupleElements.ZERO + 8) {
      throw new MalformedTupleException("a decimal without a power: " + tag);
    }
    long power = readLong(tag);
    int from = at;
    while (readByte() != 0) {}
    byte[] pairs = new byte[at - 1 - from];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = (byte) byteAt(from + i);
    }
    return TupleDecimals.decoded(power, pairs);
  }

  private Descending readDescending() {
    if (descends) {
      throw new MalformedTupleException("a descending element within another");
    }
    inverted ^= 0xff;
    descends = true;
    Object element = readElement();
    descends = false;
    inverted ^= 0xff;
    return Descending.decoded(element);
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
      if (byteAt(at - 1) == 0) {
        at++;
        escapes++;
      }
    }
    byte[] content =
        escapes == 0 ? Arrays.copyOfRange(in, from, at - 1) : new byte[at - 1 - from - escapes];
    for (int i = 0, next = from; escapes + inverted > 0 && i < content.length; i++, next++) {
      content[i] = (byte) byteAt(next);
      if (content[i] == 0) {
        next++;
      }
    }
    if (descends && readByte() != 0) {
      throw new MalformedTupleException("a descending string that does not end");
    }
    return content;
  }

  private boolean isEscape() {
    return at < in.length && byteAt(at) == TupleElements.ESCAPED;
  }

  private int byteAt(int index) {
    return (in[index] & 0xff) ^ inverted;
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
    return byteAt(at++);
  }
}
