package org.ecstore.bench.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.ecstore.key.Bytes;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * A record of named fields as one value, for stores of keys and values: for each field the length
 * of its name (1 byte), the name (ASCII), the length of its value (4 bytes) and the value.
 */
public final class Fields {
  /**
   * Names as they were found at this place of a record before: records of one kind have the same
   * ones, and need not make them anew. Threads may overwrite each other's, which are as good.
   */
  private static final @Nullable String[] NAMES = new @Nullable String[16];

  private Fields() {}

  /** The value of a record. */
  public static Bytes encode(Map<String, ByteIterator> fields) {
    Map<String, byte[]> bytes = HashMap.newHashMap(fields.size());
    fields.forEach((name, value) -> bytes.put(name, value.toArray()));
    return encodeBytes(bytes);
  }

  private static Bytes encodeBytes(Map<String, byte[]> fields) {
    int length = 0;
    for (Map.Entry<String, byte[]> field : fields.entrySet()) {
      length += 1 + field.getKey().length() + Integer.BYTES + field.getValue().length;
    }
    ByteBuffer into = ByteBuffer.allocate(length);
    fields.forEach(
        (name, value) -> {
          into.put((byte) name.length()).put(name.getBytes(StandardCharsets.US_ASCII));
          into.putInt(value.length).put(value);
        });
    return Bytes.wrap(into.array());
  }

  /**
   * Puts the fields of a record into a map.
   *
   * @param wanted names of fields; null for all, as YCSB has it
   */
  public static void decode(
      Bytes record, @Nullable Set<String> wanted, Map<String, ByteIterator> into) {
    byte[] bytes = record.array();
    ByteBuffer from = ByteBuffer.wrap(bytes);
    for (int i = 0; from.hasRemaining(); i++) {
      int nameLength = from.get();
      String name = name(i % NAMES.length, bytes, from.position(), nameLength);
      from.position(from.position() + nameLength);
      int length = from.getInt();
      if (wanted == null || wanted.contains(name)) {
        into.put(name, new ByteArrayByteIterator(bytes, from.position(), length));
      }
      from.position(from.position() + length);
    }
  }

  private static String name(int place, byte[] bytes, int offset, int length) {
    String before = NAMES[place];
    if (before != null && before.length() == length) {
      int same = 0;
      while (same < length && before.charAt(same) == bytes[offset + same]) {
        same++;
      }
      if (same == length) {
        return before;
      }
    }
    String name = new String(bytes, offset, length, StandardCharsets.US_ASCII);
    NAMES[place] = name;
    return name;
  }

  /** A record with some fields changed or added. */
  public static Bytes with(Bytes record, Map<String, ByteIterator> changed) {
    Map<String, ByteIterator> all = new HashMap<>();
    decode(record, null, all);
    all.putAll(changed);
    return encode(all);
  }
}
