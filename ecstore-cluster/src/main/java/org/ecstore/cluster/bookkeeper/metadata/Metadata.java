package org.ecstore.cluster.bookkeeper.metadata;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ecstore.key.Bytes;

/**
 * What a ledger needs of ZooKeeper. Every call returns at once; its future ends on a thread of
 * ZooKeeper's client and fails if no answer came: then a write may have happened or not.
 */
public interface Metadata extends AutoCloseable {
  /** Data and the version it has. */
  record Versioned(Bytes data, int version) {}

  /**
   * The list of segments as it is stored: not older than any version that was written before the
   * call, by any node.
   */
  CompletableFuture<Versioned> readSegments();

  /** Replaces the list if it still has a version; the version it has then. */
  CompletableFuture<Integer> writeSegments(byte[] data, int version);

  /** The ids of the bookies that take writes. */
  CompletableFuture<List<String>> writableBookies();

  @Override
  void close();

  /**
   * The connection was lost, or its session ended, and the next one will do: a read found nothing
   * out, a write may have happened or not.
   */
  final class Disconnected extends IOException {
    private static final long serialVersionUID = 1L;

    public Disconnected(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** The list did not have the version. */
  final class VersionConflict extends Exception {
    private static final long serialVersionUID = 1L;

    public VersionConflict(int expected) {
      super("the list of segments no longer has version " + expected);
    }
  }
}
