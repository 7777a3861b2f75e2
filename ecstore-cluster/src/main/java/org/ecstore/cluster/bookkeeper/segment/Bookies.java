package org.ecstore.cluster.bookkeeper.segment;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;

/**
 * What a ledger needs of BookKeeper. Every call returns at once; its future ends on a thread of the
 * library.
 *
 * <p>The metadata of a segment comes over a session of ZooKeeper's of which other nodes' sessions
 * know nothing: it may be older than what others have written. That a segment is closed, and where,
 * is final and can be relied on; that it is open, or absent, may be old news.
 */
public interface Bookies extends AutoCloseable {
  /** How old the metadata of a segment may be. */
  enum Freshness {
    /** Any age: good enough if it says that the segment is closed. */
    ANY,
    /** Not older than anything that was written before the call. */
    SYNCED
  }

  /**
   * Creates a segment on as many bookies as the ensemble has, or on those there are. Fails with
   * {@link TooFewBookies} if they are fewer than must acknowledge.
   *
   * @param after the last position before it
   */
  CompletableFuture<WriteHandle> create(long after);

  /** Opens a segment to read it, as it is. One that is said to be absent is absent. */
  CompletableFuture<ReadHandle> open(long ledger, Freshness freshness);

  /** Fences a segment, finds its last entry and closes it for good. */
  CompletableFuture<ReadHandle> recover(long ledger);

  /** Deletes a segment; one that is gone already is no failure. */
  CompletableFuture<Void> delete(long ledger);

  /** The segments of this cluster that BookKeeper has. */
  CompletableFuture<List<Long>> ledgers();

  /** The bookies that take writes. */
  CompletableFuture<List<String>> writable();

  /**
   * What an operator should read about a failure: BookKeeper's reason, and the bookies there are.
   */
  CompletableFuture<String> explain(String what, Throwable failure);

  @Override
  void close();

  /** There are fewer bookies than must acknowledge an entry. */
  final class TooFewBookies extends Exception {
    private static final long serialVersionUID = 1L;

    /** Whether there are enough now; the client finds out a little later. */
    public final boolean isOver;

    public TooFewBookies(List<String> there, int needed) {
      super(
          "too few bookies: %d there %s, at least %d needed: start %d more"
              .formatted(there.size(), there, needed, Math.max(1, needed - there.size())));
      this.isOver = there.size() >= needed;
    }
  }

  /** A failure in a few words. */
  static String reason(Throwable failure) {
    Throwable cause = Futures.cause(failure);
    if (cause instanceof BKException e) {
      return BKException.getMessage(e.getCode());
    }
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }

  /** Whether a failure says that there is no such segment. */
  static boolean isAbsent(Throwable failure) {
    return Futures.cause(failure) instanceof BKException e
        && (e.getCode() == BKException.Code.NoSuchLedgerExistsException
            || e.getCode() == BKException.Code.NoSuchLedgerExistsOnMetadataServerException);
  }
}
