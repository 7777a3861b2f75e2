package org.ecstore.wire;

import java.util.Arrays;
import java.util.Optional;
import org.ecstore.key.Bytes;

/** The published limits, checked on the client before anything is sent and again on the node. */
public final class Limits {
  /** Length of a key in bytes, table prefix included. */
  public static final int KEY_BYTES_MAX = 4 << 10;

  /** Length of a value in bytes. */
  public static final int VALUE_BYTES_MAX = 1 << 20;

  /** Keys read, keys and values written and bounds scanned by one transaction, in bytes. */
  public static final int TRANSACTION_BYTES_MAX = 64 << 20;

  /** Keys read, intervals scanned and keys written by one transaction, counted together. */
  public static final int TRANSACTION_ITEMS_MAX = 1 << 17;

  /** Keys of one {@code Get} request. */
  public static final int GET_KEYS_MAX = 1 << 16;

  /** Length of a frame in bytes: the largest transaction with its overhead. */
  public static final int FRAME_BYTES_MAX = 80 << 20;

  /** Bytes of one scan answer; a longer scan goes on from where the answer ended. */
  public static final int SCAN_BYTES_MAX = 1 << 20;

  /** Bytes of one answer to a {@code Get}; the client asks for the keys left out. */
  public static final int GET_BYTES_MAX = 2 << 20;

  /** Ranges in one answer to a {@code Status} request. */
  public static final int STATUS_RANGES_MAX = 1 << 16;

  /** Intervals of one request for changes. */
  public static final int CHANGES_INTERVALS_MAX = 16;

  /**
   * Keys and values of one answer to a request for changes, in bytes; one write at least is in it.
   */
  public static final int CHANGES_BYTES_MAX = 1 << 20;

  /**
   * What a key read, an interval scanned or a key written takes of a node's heap beside its bytes:
   * objects of the request, the vote, the intent and the engine's transaction.
   */
  public static final int ITEM_HEAP_BYTES = 192;

  /** Bytes of a challenge, and of the proof that answers it. */
  public static final int PROOF_BYTES_MAX = 64;

  /** Optional fields of one message, those of unknown tags included. */
  public static final int OPTIONAL_FIELDS_MAX = 16;

  /** Bytes of the optional fields of one message, with their tags and lengths. */
  public static final int OPTIONAL_BYTES_MAX = 8 << 10;

  /** Bytes of the name by which an application tells its requests from those of others. */
  public static final int APPLICATION_BYTES_MAX = 64;

  /** Bytes of what a client reports of itself with a request. */
  public static final int REPORT_BYTES_MAX = 4 << 10;

  private Limits() {}

  /**
   * The greatest key below an end, absent meaning the end of all keys. There is one because keys
   * have a longest length: an end that stops with a zero byte is the successor of the key before
   * it; below any other is its last byte less one, filled up with the greatest bytes.
   */
  public static Bytes greatestKeyBelow(Optional<Bytes> end) {
    byte[] key = new byte[KEY_BYTES_MAX];
    Arrays.fill(key, (byte) 0xff);
    if (end.isPresent()) {
      byte[] bound = end.get().array();
      int last = bound.length - 1;
      if (bound[last] == 0) {
        return Bytes.wrap(Arrays.copyOf(bound, last));
      }
      System.arraycopy(bound, 0, key, 0, last);
      key[last] = (byte) (bound[last] - 1);
    }
    return Bytes.wrap(key);
  }
}
