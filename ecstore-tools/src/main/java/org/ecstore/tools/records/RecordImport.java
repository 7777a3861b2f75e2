package org.ecstore.tools.records;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
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

  /**
   * How far an import has come.
   *
   * @param records all through this one are in the store
   * @param digest of their keys and values, in hexadecimal: of SHA-256
   */
  public record Progress(long records, String digest) {}

  /** It has stopped: why, and after which record. */
  public static final class StoppedException extends Exception {
    private static final long serialVersionUID = 1;

    private StoppedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private record Batch(
      Map<Tuple, Bytes> puts, Progress through, CompletableFuture<Boolean> commit) {}

  private final EcStore store;
  private final Table<Bytes> table;
  private final RecordSource source;
  private final TableFormat format;
  private final Consumer<Progress> watch;
  private final MessageDigest digest = sha256();
  private final Deque<Batch> underWay = new ArrayDeque<>();
  private Map<Tuple, Bytes> puts = new HashMap<>();
  private int bytes;
  private long taken;
  private Progress done;

  /**
   * An import of all that a source has.
   *
   * @param watch told how far it has come, after each transaction
   */
  public RecordImport(
      EcStore store, Table<Bytes> table, RecordSource source, Consumer<Progress> watch) {
    this.store = store;
    this.table = table;
    this.source = source;
    this.format = new TableFormat(store, table);
    this.watch = watch;
    this.done = read();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }

  /** What was read so far. */
  private Progress read() {
    try {
      MessageDigest copy = (MessageDigest) digest.clone();
      return new Progress(taken, HexFormat.of().formatHex(copy.digest()));
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("Java's own SHA-256 can be copied", e);
    }
  }

  private void note(RecordLine line) {
    for (Bytes part : List.of(line.key().encode(), line.value())) {
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length()).flip());
      digest.update(part.array());
    }
    taken = source.number();
  }

  /** How far it has come: also where it stopped. */
  public Progress done() {
    return done;
  }

  /**
   * Passes over what an earlier import has put in.
   *
   * @return whether the records are the same as then; if not nothing may be imported behind them
   */
  public boolean skip(Progress before) throws IOException {
    try {
      while (taken < before.records()) {
        Optional<RecordLine> line = source.next();
        if (line.isEmpty()) {
          return false;
        }
        note(line.get());
      }
    } catch (BadRecordException e) {
      return false;
    }
    done = read();
    return done.equals(before);
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
        format.requireFits(next.get());
        take(next.get());
        next = source.next();
      }
      finish();
    } catch (BadRecordException e) {
      String where = "line " + source.line() + ": " + e.getMessage();
      finish();
      throw new StoppedException(where, e);
    }
  }

  private void finish() throws StoppedException {
    commit();
    while (!underWay.isEmpty()) {
      await();
    }
  }

  private void take(RecordLine line) throws StoppedException {
    boolean isUnderWay = underWay.stream().anyMatch(one -> one.puts().containsKey(line.key()));
    while (isUnderWay && !underWay.isEmpty()) {
      await();
    }
    puts.put(line.key(), line.value());
    note(line);
    bytes += line.value().length();
    if (puts.size() >= RECORDS_AT_ONCE || bytes >= BYTES_AT_ONCE) {
      commit();
    }
  }

  private void commit() throws StoppedException {
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
            read(),
            store.transactAsync(
                tx -> {
                  batch.forEach((key, value) -> tx.put(table, key, value));
                  return true;
                })));
  }

  private void await() throws StoppedException {
    Batch first = underWay.remove();
    try {
      first.commit().join();
    } catch (CompletionException e) {
      underWay.forEach(one -> one.commit().exceptionally(failure -> false).join());
      underWay.clear();
      if (e.getCause() instanceof EcStoreException failure) {
        throw new StoppedException(String.valueOf(failure.getMessage()), failure);
      }
      throw e;
    }
    done = first.through();
    watch.accept(done);
  }
}
