package org.ecstore.bench.load;

import java.util.Optional;

/**
 * What came of one operation of a client.
 *
 * @param kind of operation, as in {@code read}
 * @param records that were read or written
 * @param aborts after how many it was done; each is a try that did nothing
 * @param error why it was not done
 */
public record LoadOutcome(String kind, long records, long aborts, Optional<String> error) {
  /** It was done at the first try. */
  public static LoadOutcome done(String kind, long records) {
    return new LoadOutcome(kind, records, 0, Optional.empty());
  }

  /** It was not done. */
  public static LoadOutcome failed(String kind, String error) {
    return new LoadOutcome(kind, 0, 0, Optional.of(error));
  }
}
