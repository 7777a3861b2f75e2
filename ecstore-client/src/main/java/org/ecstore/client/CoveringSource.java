package org.ecstore.client;

import java.util.List;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.session.BytesReads;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/** The parts of records that an index's entries keep, in the order of the index. */
final class CoveringSource<C> implements ScanSource<C> {
  private final Covering<?, C> covering;
  private final IndexUse use;

  CoveringSource(Covering<?, C> covering, IndexUse use) {
    this.covering = covering;
    this.use = use;
  }

  @Override
  public void begin() {
    use.begin();
  }

  @Override
  public boolean isDistinct() {
    return false;
  }

  @Override
  public int atOnce() {
    return 64;
  }

  @Override
  public List<Row> rows(BytesReads reads, List<BytesScan.Found> found) {
    return found.stream().map(each -> new Row(each.key(), each.key(), each.value())).toList();
  }

  @Override
  public Entry<C> entry(Row row) {
    Index<?> index = covering.index();
    Tuple key = index.keyIn(row.at(), row.value());
    Bytes part = index.partIn(row.at(), row.value());
    try {
      return new Entry<>(key, covering.codec().decode(part));
    } catch (WrongArgumentException e) {
      throw new WrongArgumentException(
          "a part of a record that the index keeps cannot be read",
          e,
          "table",
          index.table().name(),
          "index",
          index.name(),
          "key",
          key,
          "why",
          String.valueOf(e.getMessage()));
    }
  }

  @Override
  public int leftOut() {
    return covering.index().isUnique() ? 0 : 1;
  }

  @Override
  public int prefixBytes() {
    return covering.index().prefixBytes();
  }

  @Override
  public void requireValues(String what) {
    throw covering.index().noValues(what);
  }

  @Override
  public Tuple key(BytesScan.Found found) {
    return covering.index().keyIn(found.key(), found.value());
  }

  @Override
  public boolean needsValueForKey() {
    return covering.index().isUnique();
  }

  @Override
  public void requireSound() {
    use.requireSound();
  }
}
