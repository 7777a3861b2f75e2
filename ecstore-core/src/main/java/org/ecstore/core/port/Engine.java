package org.ecstore.core.port;

import java.util.List;
import java.util.Optional;
import org.ecstore.aggregate.Aggregate;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Mutation;
import org.ecstore.model.Row;

/**
 * A versioned, ordered storage engine of one node: a window of versions in memory above a store of
 * one row a key (rules W1 to W11). Every call returns at once; its result is an {@link
 * Event.EngineDone} with the same token, in a later step of the event loop.
 *
 * <p>Batches apply in the order they were submitted, each wholly or not at all, and their results
 * come in that order. Reads may overtake: a read sees everything of each batch whose result was
 * delivered before the read was submitted, and of any other batch any part or nothing. That is all
 * that rules 2, 10 and 11 need: a write intent holds, and holds back the closed position, until the
 * result is there, so no reader reads at a position, or trusts a {@link #newest} on a key, that an
 * undelivered batch could still change.
 *
 * <p>A crash takes what was written and not folded. Of each key it leaves the row as of some
 * position from the last one that was folded to the last one that a fold was begun through; the
 * ledger has the rest. Metadata are as of the last {@link #sync} or later, and none of them is
 * there without the rows that were folded before it.
 *
 * <p>What a read, a scan or a {@link #newest} sees of changes under way is decided for each key by
 * one look at all of its versions, and for different keys at different moments between its
 * submission and its result. A scan returns each key at most once, in order, and only keys of its
 * interval, whatever goes on beside it.
 *
 * <ul>
 *   <li>Beside a batch that was not delivered: any part of its writes, on each key for itself.
 *   <li>Beside a {@link #fold}: at or above the lowest position that it keeps readable the same as
 *       without it. Below, {@link EngineResult.TooOld}, or what was there before the fold.
 *   <li>Beside a {@link #clear}: in its interval any part may be missing, newer versions and
 *       tombstones before the older ones that they hide too: so a reader looks again whether the
 *       interval is still there to be read (rule 17). Outside of it the same as without it.
 * </ul>
 *
 * <p>A call beyond what the engine is willing to hold at once fails at once, ahead of the results
 * of earlier calls.
 *
 * <p>Applying the same write twice at one version leaves one version; what is written at or below a
 * position that is folded is dropped.
 *
 * <p>What an operation makes of a key is found when it is read, or folded: by then every write to
 * the key at or below it has been delivered, in whatever order. It is the same on every engine, and
 * after every crash: what a row has taken in is not applied to it again (rule 28).
 */
public interface Engine {
  /** What the engine is good at (rule 23). */
  EngineTraits profile();

  /**
   * The newest version at or below a position, for each of the keys or for the first ones of them:
   * {@link EngineResult.Found}. A tombstone reads as absent.
   *
   * @param bytesMax at least 1; stop after the row with which the keys and values returned reach it
   */
  void read(long token, List<Bytes> keys, Position at, int bytesMax);

  /** As above, for all of the keys. */
  default void read(long token, List<Bytes> keys, Position at) {
    read(token, keys, at, Integer.MAX_VALUE);
  }

  /** The newest versions at or below a position in an interval: {@link EngineResult.Rows}. */
  void scan(long token, ScanSpec spec);

  /**
   * Whether some key or interval has a version (tombstones too) above a position: {@link
   * EngineResult.Newer}, naming the first found, keys before intervals.
   */
  void newest(long token, List<Bytes> keys, List<KeyRange> intervals, Position above);

  /** Applies writes and metadata atomically: {@link EngineResult.Applied}. */
  void apply(long token, EngineBatch batch);

  /**
   * Makes durable the metadata of every batch whose result was delivered before this call, and what
   * was loaded: {@link EngineResult.Synced}. It waits for no fold.
   */
  void sync(long token);

  /**
   * Brings an interval to the store: of each key the newest version at or below a position, a
   * tombstone by deleting the row. When that is durable, the versions go that no read needs any
   * more: {@link EngineResult.Folded}. All writes at or below the position must have been
   * delivered. Ordered neither with batches nor with other folds; a {@link #clear} takes its
   * interval out of those under way (rules W1, W2, W5, W8).
   *
   * @param readable at or below {@code through}: from there on snapshots are read as before, though
   *     the store is further; below it nothing is answered any more
   * @param through what the store has at the end. {@link EngineResult.TooOld} if a fold before it
   *     has begun through a later one and is not over
   */
  void fold(long token, KeyRange keys, Position readable, Position through);

  /**
   * How full the memory is that holds versions which the store below does not have: 1 where it
   * should take no more. What is applied is taken all the same.
   */
  default double fill() {
    return 0;
  }

  /** About how much memory these versions take: what {@link #fill} is a share of. */
  default long windowBytes() {
    return 0;
  }

  /**
   * How its cache does; absent if it has none, does not say, or cannot say at once. Cheap enough
   * for once a second.
   */
  default Optional<CacheUse> cacheUse() {
    return Optional.empty();
  }

  /**
   * Puts rows that were transferred from another copy where nothing else is, below all that is
   * applied afterwards, ordered with batches: {@link EngineResult.Applied} (rule W6).
   */
  void load(long token, List<Row> rows);

  /**
   * Says how far an interval is that was loaded, or found at a start: what was noted of it (rules
   * W1, W3). Before any call that reads or applies there. Done at once, and has no result.
   *
   * @param folded every key is there as of this position or later, durably
   * @param folding at or above: some may be as of it, and nothing is asked below it
   */
  void restore(KeyRange keys, Position folded, Position folding);

  /**
   * Deletes every version of every key in an interval, ordered with batches: {@link
   * EngineResult.Applied}. A crash, or a failure, may leave any part of it done.
   */
  void clear(long token, KeyRange keys);

  /**
   * A key that halves the live data of an interval by count or size, an estimate: {@link
   * EngineResult.Middle}; absent if there are fewer than two keys. It is above the first key and at
   * or below the last one, so that neither half is empty.
   */
  void middle(long token, KeyRange keys);

  /**
   * How much an interval holds, old versions not counted, an estimate: {@link EngineResult.Size}.
   * Much cheaper than a scan of it.
   */
  void size(long token, KeyRange keys);

  /** All metadata in order of their names: {@link EngineResult.Metadata}. */
  void metadata(long token);

  /**
   * What to scan.
   *
   * @param reverse from the end of the interval downwards
   * @param recordsMax at least 1
   * @param bytesMax at least 1; stop after the row with which the keys and values returned reach it
   * @param keysOnly leave every value empty
   * @param aggregate what to find of the rows instead of them, off the caller's thread
   */
  record ScanSpec(
      KeyRange interval,
      Position at,
      boolean reverse,
      int recordsMax,
      int bytesMax,
      boolean keysOnly,
      Optional<Aggregate> aggregate) {
    /** Of rows. */
    public ScanSpec(
        KeyRange interval,
        Position at,
        boolean reverse,
        int recordsMax,
        int bytesMax,
        boolean keysOnly) {
      this(interval, at, reverse, recordsMax, bytesMax, keysOnly, Optional.empty());
    }
  }

  /** One version of one key: what its commit did to it. */
  record VersionedWrite(Bytes key, Position version, Mutation mutation) {
    /** A put of a value, or a delete, which leaves a tombstone, if it is absent. */
    public VersionedWrite(Bytes key, Position version, Optional<Bytes> value) {
      this(key, version, Mutation.of(value));
    }

    /** The value put, or absent if the key was deleted; not of an operation. */
    public Optional<Bytes> value() {
      return mutation.value();
    }

    /** Of key and value or operand, in bytes. */
    public long bytes() {
      return (long) key.length() + mutation.length();
    }

    /** The write that a row is of. */
    public static VersionedWrite of(Row row) {
      return new VersionedWrite(row.key(), row.version(), Optional.of(row.value()));
    }
  }

  /**
   * Metadata entries are small named values of the node itself, kept beside the data; absent
   * deletes one.
   */
  record MetadataEntry(Bytes name, Optional<Bytes> value) {}

  /**
   * What an engine asked its own cache for, since it was opened: records and the pages that lead to
   * them.
   *
   * @param misses of the lookups, those that went to the disk
   */
  record CacheUse(long lookups, long misses) {
    /** An engine that has looked up nothing. */
    public static final CacheUse NONE = new CacheUse(0, 0);

    /** What has come since it was this; an engine that was opened anew counts from 0. */
    public CacheUse since(CacheUse before) {
      CacheUse from = lookups < before.lookups ? NONE : before;
      return new CacheUse(lookups - from.lookups, Math.max(0, misses - from.misses));
    }
  }

  /** Writes and metadata that become visible and durable together. */
  record EngineBatch(List<VersionedWrite> writes, List<MetadataEntry> metadata) {
    public EngineBatch {
      writes = List.copyOf(writes);
      metadata = List.copyOf(metadata);
    }
  }
}
