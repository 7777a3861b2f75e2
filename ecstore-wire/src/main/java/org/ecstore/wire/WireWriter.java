package org.ecstore.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * Appends values to a growing byte array: big-endian fixed integers, and variable-length integers
 * (seven bits a byte, low first) where small numbers are common. The counterpart of {@link
 * WireReader}. Not safe for use by several threads.
 */
public final class WireWriter {
  private static final int KEPT_BYTES_MAX = 1 << 20;
  private static final int DOUBLED_BYTES_MAX = 1 << 20;

  private byte[] buffer;
  private int length;

  public WireWriter() {
    this(256);
  }

  public WireWriter(int capacity) {
    buffer = new byte[Math.max(16, capacity)];
  }

  private void room(int more) {
    if (buffer.length - length < more) {
      buffer = Arrays.copyOf(buffer, Math.max(grown(), Math.addExact(length, more)));
    }
  }

  /** A large buffer grows by a quarter: twice the largest message is much of a small heap. */
  private int grown() {
    return buffer.length <= DOUBLED_BYTES_MAX
        ? buffer.length * 2
        : buffer.length + buffer.length / 4;
  }

  /** One byte. */
  public WireWriter u8(int value) {
    room(1);
    buffer[length++] = (byte) value;
    return this;
  }

  /** One byte, 0 or 1. */
  public WireWriter bool(boolean value) {
    return u8(value ? 1 : 0);
  }

  /** Four bytes, big-endian. */
  public WireWriter i32(int value) {
    room(4);
    buffer[length++] = (byte) (value >>> 24);
    buffer[length++] = (byte) (value >>> 16);
    buffer[length++] = (byte) (value >>> 8);
    buffer[length++] = (byte) value;
    return this;
  }

  /** Eight bytes, big-endian. */
  public WireWriter i64(long value) {
    return i32((int) (value >>> 32)).i32((int) value);
  }

  /** A variable-length integer; negative numbers take ten bytes. */
  public WireWriter varint(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      buffer[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    buffer[length++] = (byte) rest;
    return this;
  }

  /** A length and that many bytes. */
  public WireWriter bytes(Bytes value) {
    varint(value.length());
    return raw(value.array());
  }

  /** Bytes without a length. */
  public WireWriter raw(byte[] value) {
    return raw(value, 0, value.length);
  }

  /** Some of an array, without a length: from an index to before another. */
  public WireWriter raw(byte[] value, int from, int to) {
    room(to - from);
    System.arraycopy(value, from, buffer, length, to - from);
    length += to - from;
    return this;
  }

  /** UTF-8 text with its length. */
  public WireWriter text(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    varint(utf8.length);
    return raw(utf8);
  }

  /** UTF-8 text without its length. */
  public WireWriter rawText(String value) {
    return raw(value.getBytes(StandardCharsets.UTF_8));
  }

  /** A presence byte and, if present, the value. */
  public <T> WireWriter optional(Optional<T> value, BiConsumer<WireWriter, T> writer) {
    bool(value.isPresent());
    value.ifPresent(present -> writer.accept(this, present));
    return this;
  }

  /** A count and that many elements. */
  public <T> WireWriter list(List<T> values, BiConsumer<WireWriter, T> writer) {
    varint(values.size());
    for (T value : values) {
      writer.accept(this, value);
    }
    return this;
  }

  public WireWriter range(KeyRange range) {
    bytes(range.start());
    return optional(range.end(), WireWriter::bytes);
  }

  public WireWriter node(NodeId id) {
    return varint(id.value());
  }

  public WireWriter rangeId(RangeId id) {
    return varint(id.value());
  }

  public WireWriter epoch(Epoch epoch) {
    return varint(epoch.value());
  }

  public WireWriter position(Position position) {
    return varint(position.value());
  }

  public WireWriter mapVersion(MapVersion version) {
    return varint(version.value());
  }

  public WireWriter point(ReadPoint point) {
    return position(point.position()).mapVersion(point.mapVersion());
  }

  public WireWriter txn(TxnId id) {
    return i64(id.client()).i64(id.sequence());
  }

  /** Bytes written so far. */
  public int length() {
    return length;
  }

  /**
   * What was written, in its first {@link #length} bytes and without a copy: for who takes it from
   * there before anything else is written.
   */
  public byte[] array() {
    return buffer;
  }

  /** Forgets what was written, to begin anew with the same room, or less if it was very much. */
  public WireWriter clear() {
    length = 0;
    if (buffer.length > KEPT_BYTES_MAX) {
      buffer = new byte[KEPT_BYTES_MAX];
    }
    return this;
  }

  /** A copy of what was written. */
  public byte[] toByteArray() {
    return Arrays.copyOf(buffer, length);
  }

  /** What was written, as {@link Bytes}. */
  public Bytes toBytes() {
    return Bytes.wrap(toByteArray());
  }
}
