package org.ecstore.client;

import org.ecstore.client.error.CatalogChangedException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.session.BytesReads;
import org.jspecify.annotations.Nullable;

/**
 * That an index may be read at a snapshot. Asked before anything is read, and once more when the
 * first of it has come: by then the snapshot is where it is, and what is deleted later does not
 * show in it (decision 0064). Safe for use by several threads.
 */
final class IndexUse {
  private final CatalogCache cache;
  private final BytesReads reads;
  private final Index<?> index;
  private final @Nullable CatalogVersion pinned;
  private final Runnable entered;
  private volatile @Nullable CatalogVersion version;
  private volatile boolean isSound;

  /**
   * @param pinned that of the transaction which reads; null for a snapshot
   * @param entered has what a transaction has written entered in its indexes
   */
  IndexUse(
      CatalogCache cache,
      BytesReads reads,
      Index<?> index,
      @Nullable CatalogVersion pinned,
      Runnable entered) {
    this.cache = cache;
    this.reads = reads;
    this.index = index;
    this.pinned = pinned;
    this.entered = entered;
  }

  /**
   * A scan begins.
   *
   * @throws WrongArgumentException if the index cannot be read; it says what to do
   * @throws CatalogChangedException if the transaction is of another version: it is run again
   */
  void begin() {
    version = cache.readable(reads, index, pinned);
    entered.run();
  }

  /**
   * Something of it has come.
   *
   * @throws CatalogChangedException if the index has been taken away meanwhile
   */
  void requireSound() {
    CatalogVersion relied = version;
    if (!isSound && relied != null) {
      if (!cache.isConfirmed(relied)) {
        version = cache.readable(reads, index, pinned);
      }
      isSound = true;
    }
  }

  /** As {@link #requireSound}, by what the store says now. */
  void requireNewest() {
    version = cache.readableNow(reads, index, pinned);
  }
}
