package org.ecstore.engines.rocksdb;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.store.Halving;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.engines.store.RowPage;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

/** Reads of a database of rows, by any number of threads. */
final class RocksDbReads {
  /** So many rows are counted; the sizes of files tell of more. */
  private static final int COUNTED_MAX = 2_000;

  /** And so many bytes of them. */
  private static final long COUNTED_BYTES_MAX = 4L << 20;

  /** What a row takes in a table besides its key and value, about. */
  private static final int ROW_OVERHEAD = 12;

  /** What a table has of a value that is in a file of its own. */
  private static final int BLOB_REFERENCE_BYTES = 24;

  private final RocksDB db;

  RocksDbReads(RocksDB db) {
    this.db = db;
  }

  List<Optional<Row>> get(List<Bytes> keys, int bytesMax) throws RocksDBException {
    List<Optional<Row>> found = new ArrayList<>(keys.size());
    long bytes = 0;
    for (Bytes key : keys) {
      byte[] stored = db.get(RowBytes.key(key));
      Optional<Row> row =
          stored == null ? Optional.empty() : Optional.of(RowBytes.row(key, stored, false));
      found.add(row);
      bytes += row.map(each -> key.length() + each.value().length()).orElse(0);
      if (bytes >= bytesMax) {
        break;
      }
    }
    return found;
  }

  EngineResult.Rows scan(KeyRange interval, ScanBounds bounds) throws RocksDBException {
    RowPage page = new RowPage(bounds);
    try (Cursor cursor = new Cursor(RowBytes.key(interval.start()), RowBytes.end(interval))) {
      for (cursor.first(bounds.reverse()); cursor.isValid() && !page.isFull(); ) {
        page.add(cursor.row(bounds.keysOnly()));
        cursor.next(bounds.reverse());
      }
    }
    return page.result();
  }

  List<MetadataEntry> metadata() throws RocksDBException {
    List<MetadataEntry> entries = new ArrayList<>();
    try (Cursor cursor = new Cursor(RowBytes.FIRST_ENTRY, RowBytes.FIRST_ROW)) {
      for (cursor.first(false); cursor.isValid(); cursor.next(false)) {
        entries.add(cursor.entry());
      }
    }
    return entries;
  }

  /** Rows, or the first of them, with the bytes that they have and about take in tables. */
  private record Sample(List<Bytes> keys, long bytes, long tableBytes, boolean complete) {}

  private Sample sample(KeyRange interval) throws RocksDBException {
    List<Bytes> keys = new ArrayList<>();
    long bytes = 0;
    long tableBytes = 0;
    try (Cursor cursor = new Cursor(RowBytes.key(interval.start()), RowBytes.end(interval))) {
      for (cursor.first(false);
          cursor.isValid() && keys.size() < COUNTED_MAX && bytes < COUNTED_BYTES_MAX;
          cursor.next(false)) {
        Row row = cursor.row(false);
        keys.add(row.key());
        bytes += row.key().length() + row.value().length();
        boolean isApart = row.value().length() + Long.BYTES >= RocksDbHandle.BLOB_BYTES_MIN;
        tableBytes +=
            row.key().length()
                + ROW_OVERHEAD
                + (isApart ? BLOB_REFERENCE_BYTES : row.value().length() + Long.BYTES);
      }
      return new Sample(keys, bytes, tableBytes, !cursor.isValid());
    }
  }

  EngineResult.Size size(KeyRange interval) throws RocksDBException {
    Sample sample = sample(interval);
    int counted = sample.keys().size();
    if (sample.complete()) {
      return new EngineResult.Size(counted, sample.bytes());
    }
    double rows =
        Math.max(
            counted,
            (double) tableBytes(interval.start(), RowBytes.end(interval))
                * counted
                / sample.tableBytes());
    return new EngineResult.Size(Math.round(rows), Math.round(rows * sample.bytes() / counted));
  }

  private long tableBytes(Bytes start, byte[] end) {
    byte[] from = RowBytes.key(start);
    try (Slice low = new Slice(from);
        Slice high = new Slice(end)) {
      return db.getApproximateSizes(
              List.of(new Range(low, high)),
              SizeApproximationFlag.INCLUDE_FILES,
              SizeApproximationFlag.INCLUDE_MEMTABLES)[0];
    }
  }

  Optional<Bytes> middle(KeyRange interval) throws RocksDBException {
    Sample sample = sample(interval);
    List<Bytes> keys = sample.keys();
    if (sample.complete()) {
      return keys.size() < 2 ? Optional.empty() : Optional.of(keys.get(keys.size() / 2));
    }
    Bytes first = keys.getFirst();
    try (Cursor cursor = new Cursor(RowBytes.key(interval.start()), RowBytes.end(interval))) {
      cursor.first(true);
      Bytes last = cursor.isValid() ? cursor.key() : keys.getLast();
      Bytes place = Halving.place(first, last, key -> tableBytes(first, RowBytes.key(key)));
      cursor.at(place);
      return Optional.of(cursor.isValid() ? cursor.key() : keys.getLast());
    }
  }

  /** An iterator over what is between two stored keys, as it was when it was made. */
  private final class Cursor implements AutoCloseable {
    private final Slice low;
    private final Slice high;
    private final ReadOptions options;
    private final RocksIterator iterator;

    Cursor(byte[] from, byte[] to) {
      low = new Slice(from);
      high = new Slice(to);
      options =
          new ReadOptions()
              .setIterateLowerBound(low)
              .setIterateUpperBound(high)
              .setTotalOrderSeek(true);
      iterator = db.newIterator(options);
    }

    void first(boolean reverse) {
      if (reverse) {
        iterator.seekToLast();
      } else {
        iterator.seekToFirst();
      }
    }

    void at(Bytes key) {
      iterator.seek(RowBytes.key(key));
    }

    void next(boolean reverse) {
      if (reverse) {
        iterator.prev();
      } else {
        iterator.next();
      }
    }

    /** An iterator that is at no row is at the end, or has failed. */
    boolean isValid() throws RocksDBException {
      boolean valid = iterator.isValid();
      if (!valid) {
        iterator.status();
      }
      return valid;
    }

    Bytes key() {
      return RowBytes.bare(iterator.key());
    }

    Row row(boolean keyOnly) {
      return RowBytes.row(key(), iterator.value(), keyOnly);
    }

    MetadataEntry entry() {
      return new MetadataEntry(key(), Optional.of(Bytes.wrap(iterator.value())));
    }

    @Override
    public void close() {
      iterator.close();
      options.close();
      high.close();
      low.close();
    }
  }
}
