package org.ecstore.verify.check;

import java.util.List;
import java.util.Map;

/**
 * What a checker says of a history.
 *
 * @param anomalies the first few of each kind
 * @param counts how many of each kind
 * @param undecided why nothing can be said of a part of it
 */
public record Report(List<Anomaly> anomalies, Map<String, Integer> counts, List<String> undecided) {
  /** In a word. */
  public enum Verdict {
    /** All that was promised was kept. */
    CLEAN,
    /** Something promised was not kept. */
    VIOLATED,
    /** Nothing wrong was seen, but not all could be looked at. */
    UNKNOWN
  }

  /** In a word. */
  public Verdict verdict() {
    if (!anomalies.isEmpty()) {
      return Verdict.VIOLATED;
    }
    return undecided.isEmpty() ? Verdict.CLEAN : Verdict.UNKNOWN;
  }
}
