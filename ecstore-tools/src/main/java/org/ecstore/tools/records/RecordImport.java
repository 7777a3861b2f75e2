package org.ecstore.tools.records;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Puts records into a table, some hundreds a transaction and a few transactions at once. Of a key
 * that comes twice the last record counts. What is put again is the same as before: an import that
 * stopped is begun again anywhere at or before what was done.
 */
public final class RecordImport {
  private static final int RECORDS_AT_ONCE = 500;
  private static final int BYTES_AT_ONCE = 1 << 20;
  private static final int UNDER_WAY_MAX = 8;

  /** Told what is done. */
  public interface Watch {
    /** All records through this one are in the store. */
    void done(long records) throws IOException;
  }

  /** It has stopped: why, and after which record. */
  public static final class StoppedException extends Exception {
    private static final long serialVersionUID = 1;
    private final long done;

    private StoppedException(String message, long done, Throwable cause) {
      super(message, cause);
      this.done = done;
    }

    /** All records through this one are in the store; later ones may be. */
    public long done() {
      return done;
    }
  }

  private record Batch(Map<Tuple, Bytes> puts, long through, CompletableFuture<Boolean> commit) {}

  private final EcStore store;
  private final Table<Bytes> table;
  private final RecordSource source;
  private final Watch watch;
  private final Deque<Batch> underWay = new ArrayDeque<>();
  private Map<Tuple, Bytes> puts = new HashMap<>();
  private int bytes;
  private long taken;
  private long done;

  public RecordImport(EcStore store, Table<Bytes> table, RecordSource source, Watch watch) {
    this.store = store;
    this.table = table;
    this.source = source;
    this.watch = watch;
    this.taken = source.number();
    this.done = taken;
  }

  /**
   * Imports all that is there; returns when the last record is in the store.
   *
   * @throws StoppedException if a record is none, or the store took one not
   */
  public void run() throws IOException, StoppedException {
    try {
      Optional<RecordLine> next = source.next();
      while (next.isPresent()) {
        take(next.get());
        next = source.next();
      }
      finish();
    } catch (BadRecordException e) {
      String where = "line " + source.line() + ": " + e.getMessage();
      finish();
      throw new StoppedException(where, done, e);
    }
  }

  private void finish() throws IOException, StoppedException {
    commit();
    while (!underWay.isEmpty()) {
      await();
    }
  }

  private void take(RecordLine line) throws IOException, StoppedException {
    boolean isUnderWay = underWay.stream().anyMatch(one -> one.puts().containsKey(line.key()));
    while (isUnderWay && !underWay.isEmpty()) {
      await();
    }
    puts.put(line.key(), line.value());
    taken = source.number();
    bytes += line.value().length();
    if (puts.size() >= RECORDS_AT_ONCE || bytes >= BYTES_AT_ONCE) {
      commit();
    }
  }

  private void commit() throws IOException, StoppedException {
    if (puts.isEmpty()) {
      return;
    }
    while (underWay.size() >= UNDER_WAY_MAX) {
      await();
    }
    Map<Tuple, Bytes> batch = puts;
    puts = new HashMap<>();
    bytes = 0;
    underWay.add(
        new Batch(
            batch,
            taken,
            store.transactAsync(
                tx -> {
                  batch.forEach((key, value) -> tx.put(table, key, value));
                  return true;
                })));
  }

  private void await() throws IOException, StoppedException {
    Batch first = underWay.remove();
    try {
      first.commit().join();
    } catch (CompletionException e) {
      underWay.forEach(one -> one.commit().exceptionally(failure -> false).join());
      underWay.clear();
      if (e.getCause() instanceof EcStoreException failure) {
        throw new StoppedException(String.valueOf(failure.getMessage()), done, failure);
      }
      throw e;
    }
    done = first.through();
    watch.done(done);
  }
}
