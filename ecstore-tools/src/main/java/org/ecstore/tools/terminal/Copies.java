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
    ReplicationSettings wanted = of(copies);
    try {
      return wanted.withCopies(wanted.copiesOf(nodes));
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--copies: " + e.getMessage());
    }
  }
}
