package org.ecstore.key;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the bytes that {@link TupleElements} describes. */
final class TupleWriter {
  private byte[] buffer;
  private int length;

  /** Whether what is written has to be inverted: it ends with a second 00 then. */
  private boolean descends;

  private TupleWriter(Bytes prefix, int elements) {
    buffer = Arrays.copyOf(prefix.array(), prefix.length() + 16 * elements);
    length = prefix.length();
  }

  static Bytes encode(Bytes prefix, @Nullable Object[] elements) {
    TupleWriter out = new TupleWriter(prefix, elements.length);
    for (Object element : elements) {
      out.write(element);
    }
    return Bytes.wrap(Arrays.copyOf(out.buffer, out.length));
  }

  private void write(@Nullable Object element) {
    if (element == null) {
      writeByte(TupleElements.NULL);
    } else if (element instanceof Bytes bytes) {
      writeByte(TupleElements.BYTES);
      writeEscaped(bytes.array());
    } else if (element instanceof String text) {
      writeByte(TupleElements.STRING);
      writeEscaped(text.getBytes(StandardCharsets.UTF_8));
    } else if (element instanceof Long number) {
      writeLong(number);
    } else if (element instanceof UUID uuid) {
      writeByte(TupleElements.UUID_TAG);
      writeFixed(uuid.getMostSignificantBits(), 8);
      writeFixed(uuid.getLeastSignificantBits(), 8);
    } else if (element instanceof Instant instant) {
      writeByte(TupleElements.INSTANT);
      writeFixed(instant.getEpochSecond() ^ Long.MIN_VALUE, 8);
      writeFixed(instant.getNano(), 4);
    } else if (element instanceof Boolean yes) {
      writeByte(yes ? TupleElements.TRUE : TupleElements.FALSE);
    } else if (element instanceof Double number) {
      writeByte(TupleElements.DOUBLE);
      long bits = Double.doubleToLongBits(number);
      writeFixed(bits ^ (bits >> 63 | Long.MIN_VALUE), 8);
    } else if (element instanceof LocalDate date) {
      writeByte(TupleElements.DATE);
      writeFixed(date.toEpochDay() + TupleElements.DATE_OFFSET, TupleElements.DATE_BYTES);
    } else if (element instanceof BigDecimal decimal) {
      writeDecimal(decimal);
    } else if (element instanceof Descending descending) {
      writeByte(TupleElements.DESCENDING);
      int from = length;
      descends = true;
      write(descending.element());
      descends = false;
      invert(from);
    } else {
      throw new IllegalStateException("no element of a tuple: " + element);
    }
  }

  private void writeDecimal(BigDecimal decimal) {
    if (decimal.signum() == 0) {
      writeByte(TupleElements.DECIMAL_ZERO);
      return;
    }
    writeByte(decimal.signum() < 0 ? TupleElements.BELOW_ZERO : TupleElements.ABOVE_ZERO);
    int from = length;
    writeLong(TupleDecimals.power(decimal));
    for (byte pair : TupleDecimals.digits(decimal)) {
      writeByte(pair);
    }
    writeByte(0);
    if (decimal.signum() < 0) {
      invert(from);
    }
  }

  private void invert(int from) {
    for (int i = from; i < length; i++) {
      buffer[i] = (byte) ~buffer[i];
    }
  }

  private void writeEscaped(byte[] content) {
    for (byte b : content) {
      writeByte(b);
      if (b == 0) {
        writeByte(TupleElements.ESCAPED);
      }
    }
    writeByte(0);
    if (descends) {
      writeByte(0);
    }
  }

  private void writeLong(long number) {
    int bytes = TupleElements.bytesOf(number);
    writeByte(number < 0 ? TupleElements.MINUS_ONE - bytes : TupleElements.ZERO + bytes);
    writeFixed(number, bytes);
  }

  /** The low bytes of a number, the highest of them first. */
  private void writeFixed(long number, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
      writeByte((int) (number >>> shift));
    }
  }

  private void writeByte(int value) {
    if (length == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * length + 16);
    }
    buffer[length++] = (byte) value;
  }
}
