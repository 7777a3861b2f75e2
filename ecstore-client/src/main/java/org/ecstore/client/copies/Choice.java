package org.ecstore.client.copies;

import org.ecstore.id.NodeId;
import org.ecstore.model.CopyRole;
import org.ecstore.model.Route;

/**
 * A copy to ask, and why that one.
 *
 * @param candidates how many copies there were to choose from, this one included
 * @param roundTripNanos how long this node takes to answer, as measured; 0 if it has not been yet
 */
public record Choice(
    Route route,
    NodeId node,
    String address,
    CopyRole role,
    Reason reason,
    int candidates,
    long roundTripNanos) {
  /** Why a copy was chosen. */
  public enum Reason {
    /** What has to be written is read from the primary. */
    PRIMARY_WANTED("an update transaction reads the primary"),
    /** There is no other, or every other has failed or is known to be behind. */
    ONLY_ONE("no other copy is known to answer"),
    /** None of the others is nearer by much, and of two drawn at random it has less to do. */
    NEAR("no copy is much nearer, and of two drawn at random this one had less to do"),
    /** None of the others is nearer by much, and the engines of some about as near read worse. */
    READS_WELL("of the copies about as near its engine reads best"),
    /** A busy copy has said that this one has the keys. */
    SENT_ON("a busy copy sent the read on to it"),
    /** How far it is was not known, or has not been measured for long. */
    MEASURED("how far it is was to be measured");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  /** Why, in words. */
  public String why() {
    String measured =
        roundTripNanos == 0
            ? ""
            : String.format(java.util.Locale.ROOT, ", %.1f ms away", roundTripNanos / 1e6);
    return reason.text + " (" + candidates + " to choose from" + measured + ")";
  }
}
