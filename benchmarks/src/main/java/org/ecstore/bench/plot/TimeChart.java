package org.ecstore.bench.plot;

import java.util.List;
import org.ecstore.bench.figure.Series;

/**
 * Something over time, with what happened meanwhile.
 *
 * @param yLabel what is shown, with its unit
 * @param isStepped whether values stay until they are others, and are whole numbers
 * @param lines what was measured; x is seconds
 * @param bounds what should be kept to, dashed
 * @param marks what happened, as upright lines
 */
public record TimeChart(
    String title,
    String yLabel,
    boolean isStepped,
    List<Series> lines,
    List<Series> bounds,
    List<Marks> marks) {
  public TimeChart {
    lines = List.copyOf(lines);
    bounds = List.copyOf(bounds);
    marks = List.copyOf(marks);
  }

  /**
   * Events of one kind.
   *
   * @param name of the kind
   */
  public record Marks(String name, List<Mark> all) {
    public Marks {
      all = List.copyOf(all);
    }
  }

  /**
   * An event.
   *
   * @param words few; none are drawn if it is empty
   */
  public record Mark(double seconds, String words) {}
}
