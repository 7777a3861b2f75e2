package org.ecstore.bench.ycsb;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Vector;
import org.ecstore.bench.load.LoadOutcome;
import org.ecstore.bench.store.BenchDb;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Notes what YCSB's workload did with a store in one operation. For one thread. */
final class CountingDb extends DB {
  private final BenchDb store;
  private final int fields;
  private String kind = "";
  private int calls;
  private long records;
  private Optional<String> error = Optional.empty();

  /**
   * Over a store.
   *
   * @param fields that a record has: one with fewer counts as an error
   */
  CountingDb(BenchDb store, int fields) {
    this.store = store;
    this.fields = fields;
  }

  /** What was done since the last call. */
  LoadOutcome taken() {
    // YCSB's only operation of two calls.
    String of = calls > 1 ? "read-modify-write" : kind;
    LoadOutcome outcome =
        new LoadOutcome(of, error.isPresent() ? 0 : records, store.takeAborts(), error);
    kind = "";
    calls = 0;
    records = 0;
    error = Optional.empty();
    return outcome;
  }

  private Status did(String what, long count, Status status) {
    kind = what;
    calls++;
    records += count;
    if (!status.isOk() && error.isEmpty()) {
      error = Optional.of(status.getName());
    }
    return status;
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> wanted, Map<String, ByteIterator> result) {
    Status status = store.read(table, key, wanted, result);
    boolean whole = wanted != null || result.size() == fields;
    return did(YcsbKinds.READ, 1, status.isOk() && !whole ? Status.UNEXPECTED_STATE : status);
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> wanted,
      Vector<HashMap<String, ByteIterator>> result) {
    Status status = store.scan(table, startKey, count, wanted, result);
    return did(YcsbKinds.SCAN, result.size(), status);
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return did(YcsbKinds.UPDATE, 1, store.update(table, key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return did(YcsbKinds.INSERT, 1, store.insert(table, key, values));
  }

  @Override
  public Status delete(String table, String key) {
    return did(YcsbKinds.DELETE, 1, store.delete(table, key));
  }
}
