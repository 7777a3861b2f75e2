package org.ecstore.client.read;

import org.ecstore.wire.Limits;

/**
 * How far a long scan reads ahead of its reader.
 *
 * @param requestsMax requests under way at once; with 1 a scan asks for a page only when its reader
 *     has come to the end of the one before
 * @param bytesMax keys and values fetched and not yet read, together with what requests under way
 *     may bring. The page that the reader waits for is asked for even if it is longer
 */
public record ReadAhead(int requestsMax, long bytesMax) {
  /** Four requests, 16 MiB. */
  public static final ReadAhead DEFAULT = new ReadAhead(4, 16L << 20);

  /** What one answer may hold: a node stops behind the record that fills it. */
  static final long ANSWER_BYTES_MAX =
      (long) Limits.SCAN_BYTES_MAX + Limits.KEY_BYTES_MAX + Limits.VALUE_BYTES_MAX;
}
