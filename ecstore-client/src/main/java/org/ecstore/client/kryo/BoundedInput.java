package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.KryoBufferUnderflowException;
import java.util.Arrays;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.key.Bytes;

/**
 * Kryo's input over a byte string, with every length checked against what is left before anything
 * is allocated; Kryo itself allocates first. It never refills and never writes to the array, which
 * is lent. A new one is made for each value, since Kryo keeps the characters of earlier strings in
 * it.
 */
final class BoundedInput extends Input {
  BoundedInput(Bytes bytes) {
    super(bytes.array(), 0, bytes.length());
  }

  static BoundedInput of(byte[] bytes) {
    return new BoundedInput(Bytes.wrap(bytes));
  }

  /** Passes over bytes if they are what comes next. */
  boolean skipIfNext(byte[] expected) {
    int end = position + expected.length;
    boolean next =
        expected.length <= remaining()
            && Arrays.equals(buffer, position, end, expected, 0, expected.length);
    if (next) {
      position = end;
    }
    return next;
  }

  int remaining() {
    return limit - position;
  }

  /** A count of elements of at least one byte each. */
  int readCount() {
    return requireElements(readVarInt(true), 1);
  }

  private int requireElements(int count, int bytesEach) {
    if (count < 0 || count > remaining() / bytesEach) {
      throw new SerialException(
          "a length of "
              + Integer.toUnsignedString(count)
              + " with "
              + remaining()
              + " bytes left");
    }
    return count;
  }

  @Override
  protected int require(int required) {
    if (remaining() < required) {
      throw new KryoBufferUnderflowException("the value ends early");
    }
    return remaining();
  }

  /** Kryo reads nothing but lengths, plus one, in this way: those of strings. */
  @Override
  public int readVarIntFlag(boolean optimizePositive) {
    int countPlusOne = super.readVarIntFlag(optimizePositive);
    if (countPlusOne != 0) {
      requireElements(countPlusOne - 1, 1);
    }
    return countPlusOne;
  }

  @Override
  public byte[] readBytes(int length) {
    return super.readBytes(requireElements(length, 1));
  }

  @Override
  public int[] readInts(int length) {
    return super.readInts(requireElements(length, Integer.BYTES));
  }

  @Override
  public int[] readInts(int length, boolean optimizePositive) {
    return super.readInts(requireElements(length, 1), optimizePositive);
  }

  @Override
  public long[] readLongs(int length) {
    return super.readLongs(requireElements(length, Long.BYTES));
  }

  @Override
  public long[] readLongs(int length, boolean optimizePositive) {
    return super.readLongs(requireElements(length, 1), optimizePositive);
  }

  @Override
  public float[] readFloats(int length) {
    return super.readFloats(requireElements(length, Float.BYTES));
  }

  @Override
  public double[] readDoubles(int length) {
    return super.readDoubles(requireElements(length, Double.BYTES));
  }

  @Override
  public short[] readShorts(int length) {
    return super.readShorts(requireElements(length, Short.BYTES));
  }

  @Override
  public char[] readChars(int length) {
    return super.readChars(requireElements(length, Character.BYTES));
  }

  @Override
  public boolean[] readBooleans(int length) {
    return super.readBooleans(requireElements(length, 1));
  }
}
