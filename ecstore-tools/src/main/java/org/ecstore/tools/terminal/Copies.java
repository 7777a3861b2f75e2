package org.ecstore.tools.terminal;

import org.ecstore.server.ReplicationSettings;
import org.jspecify.annotations.Nullable;

/** The option {@code --copies}. */
public final class Copies {
  private Copies() {}

  /**
   * What it asks for.
   *
   * @param copies as given, or nothing
   * @throws BadInputException if there cannot be so many
   */
  public static ReplicationSettings of(@Nullable Integer copies) {
    try {
      return copies == null
          ? ReplicationSettings.DEFAULT
          : ReplicationSettings.DEFAULT.withCopies(copies);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--copies: " + e.getMessage());
    }
  }

  /** The same for so many nodes, which must be enough. */
  public static ReplicationSettings of(int nodes, @Nullable Integer copies) {
    return of(nodes, "nodes", copies);
  }

  /**
   * The same for so many places, each for one copy.
   *
   * @param what the places are, as {@code hosts}
   */
  public static ReplicationSettings of(int places, String what, @Nullable Integer copies) {
    ReplicationSettings wanted = of(copies);
    try {
      return wanted.withCopies(wanted.copiesOf(places, what));
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--copies: " + e.getMessage());
    }
  }
}
