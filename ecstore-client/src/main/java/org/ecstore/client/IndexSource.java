package org.ecstore.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.session.BytesReads;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Records of a table, in the order of an index: what entries are found name the records, which are
 * read some at a time.
 */
final class IndexSource<V> implements ScanSource<V> {
  /** Records may be of a mebibyte each. */
  private static final int AT_ONCE = 64;

  private final Index<V> index;
  private final boolean isOwn;
  private final IndexUse use;

  /**
   * Of an index at a snapshot.
   *
   * @param isOwn whether a transaction reads, whose own writes may have taken away what it has
   *     found an entry of
   */
  IndexSource(Index<V> index, boolean isOwn, IndexUse use) {
    this.index = index;
    this.isOwn = isOwn;
    this.use = use;
  }

  @Override
  public void begin() {
    use.begin();
  }

  @Override
  public int atOnce() {
    return AT_ONCE;
  }

  /** A record may have several values. */
  @Override
  public boolean isDistinct() {
    return false;
  }

  @Override
  public boolean needsKeysOnly() {
    return !index.isUnique();
  }

  @Override
  public List<Row> rows(BytesReads reads, List<BytesScan.Found> found) {
    Map<Bytes, Bytes> keyOf = new LinkedHashMap<>();
    for (BytesScan.Found each : found) {
      keyOf.put(each.key(), index.table().key(key(each)));
    }
    Map<Bytes, Bytes> records = reads.get(Set.copyOf(keyOf.values()));
    List<Row> rows = new ArrayList<>();
    keyOf.forEach(
        (at, key) -> {
          Bytes value = records.get(key);
          if (value != null) {
            rows.add(new Row(at, key, value));
          } else if (!isOwn) {
            use.requireNewest();
            throw missing(key);
          }
        });
    return rows;
  }

  private EcStoreException missing(Bytes key) {
    return new EcStoreException(
        ErrorCode.PROTOCOL,
        "the index has an entry without its record: look with store.catalog().verify, and"
            + " rebuild it",
        null,
        "table",
        index.table().name(),
        "index",
        index.name(),
        "key",
        index.table().tuple(key));
  }

  @Override
  public Entry<V> entry(Row row) {
    return new Entry<>(
        index.table().tuple(row.key()), index.table().decode(row.key(), row.value()));
  }

  @Override
  public int leftOut() {
    return index.isUnique() ? 0 : 1;
  }

  @Override
  public int prefixBytes() {
    return index.prefixBytes();
  }

  @Override
  public void requireValues(String what) {
    throw index.noValues(what);
  }

  @Override
  public Tuple key(BytesScan.Found found) {
    return index.keyIn(found.key(), found.value());
  }

  @Override
  public boolean needsValueForKey() {
    return index.isUnique();
  }

  @Override
  public void requireSound() {
    use.requireSound();
  }
}
