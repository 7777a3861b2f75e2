package org.ecstore.bench.peer.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.ecstore.bench.store.BenchDb;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * A client thread of the session of its process, with the statements of YCSB's binding. There are
 * no transactions: two records are read one beside the other, and changed in a logged batch, which
 * is atomic but not isolated.
 */
final class CassandraDb extends BenchDb {
  private static final String NO_SUCH = "does not exist";
  private static final String KEY = "y_id";

  private final CqlSession session;
  private final CassandraClients clients;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  CassandraDb(CqlSession session, CassandraClients clients) {
    this.session = session;
    this.clients = clients;
  }

  /** The session is all clients'. */
  @Override
  public void cleanup() {}

  private interface Work {
    Status run();
  }

  private static Status tried(Work work) {
    try {
      return work.run();
    } catch (InvalidQueryException e) {
      return isMissing(e) ? Status.NOT_FOUND : failed(e);
    } catch (DriverException e) {
      return failed(e);
    } catch (CompletionException e) {
      return e.getCause() instanceof Exception cause ? failed(cause) : failed(e);
    }
  }

  private static Status failed(Exception e) {
    return new Status(e.getClass().getSimpleName(), String.valueOf(e.getMessage()));
  }

  /** Whether a table, or the keyspace of all of them, is not there. */
  private static boolean isMissing(InvalidQueryException e) {
    return String.valueOf(e.getMessage()).contains(NO_SUCH);
  }

  private PreparedStatement prepared(String cql) {
    return prepared.computeIfAbsent(cql, session::prepare);
  }

  private static String name(String table) {
    return CassandraClients.KEYSPACE + ".\"" + table + '"';
  }

  private BoundStatement selecting(String table, String key) {
    return prepared("SELECT * FROM " + name(table) + " WHERE y_id = ?").bind(key);
  }

  private static void fields(
      Row row, @Nullable Set<String> wanted, Map<String, ByteIterator> into) {
    ColumnDefinitions columns = row.getColumnDefinitions();
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i).getName().asInternal();
      ByteBuffer value = name.equals(KEY) ? null : row.getByteBuffer(i);
      if (value != null && (wanted == null || wanted.contains(name))) {
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        into.put(name, new ByteArrayByteIterator(bytes));
      }
    }
  }

  private Status one(
      String table, String key, @Nullable Set<String> wanted, Map<String, ByteIterator> result) {
    Row row = session.execute(selecting(table, key)).one();
    if (row == null) {
      return Status.NOT_FOUND;
    }
    fields(row, wanted, result);
    return Status.OK;
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return tried(() -> one(table, key, fields, result));
  }

  @Override
  public Status readBoth(String table, String one, String other) {
    return tried(() -> both(table, one, other) ? Status.OK : Status.NOT_FOUND);
  }

  private boolean both(String table, String one, String other) {
    CompletionStage<AsyncResultSet> first = session.executeAsync(selecting(table, one));
    CompletionStage<AsyncResultSet> second = session.executeAsync(selecting(table, other));
    for (CompletionStage<AsyncResultSet> each : List.of(first, second)) {
      Row row = each.toCompletableFuture().join().one();
      if (row == null) {
        return false;
      }
      fields(row, null, new HashMap<>());
    }
    return true;
  }

  /** From the place that the key has in the partitioner's order. */
  @Override
  public Status scan(
      String table,
      String startKey,
      int records,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return tried(
        () -> {
          PreparedStatement select =
              prepared("SELECT * FROM " + name(table) + " WHERE token(y_id) >= token(?) LIMIT ?");
          for (Row row : session.execute(select.bind(startKey, records))) {
            HashMap<String, ByteIterator> record = new HashMap<>();
            fields(row, fields, record);
            result.add(record);
          }
          return Status.OK;
        });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return tried(
        () -> {
          TreeMap<String, ByteBuffer> bytes = bytes(values);
          try {
            insert(table, key, bytes);
          } catch (InvalidQueryException e) {
            if (!isMissing(e)) {
              throw e;
            }
            clients.make(table, bytes.keySet());
            insert(table, key, bytes);
          }
          return Status.OK;
        });
  }

  private static TreeMap<String, ByteBuffer> bytes(Map<String, ByteIterator> values) {
    TreeMap<String, ByteBuffer> bytes = new TreeMap<>();
    values.forEach((name, value) -> bytes.put(name, ByteBuffer.wrap(value.toArray())));
    return bytes;
  }

  private void insert(String table, String key, TreeMap<String, ByteBuffer> values) {
    PreparedStatement insert =
        prepared(
            "INSERT INTO %s (y_id, %s) VALUES (?%s)"
                .formatted(
                    name(table),
                    values.keySet().stream()
                        .map(field -> '"' + field + '"')
                        .collect(Collectors.joining(", ")),
                    ", ?".repeat(values.size())));
    Object[] bound = new Object[values.size() + 1];
    bound[0] = key;
    int at = 1;
    for (ByteBuffer value : values.values()) {
      bound[at++] = value;
    }
    session.execute(insert.bind(bound));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return tried(
        () -> {
          session.execute(updating(table, key, bytes(values)));
          return Status.OK;
        });
  }

  private BoundStatement updating(String table, String key, TreeMap<String, ByteBuffer> values) {
    PreparedStatement update =
        prepared(
            "UPDATE %s SET %s WHERE y_id = ?"
                .formatted(
                    name(table),
                    values.keySet().stream()
                        .map(field -> '"' + field + "\" = ?")
                        .collect(Collectors.joining(", "))));
    Object[] bound = new Object[values.size() + 1];
    int at = 0;
    for (ByteBuffer value : values.values()) {
      bound[at++] = value;
    }
    bound[at] = key;
    return update.bind(bound);
  }

  @Override
  public Status delete(String table, String key) {
    return tried(
        () -> {
          session.execute(prepared("DELETE FROM " + name(table) + " WHERE y_id = ?").bind(key));
          return Status.OK;
        });
  }

  @Override
  public Attempted befriend(
      String table, String one, String other, String field, byte[] value, Reads reads) {
    Status status =
        tried(
            () -> {
              boolean there =
                  reads == Reads.TOGETHER
                      ? both(table, one, other)
                      : one(table, one, null, new HashMap<>()).isOk()
                          && one(table, other, null, new HashMap<>()).isOk();
              if (!there) {
                return Status.NOT_FOUND;
              }
              session.execute(
                  BatchStatement.newInstance(
                      BatchType.LOGGED,
                      befriended(table, one, field, value),
                      befriended(table, other, field, value)));
              return Status.OK;
            });
    return new Attempted(status, 0);
  }

  private BoundStatement befriended(String table, String user, String field, byte[] value) {
    return updating(table, user, new TreeMap<>(Map.of(field, ByteBuffer.wrap(value))));
  }
}
