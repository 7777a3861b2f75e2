package org.ecstore.bench.peer.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.ecstore.bench.store.BenchDb;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.Transaction;
import redis.clients.jedis.exceptions.JedisException;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * One connection, with the commands of YCSB's binding: a record is a hash, and a sorted set has the
 * keys of a table, for scans.
 */
final class RedisDb extends BenchDb {
  private static final byte[] GREATEST = {'+'};

  private final Jedis redis;

  RedisDb(Jedis redis) {
    this.redis = redis;
  }

  @Override
  public void cleanup() {
    redis.close();
  }

  private interface Work {
    Status run();
  }

  private static Status tried(Work work) {
    try {
      return work.run();
    } catch (JedisException e) {
      return new Status(e.getClass().getSimpleName(), String.valueOf(e.getMessage()));
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] record(String table, String key) {
    return utf8(table + ":" + key);
  }

  private static void fields(
      Map<byte[], byte[]> hash, @Nullable Set<String> wanted, Map<String, ByteIterator> into) {
    hash.forEach(
        (name, value) -> {
          String field = new String(name, StandardCharsets.UTF_8);
          if (wanted == null || wanted.contains(field)) {
            into.put(field, new ByteArrayByteIterator(value));
          }
        });
  }

  private static Map<byte[], byte[]> hash(Map<String, ByteIterator> values) {
    // Keyed by identity, as arrays are: nothing is looked up in it.
    Map<byte[], byte[]> hash = HashMap.newHashMap(values.size());
    values.forEach((name, value) -> hash.put(utf8(name), value.toArray()));
    return hash;
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return tried(
        () -> {
          Map<byte[], byte[]> hash = redis.hgetAll(record(table, key));
          if (hash.isEmpty()) {
            return Status.NOT_FOUND;
          }
          fields(hash, fields, result);
          return Status.OK;
        });
  }

  /** At one moment: the server runs both reads together. */
  @Override
  public Status readBoth(String table, String one, String other) {
    return tried(
        () -> {
          Transaction both = redis.multi();
          Response<Map<byte[], byte[]>> first = both.hgetAll(record(table, one));
          Response<Map<byte[], byte[]>> second = both.hgetAll(record(table, other));
          both.exec();
          return first.get().isEmpty() || second.get().isEmpty() ? Status.NOT_FOUND : Status.OK;
        });
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int records,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return tried(
        () -> {
          List<byte[]> keys =
              redis.zrangeByLex(utf8(table), utf8("[" + startKey), GREATEST, 0, records);
          Pipeline pipeline = redis.pipelined();
          List<Response<Map<byte[], byte[]>>> found = new ArrayList<>(keys.size());
          for (byte[] key : keys) {
            found.add(pipeline.hgetAll(record(table, new String(key, StandardCharsets.UTF_8))));
          }
          pipeline.sync();
          for (Response<Map<byte[], byte[]>> each : found) {
            HashMap<String, ByteIterator> record = new HashMap<>();
            fields(each.get(), fields, record);
            result.add(record);
          }
          return Status.OK;
        });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return tried(
        () -> {
          Pipeline pipeline = redis.pipelined();
          Response<Long> written = pipeline.hset(record(table, key), hash(values));
          Response<Long> indexed = pipeline.zadd(utf8(table), 0, utf8(key));
          pipeline.sync();
          // These throw what the server refused.
          written.get();
          indexed.get();
          return Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return tried(
        () -> {
          redis.hset(record(table, key), hash(values));
          return Status.OK;
        });
  }

  @Override
  public Status delete(String table, String key) {
    return tried(
        () -> {
          Pipeline pipeline = redis.pipelined();
          pipeline.del(record(table, key));
          pipeline.zrem(utf8(table), utf8(key));
          pipeline.sync();
          return Status.OK;
        });
  }

  private boolean both(byte[] one, byte[] other) {
    Pipeline pipeline = redis.pipelined();
    Response<Map<byte[], byte[]>> first = pipeline.hgetAll(one);
    Response<Map<byte[], byte[]>> second = pipeline.hgetAll(other);
    pipeline.sync();
    return !first.get().isEmpty() && !second.get().isEmpty();
  }

  @Override
  public Status count(String table, String key) {
    return tried(
        () -> {
          redis.incr(record(table, key));
          return Status.OK;
        });
  }

  /** Optimistic: again if one of the records was changed meanwhile. */
  @Override
  public Attempted befriend(
      String table, String one, String other, String field, byte[] value, Reads reads) {
    byte[] first = record(table, one);
    byte[] second = record(table, other);
    int[] aborts = {0};
    Status status =
        tried(
            () -> {
              while (true) {
                redis.watch(first, second);
                boolean there =
                    reads == Reads.TOGETHER
                        ? both(first, second)
                        : !redis.hgetAll(first).isEmpty() && !redis.hgetAll(second).isEmpty();
                if (!there) {
                  redis.unwatch();
                  return Status.NOT_FOUND;
                }
                Transaction both = redis.multi();
                both.hset(first, utf8(field), value);
                both.hset(second, utf8(field), value);
                // Null, and nothing done, if one was changed.
                if (both.exec() != null) {
                  return Status.OK;
                }
                aborts[0]++;
              }
            });
    return new Attempted(status, aborts[0]);
  }
}
