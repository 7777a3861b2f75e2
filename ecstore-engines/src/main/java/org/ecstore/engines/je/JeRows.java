package org.ecstore.engines.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/**
 * The rows of one open {@link JeEnvironment}: the key as it is, which Berkeley DB orders as
 * unsigned bytes; in the record eight bytes of version and then the value. Blocking. Changes come
 * from one thread at a time, reads from any; reads take no locks.
 */
final class JeRows {
  private static final int VERSION_BYTES = 8;

  /** Rows that are deleted in one transaction. */
  private static final int CLEAR_ROWS_MAX = 2_048;

  /** Keys that {@link #middle} looks at one by one before it samples. */
  private static final int MIDDLE_KEYS_MAX = 10_000;

  private static final int STRIDE = 1_000;
  private static final int SAMPLED = 16;
  private static final CursorConfig CONFIG =
      new CursorConfig().setReadUncommitted(true).setNonSticky(true);

  private final JeEnvironment environment;
  private final Database rows;

  private JeRows(JeEnvironment environment) {
    this.environment = environment;
    this.rows = environment.data();
  }

  static JeRows open(Path directory, JeSettings settings) {
    return new JeRows(JeEnvironment.open(directory, settings));
  }

  /** What they are in. */
  JeEnvironment environment() {
    return environment;
  }

  List<Optional<Row>> get(List<Bytes> keys, int bytesMax) {
    List<Optional<Row>> found = new ArrayList<>(keys.size());
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry record = new DatabaseEntry();
    long bytes = 0;
    for (Bytes asked : keys) {
      key.setData(asked.array());
      boolean there =
          rows.get(null, key, record, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
      found.add(there ? Optional.of(row(asked, record.getData())) : Optional.empty());
      bytes += there ? asked.length() + record.getData().length - VERSION_BYTES : 0;
      if (bytes >= bytesMax) {
        break;
      }
    }
    return found;
  }

  private static Row row(Bytes key, byte[] record) {
    return new Row(
        key, version(record), Bytes.wrap(Arrays.copyOfRange(record, VERSION_BYTES, record.length)));
  }

  private static Position version(byte[] record) {
    long version = 0;
    for (int i = 0; i < VERSION_BYTES; i++) {
      version = version << 8 | (record[i] & 0xff);
    }
    return new Position(version);
  }

  private static byte[] record(Row row) {
    byte[] value = row.value().array();
    byte[] record = new byte[VERSION_BYTES + value.length];
    for (int i = 0; i < VERSION_BYTES; i++) {
      record[i] = (byte) (row.version().value() >>> (56 - 8 * i));
    }
    System.arraycopy(value, 0, record, VERSION_BYTES, value.length);
    return record;
  }

  EngineResult.Rows scan(KeyRange interval, ScanBounds bounds) {
    List<Row> found = new ArrayList<>();
    long bytes = 0;
    try (Walk walk = new Walk(interval, bounds.keysOnly())) {
      boolean more = bounds.reverse() ? walk.last() : walk.first();
      while (more) {
        Row row = walk.row();
        found.add(row);
        bytes += row.key().length() + row.value().length();
        if (found.size() >= bounds.recordsMax() || bytes >= bounds.bytesMax()) {
          return new EngineResult.Rows(found, false);
        }
        more = bounds.reverse() ? walk.previous() : walk.next();
      }
    }
    return new EngineResult.Rows(found, true);
  }

  /** A cursor that keeps to an interval. */
  private final class Walk implements AutoCloseable {
    private final Cursor cursor;
    private final KeyRange interval;
    private final boolean keysOnly;
    private final DatabaseEntry key = new DatabaseEntry();
    private final DatabaseEntry record = new DatabaseEntry();

    Walk(KeyRange interval, boolean keysOnly) {
      this.interval = interval;
      this.keysOnly = keysOnly;
      this.cursor = rows.openCursor(null, CONFIG);
      if (keysOnly) {
        record.setPartial(0, VERSION_BYTES, true);
      }
    }

    /** From now on records are not read. */
    void withoutRecords() {
      record.setPartial(0, 0, true);
    }

    boolean first() {
      return seek(interval.start());
    }

    boolean seek(Bytes from) {
      key.setData(from.array());
      return isIn(cursor.getSearchKeyRange(key, record, LockMode.READ_UNCOMMITTED));
    }

    boolean last() {
      boolean found;
      if (interval.end().isEmpty()) {
        found = cursor.getLast(key, record, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
      } else {
        key.setData(interval.end().get().array());
        found =
            cursor.getSearchKeyRange(key, record, LockMode.READ_UNCOMMITTED)
                == OperationStatus.SUCCESS;
        found =
            (found
                    ? cursor.getPrev(key, record, LockMode.READ_UNCOMMITTED)
                    : cursor.getLast(key, record, LockMode.READ_UNCOMMITTED))
                == OperationStatus.SUCCESS;
      }
      // Rows may have been put above the end between two moves.
      while (found && !interval.isBelowEnd(key())) {
        found = cursor.getPrev(key, record, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
      }
      return found && interval.contains(key());
    }

    boolean next() {
      return isIn(cursor.getNext(key, record, LockMode.READ_UNCOMMITTED));
    }

    boolean previous() {
      return isIn(cursor.getPrev(key, record, LockMode.READ_UNCOMMITTED));
    }

    /** Moves forward over about so many rows; over how many, 0 at the end. */
    long skip(int count) {
      long skipped = cursor.skipNext(count, key, record, LockMode.READ_UNCOMMITTED);
      return skipped > 0 && interval.contains(key()) ? skipped : 0;
    }

    private boolean isIn(OperationStatus status) {
      return status == OperationStatus.SUCCESS && interval.contains(key());
    }

    Bytes key() {
      return Bytes.wrap(key.getData());
    }

    Row row() {
      return keysOnly
          ? new Row(key(), version(record.getData()), Bytes.EMPTY)
          : JeRows.row(key(), record.getData());
    }

    @Override
    public void close() {
      cursor.close();
    }
  }

  void write(StoreBatch batch) {
    environment.transact(
        transaction -> {
          for (Row row : batch.puts()) {
            rows.put(
                transaction, new DatabaseEntry(row.key().array()), new DatabaseEntry(record(row)));
          }
          for (Bytes key : batch.deletes()) {
            rows.delete(transaction, new DatabaseEntry(key.array()));
          }
          for (MetadataEntry entry : batch.metadata()) {
            environment.put(transaction, entry);
          }
        });
  }

  /** Deletes every row in an interval, some to a transaction. */
  void clear(KeyRange keys) {
    Optional<KeyRange> rest = Optional.of(keys);
    while (rest.isPresent()) {
      List<Bytes> next = new ArrayList<>(1);
      KeyRange interval = rest.get();
      environment.transact(transaction -> clearSome(transaction, interval, next));
      rest = next.stream().findFirst().map(key -> KeyRange.between(key, keys.end()));
    }
  }

  private void clearSome(Transaction transaction, KeyRange interval, List<Bytes> rest) {
    DatabaseEntry key = new DatabaseEntry(interval.start().array());
    DatabaseEntry nothing = new DatabaseEntry();
    nothing.setPartial(0, 0, true);
    try (Cursor cursor = rows.openCursor(transaction, CONFIG)) {
      OperationStatus status = cursor.getSearchKeyRange(key, nothing, LockMode.READ_UNCOMMITTED);
      int deleted = 0;
      while (status == OperationStatus.SUCCESS && interval.contains(Bytes.wrap(key.getData()))) {
        if (deleted++ == CLEAR_ROWS_MAX) {
          rest.add(Bytes.wrap(key.getData()));
          return;
        }
        cursor.delete();
        status = cursor.getNext(key, nothing, LockMode.READ_UNCOMMITTED);
      }
    }
  }

  /** Counts by skipping, which reads no leaf, and looks at a few rows of each stride. */
  EngineResult.Size size(KeyRange interval) {
    long count = 0;
    double bytes = 0;
    try (Walk walk = new Walk(interval, false);
        Walk sampler = new Walk(interval, false)) {
      walk.withoutRecords();
      boolean more = walk.first();
      while (more) {
        Bytes here = walk.key();
        more = walk.skip(STRIDE) == STRIDE;
        Sample sample = Sample.of(sampler, here, more ? SAMPLED : STRIDE);
        int records = more ? STRIDE : sample.count;
        count += records;
        bytes += sample.count == 0 ? 0 : (double) sample.bytes / sample.count * records;
      }
    }
    return new EngineResult.Size(count, Math.round(bytes));
  }

  /** Some rows in a sequence. */
  private static final class Sample {
    private int count;
    private long bytes;

    static Sample of(Walk walk, Bytes from, int countMax) {
      Sample sample = new Sample();
      boolean found = walk.seek(from);
      while (found && sample.count < countMax) {
        sample.count++;
        sample.bytes += walk.key().length() + walk.record.getData().length - VERSION_BYTES;
        found = walk.next();
      }
      return sample;
    }
  }

  /** Exact for few keys, by sampling every so many for many. */
  Optional<Bytes> middle(KeyRange interval) {
    try (Walk walk = new Walk(interval, true)) {
      walk.withoutRecords();
      List<Bytes> keys = new ArrayList<>();
      boolean found = walk.first();
      while (found && keys.size() < MIDDLE_KEYS_MAX) {
        keys.add(walk.key());
        found = walk.next();
      }
      if (!found) {
        return keys.size() < 2 ? Optional.empty() : Optional.of(keys.get(keys.size() / 2));
      }
      List<Bytes> samples = new ArrayList<>();
      for (found = walk.first(); found; found = walk.skip(STRIDE) > 0) {
        samples.add(walk.key());
      }
      return Optional.of(samples.size() < 2 ? keys.getLast() : samples.get(samples.size() / 2));
    }
  }
}
