package org.ecstore.replication.copy;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * What the replication stratum must know of transactions that are not settled: owned here, given by
 * the transaction stratum.
 */
public interface WriteHolds {
  /**
   * The least D noted with a write intent that is unsettled or whose writes are not readable yet.
   */
  Optional<Position> leastNoted(Copy copy);

  /**
   * Runs {@code ready} as soon as no write intent on the keys or in the interval may turn out to be
   * numbered at or below the position (rule 10): at once if there is none; {@code late} after the
   * deadline.
   */
  void awaitSettled(
      Copy copy,
      List<Bytes> keys,
      Optional<KeyRange> interval,
      Position position,
      long untilNanos,
      Runnable ready,
      Runnable late);
}
