package org.ecstore.client.copies;

import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadSource;

/**
 * Which copy answered a read, at which position, and how far behind it was. A copy that is behind
 * answers no less truly: it only cannot answer above its closed position.
 *
 * @param choice the copy, and why it was asked
 * @param position the snapshot that it read at
 * @param source what the copy said of itself
 */
public record AnsweredBy(Choice choice, Position position, ReadSource source) {
  /** The node that answered. */
  public NodeId node() {
    return source.node();
  }

  /** What its copy is to the range. */
  public CopyRole role() {
    return source.role();
  }

  /** The copy can read every commit to its range at or below this. */
  public Position closed() {
    return source.closed();
  }

  /** How many positions of the ledger the copy was behind what its node knew to be durable. */
  public long behind() {
    return source.behind();
  }

  /** Why that copy was asked, in words. */
  public String why() {
    return choice.why();
  }

  @Override
  public String toString() {
    return node()
        + " ("
        + role().name().toLowerCase(java.util.Locale.ROOT)
        + ") at "
        + position.value()
        + ", closed at "
        + closed().value()
        + ", "
        + behind()
        + " behind: "
        + why();
  }
}
