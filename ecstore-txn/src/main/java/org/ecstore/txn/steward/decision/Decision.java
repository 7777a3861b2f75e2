package org.ecstore.txn.steward.decision;

import java.util.List;
import org.ecstore.id.MapVersion;
import org.ecstore.id.RangeId;

/**
 * What the steward has decided, on whose request and why, and what came of it.
 *
 * @param number counts what the steward of one node decides; that of another counts anew
 * @param nanos when, by the clock of the steward's node, for people; 0 if an earlier steward
 *     decided
 * @param map the version of the map that came of it; 0 if none has
 * @param ranges that it is about
 * @param what has to be done
 * @param why with the figures that led to it
 * @param detail of the outcome
 * @param adminRequest the id of the request that it is about; 0 if there is none
 */
public record Decision(
    long number,
    long nanos,
    MapVersion map,
    Cause cause,
    List<RangeId> ranges,
    String what,
    String why,
    Outcome outcome,
    String detail,
    long adminRequest) {
  public Decision {
    ranges = List.copyOf(ranges);
  }

  /** On whose request. */
  public enum Cause {
    /** By command. */
    OPERATOR,
    /** A range is too large, or too small. */
    SIZE,
    /** A range has too much to do, or too little. */
    LOAD,
    /** A node has gone, or is back. */
    FAILURE,
    /** A node joins or leaves. */
    MEMBERSHIP,
    /** A range is not where it belongs, or has too few copies. */
    PLACEMENT,
    /** What an application was promised is not kept, or could be kept with less. */
    OBJECTIVE;

    String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** What came of it. */
  public enum Outcome {
    /** It waits for others, or is being done. */
    UNDER_WAY,
    DONE,
    /** It cannot be. */
    REFUSED,
    /** It did not come about; if it is still wanted it will be decided anew. */
    PUT_OFF
  }

  Decision ended(Outcome now, MapVersion version, String text) {
    return new Decision(number, nanos, version, cause, ranges, what, why, now, text, adminRequest);
  }

  /** The same with what it waits for, while it is not over. */
  Decision waiting(String text) {
    return new Decision(
        number, nanos, map, cause, ranges, what, why, Outcome.UNDER_WAY, text, adminRequest);
  }

  @Override
  public String toString() {
    return "%d %s: %s%s, %s%s%s"
        .formatted(
            number,
            cause.word(),
            what,
            why.isEmpty() ? "" : ", " + why,
            outcome.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' '),
            map.value() == 0 ? "" : " at map " + map,
            detail.isEmpty() ? "" : ": " + detail);
  }
}
