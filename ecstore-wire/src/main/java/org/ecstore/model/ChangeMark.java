package org.ecstore.model;

import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/**
 * How far a reader of changes has come (rule 29).
 *
 * @param after all commits up to this position were taken; never amid the parts of a record
 * @param within the commit above of which a part was taken
 */
public record ChangeMark(Position after, Optional<Part> within) {
  /**
   * The part of a commit that was taken.
   *
   * @param number of the commit
   * @param through the greatest key of it
   */
  public record Part(Position number, Bytes through) {}

  /**
   * A mark.
   *
   * @throws IllegalArgumentException if it is within a commit that was taken
   */
  public ChangeMark {
    if (within.isPresent() && within.get().number().isAtOrBelow(after)) {
      throw new IllegalArgumentException(
          "within " + within.get().number() + ", which is not above " + after);
    }
  }

  /** Behind whole commits. */
  public static ChangeMark after(Position position) {
    return new ChangeMark(position, Optional.empty());
  }
}
