package org.ecstore.bench.store;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** A store in the memory of a test, each record by table and key. */
public final class MemoryTarget implements Target {
  private final TreeMap<String, Map<String, byte[]>> records = new TreeMap<>();

  /** How many records there are. */
  public synchronized int size() {
    return records.size();
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("durability", "none");
  }

  @Override
  public List<Long> processes() {
    return List.of();
  }

  @Override
  public OptionalLong bytesOnDisk() {
    return OptionalLong.empty();
  }

  @Override
  public void close() {}

  @Override
  public BenchDb client() {
    return new MemoryDb();
  }

  private static void put(Map<String, byte[]> record, Map<String, ByteIterator> into) {
    record.forEach((name, value) -> into.put(name, new ByteArrayByteIterator(value)));
  }

  private final class MemoryDb extends BenchDb {
    private String at(String table, String key) {
      return table + "/" + key;
    }

    @Override
    public Status read(
        String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
      synchronized (MemoryTarget.this) {
        Map<String, byte[]> record = records.get(at(table, key));
        if (record == null) {
          return Status.NOT_FOUND;
        }
        put(record, result);
        return Status.OK;
      }
    }

    @Override
    public Status scan(
        String table,
        String startKey,
        int count,
        @Nullable Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      synchronized (MemoryTarget.this) {
        records.tailMap(at(table, startKey)).entrySet().stream()
            .takeWhile(each -> each.getKey().startsWith(table + "/"))
            .limit(count)
            .forEach(
                each -> {
                  HashMap<String, ByteIterator> record = new HashMap<>();
                  put(each.getValue(), record);
                  result.add(record);
                });
        return Status.OK;
      }
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return insert(table, key, values);
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      synchronized (MemoryTarget.this) {
        Map<String, byte[]> record =
            records.computeIfAbsent(at(table, key), absent -> new HashMap<>());
        values.forEach((name, value) -> record.put(name, value.toArray()));
        return Status.OK;
      }
    }

    @Override
    public Status delete(String table, String key) {
      synchronized (MemoryTarget.this) {
        records.remove(at(table, key));
        return Status.OK;
      }
    }

    @Override
    public void cleanup() {}

    @Override
    public Status readBoth(String table, String one, String other) {
      Status first = read(table, one, null, new HashMap<>());
      return first.isOk() ? read(table, other, null, new HashMap<>()) : first;
    }

    @Override
    public Attempted befriend(
        String table, String one, String other, String field, byte[] value, Reads reads) {
      Status there = readBoth(table, one, other);
      if (there.isOk()) {
        for (String key : List.of(one, other)) {
          update(table, key, Map.of(field, new ByteArrayByteIterator(value)));
        }
      }
      return new Attempted(there, 0);
    }
  }
}
