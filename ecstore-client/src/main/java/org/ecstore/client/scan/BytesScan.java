package org.ecstore.client.scan;

import org.ecstore.key.Bytes;
import org.jspecify.annotations.Nullable;

/** A scan under way, in bytes. For one thread. */
public interface BytesScan {
  /** A record of a scan. */
  record Found(Bytes key, Bytes value) {}

  /**
   * The next record, or null at the end.
   *
   * @param wanted records that the caller still wants, this one included: no page is longer
   */
  @Nullable Found next(long wanted);
}
