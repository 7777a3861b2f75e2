package org.ecstore.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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
 * Reads what a {@link WireWriter} wrote, from bytes of unknown origin: every length is checked
 * against what is left before anything is allocated, and anything unexpected is a {@link
 * MalformedMessageException}. Not safe for use by several threads.
 */
public final class WireReader {
  private final byte[] buffer;
  private final int end;
  private int at;

  public WireReader(Bytes bytes) {
    this(bytes.array(), 0, bytes.length());
  }

  public WireReader(byte[] buffer, int from, int to) {
    this.buffer = buffer;
    this.at = from;
    this.end = to;
  }

  /** Bytes not read yet. */
  public int remaining() {
    return end - at;
  }

  private void need(int count) {
    if (end - at < count) {
      throw new MalformedMessageException("message ends early");
    }
  }

  /** Where in its array it reads next. */
  int at() {
    return at;
  }

  /** Passes by some bytes. */
  void skip(int count) {
    need(count);
    at += count;
  }

  /** A reader of a part of the same array, from an index to before another. */
  WireReader part(int from, int to) {
    return new WireReader(buffer, from, to);
  }

  public int u8() {
    need(1);
    return buffer[at++] & 0xff;
  }

  public boolean bool() {
    int value = u8();
    if (value > 1) {
      throw new MalformedMessageException("not a boolean: " + value);
    }
    return value == 1;
  }

  public int i32() {
    need(4);
    return (buffer[at++] & 0xff) << 24
        | (buffer[at++] & 0xff) << 16
        | (buffer[at++] & 0xff) << 8
        | (buffer[at++] & 0xff);
  }

  public long i64() {
    return (long) i32() << 32 | (i32() & 0xffffffffL);
  }

  public long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      int b = u8();
      if (shift == 63 && (b & 0x7f) > 1) {
        throw new MalformedMessageException("integer of more than 64 bits");
      }
      value |= (long) (b & 0x7f) << shift;
      if ((b & 0x80) == 0) {
        return value;
      }
    }
    throw new MalformedMessageException("integer longer than ten bytes");
  }

  /** A variable-length integer that must not be negative. */
  public long natural() {
    long value = varint();
    if (value < 0) {
      throw new MalformedMessageException("negative number");
    }
    return value;
  }

  /** A count of things of at least one byte each: never more than the bytes left. */
  public int count() {
    long value = varint();
    if (value < 0 || value > remaining()) {
      throw new MalformedMessageException("count beyond the message: " + value);
    }
    return (int) value;
  }

  public Bytes bytes() {
    return bytes(Integer.MAX_VALUE);
  }

  /** As {@link #bytes()}, of a length up to a limit. */
  public Bytes bytes(int bytesMax) {
    int length = count();
    if (length > bytesMax) {
      throw MalformedMessageException.tooLarge(
          length + " bytes where " + bytesMax + " are allowed");
    }
    Bytes value = Bytes.wrap(Arrays.copyOfRange(buffer, at, at + length));
    at += length;
    return value;
  }

  /** Passes by what {@link #bytes()} would read. */
  public void skipBytes() {
    skip(count());
  }

  public String text() {
    int length = count();
    String value = new String(buffer, at, length, StandardCharsets.UTF_8);
    at += length;
    return value;
  }

  /** All bytes that are left, without a length, so many at most. */
  public Bytes rest(int bytesMax) {
    int length = remaining();
    if (length > bytesMax) {
      throw MalformedMessageException.tooLarge(
          length + " bytes where " + bytesMax + " are allowed");
    }
    skip(length);
    return Bytes.wrap(Arrays.copyOfRange(buffer, end - length, end));
  }

  /** As {@link #rest}, of nothing but UTF-8. */
  public String restAsText(int bytesMax) {
    byte[] utf8 = rest(bytesMax).array();
    String value = new String(utf8, StandardCharsets.UTF_8);
    if (!Arrays.equals(utf8, value.getBytes(StandardCharsets.UTF_8))) {
      throw new MalformedMessageException("text that is not UTF-8");
    }
    return value;
  }

  public <T> Optional<T> optional(Function<WireReader, T> reader) {
    return bool() ? Optional.of(reader.apply(this)) : Optional.empty();
  }

  public <T> List<T> list(Function<WireReader, T> reader) {
    return list(Integer.MAX_VALUE, reader);
  }

  /** As {@link #list(Function)}, of a count up to a limit. */
  public <T> List<T> list(int countMax, Function<WireReader, T> reader) {
    int count = count();
    if (count > countMax) {
      throw MalformedMessageException.tooLarge(
          count + " elements where " + countMax + " are allowed");
    }
    List<T> values = new ArrayList<>(Math.min(count, 1024));
    for (int i = 0; i < count; i++) {
      values.add(reader.apply(this));
    }
    return values;
  }

  public KeyRange range() {
    return range(Integer.MAX_VALUE);
  }

  /** As {@link #range()}, with bounds of a length up to a limit. */
  public KeyRange range(int boundBytesMax) {
    Bytes start = bytes(boundBytesMax);
    Optional<Bytes> to = optional(in -> in.bytes(boundBytesMax));
    if (to.isPresent() && start.compareTo(to.get()) >= 0) {
      throw new MalformedMessageException("empty or inverted range");
    }
    return KeyRange.between(start, to);
  }

  public NodeId node() {
    return new NodeId(natural());
  }

  public RangeId rangeId() {
    return new RangeId(natural());
  }

  public Epoch epoch() {
    return new Epoch(natural());
  }

  public Position position() {
    return new Position(natural());
  }

  public MapVersion mapVersion() {
    return new MapVersion(natural());
  }

  public ReadPoint point() {
    return new ReadPoint(position(), mapVersion());
  }

  public TxnId txn() {
    return new TxnId(i64(), i64());
  }

  /** The message must end here. */
  public void expectEnd() {
    if (at != end) {
      throw new MalformedMessageException("trailing bytes: " + (end - at));
    }
  }
}
