package org.ecstore.core.metrics;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A declared metric. Names are for ever: who draws a chart of one must find it after an upgrade.
 *
 * @param name dotted, lower case, as {@code ecstore.commits}; without unit and kind, which an
 *     adapter adds where its system wants them in names
 * @param help a sentence
 * @param tags of which each series has one value each
 */
public record Metric(
    String name, MetricKind kind, MetricUnit unit, String help, List<MetricTag> tags) {
  private static final Pattern NAME = Pattern.compile("ecstore(\\.[a-z]+)+");
  private static final Pattern TAG = Pattern.compile("[a-z]+");

  /**
   * Declares one.
   *
   * @throws IllegalArgumentException if a name is none, or the help is no sentence
   */
  public Metric {
    tags = List.copyOf(tags);
    check(NAME.matcher(name).matches(), name, "is no name as ecstore.commits");
    check(help.endsWith("."), name, "has no sentence of help");
    for (MetricTag tag : tags) {
      check(TAG.matcher(tag.name()).matches(), name, "has a tag of which the name is no word");
    }
  }

  private static void check(boolean right, String name, String wrong) {
    if (!right) {
      throw new IllegalArgumentException("metric \"" + name + "\" " + wrong);
    }
  }
}
