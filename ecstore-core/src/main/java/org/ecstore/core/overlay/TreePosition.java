package org.ecstore.core.overlay;

import java.util.Optional;

/**
 * A place in the tree: the level (root: 0) and the number within it, counted from the left in
 * {@code [0, 2^level)} as if every place of the level were taken.
 */
public record TreePosition(int level, long number) {
  /** The only place of level 0. */
  public static final TreePosition ROOT = new TreePosition(0, 0);

  /**
   * The deepest level: its places still have an index in a long. A balanced tree never gets there.
   */
  static final int LEVEL_MAX = 61;

  public TreePosition {
    if (level < 0 || level > LEVEL_MAX || number < 0 || number >= 1L << level) {
      throw new IllegalArgumentException("no such tree position: " + level + ":" + number);
    }
  }

  /** The place above; absent for the root. */
  public Optional<TreePosition> parent() {
    return level == 0 ? Optional.empty() : Optional.of(new TreePosition(level - 1, number / 2));
  }

  /** The place below on a side. */
  public TreePosition child(Side side) {
    return new TreePosition(level + 1, number * 2 + (side == Side.LEFT ? 0 : 1));
  }

  /** Which child of its parent this is; the root counts as a left one. */
  public Side side() {
    return number % 2 == 0 ? Side.LEFT : Side.RIGHT;
  }

  /** The place of the same level at a distance; absent past the level's ends. */
  public Optional<TreePosition> beside(Side side, long distance) {
    long other = side == Side.LEFT ? number - distance : number + distance;
    boolean inLevel = other >= 0 && other < 1L << level;
    return inLevel ? Optional.of(new TreePosition(level, other)) : Optional.empty();
  }

  /** The number of this place when all places are counted level by level, from 1 for the root. */
  long index() {
    return (1L << level) + number;
  }

  @Override
  public String toString() {
    return level + ":" + number;
  }
}
