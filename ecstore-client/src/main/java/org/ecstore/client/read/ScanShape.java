package org.ecstore.client.read;

import java.util.Optional;
import org.ecstore.aggregate.Aggregate;

/**
 * What a scan gives.
 *
 * @param reverse from the greatest key to the least
 * @param keysOnly values are empty
 * @param ordered in that order, rather than as pages come. Without it, a page is in order in itself
 * @param aggregate what is found of the records instead of them, if nodes know how
 */
public record ScanShape(
    boolean reverse, boolean keysOnly, boolean ordered, Optional<Aggregate> aggregate) {
  /** Of records. */
  public ScanShape(boolean reverse, boolean keysOnly, boolean ordered) {
    this(reverse, keysOnly, ordered, Optional.empty());
  }

  /** Of what is found of records, in any order. */
  public static ScanShape of(Aggregate aggregate) {
    return new ScanShape(false, !aggregate.needsValues(), false, Optional.of(aggregate));
  }
}
