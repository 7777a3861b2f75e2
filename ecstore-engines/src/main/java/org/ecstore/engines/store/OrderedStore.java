package org.ecstore.engines.store;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.CacheUse;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.EngineResult;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;

/**
 * A plain ordered store of one node: one row a key, its version beside the value, and a few named
 * metadata entries. Keys are ordered as unsigned bytes, and are up to 4 KiB long.
 *
 * <p>Every call may block. Calls that change come from one thread at a time and take effect in the
 * order they were made; calls that read come from any number of threads beside them. Of a call that
 * changes, a read beside it sees any part, for each key the row before or the row after. What a
 * call changed is seen by every read that begins after it returned.
 *
 * <p>What a crash leaves: everything that {@link #sync} confirmed, and of later calls any part, row
 * by row, with one order: the metadata of a call are durable together, and only after every row,
 * delete and clear of that call and everything of all calls before (rule W4). While the store is
 * open, nothing that {@code sync} confirmed is lost; a store that finds it lost (a server that
 * restarted without its data) says so by {@link StoreException.Reason#LOST} from then on, in every
 * call, and never answers as if it were empty (rules W9, W10).
 *
 * <p>The versions of a key that is written again do not go down, but a store does not compare: it
 * puts what it is given (rule W2).
 */
public interface OrderedStore extends AutoCloseable {
  /** What the store is good at, and whether it persists (rule 23). */
  EngineTraits profile();

  /**
   * The rows of some keys.
   *
   * @return one element a key, in the order asked: of all keys, or of the first ones if the limit
   *     was reached
   * @param bytesMax at least 1; stop after the row with which the keys and values returned reach it
   * @throws StoreException if it cannot be read
   */
  List<Optional<Row>> get(List<Bytes> keys, int bytesMax);

  /**
   * Rows of an interval in the order of their keys, each key at most once.
   *
   * @param bounds where the scan ends
   * @return {@code complete} if the interval is exhausted, else a limit was reached
   * @throws StoreException if it cannot be read
   */
  EngineResult.Rows scan(KeyRange interval, ScanBounds bounds);

  /**
   * Puts and deletes rows and metadata entries, in no order within the batch but that of W4; where
   * two entries have one name the later one prevails. A batch that failed may have been applied in
   * part, and may be made again.
   *
   * @throws StoreException if it was not, or may not have been, applied as a whole
   */
  void write(StoreBatch batch);

  /**
   * Puts many rows of an interval that holds no others, in the order of their keys: what is
   * transferred from another copy (rule W6). The same as a {@link #write} of them, maybe quicker.
   */
  default void load(List<Row> rows) {
    write(new StoreBatch(rows, List.of(), List.of()));
  }

  /**
   * Deletes every row of an interval. A crash, or a failure, may leave any part of it done.
   *
   * @throws StoreException if it was not done as a whole
   */
  void clear(KeyRange interval);

  /**
   * All metadata entries, each with a value, in the order of their names.
   *
   * @throws StoreException if they cannot be read
   */
  List<MetadataEntry> metadata();

  /**
   * Makes every call that returned before durable. A store that does not persist promises nothing
   * by it and returns.
   *
   * @throws StoreException if it is not known to be durable
   */
  void sync();

  /**
   * How much an interval holds, an estimate. Much cheaper than a scan of it.
   *
   * @throws StoreException if it cannot be read
   */
  EngineResult.Size size(KeyRange interval);

  /**
   * A key that halves the rows of an interval by count or size, an estimate; absent if there are
   * fewer than two. It is above the first key and at or below the last one.
   *
   * @throws StoreException if it cannot be read
   */
  Optional<Bytes> middle(KeyRange interval);

  /** As {@link org.ecstore.core.port.Engine#cacheUse}: the only call that never blocks. */
  default Optional<CacheUse> cacheUse() {
    return Optional.empty();
  }

  /** Makes what was done durable, if the store persists, and closes. Calls from then on fail. */
  @Override
  void close();

  /**
   * Where a scan ends.
   *
   * @param reverse from the end of the interval downwards
   * @param recordsMax at least 1
   * @param bytesMax at least 1; stop after the row with which the keys and values returned reach it
   * @param keysOnly leave every value empty
   */
  record ScanBounds(boolean reverse, int recordsMax, int bytesMax, boolean keysOnly) {}
}
