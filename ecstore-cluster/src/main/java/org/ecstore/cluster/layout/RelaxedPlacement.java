package org.ecstore.cluster.layout;

import java.util.List;

/** A node's configuration by which engines may lack what copies need (rule 23). */
public final class RelaxedPlacement {
  private RelaxedPlacement() {}

  /**
   * The same configuration, with {@code placement.relaxed = true} in the place of what it said of
   * that; all else, as every comment, stays.
   */
  public static String of(String configuration) {
    return ConfigTable.replaced(
        configuration, "placement", "relaxed\\s*=", List.of("relaxed = true"));
  }
}
