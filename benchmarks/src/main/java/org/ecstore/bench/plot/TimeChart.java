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
 * @param periods what went on for a while, as level bars
 */
public record TimeChart(
    String title,
    String yLabel,
    boolean isStepped,
    List<Series> lines,
    List<Series> bounds,
    List<Marks> marks,
    List<Periods> periods) {
  public TimeChart {
    lines = List.copyOf(lines);
    bounds = List.copyOf(bounds);
    marks = List.copyOf(marks);
    periods = List.copyOf(periods);
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

  /**
   * Times in which something of one kind went on.
   *
   * @param name of the kind
   */
  public record Periods(String name, List<Period> all) {
    public Periods {
      all = List.copyOf(all);
    }
  }

  /** From one second to another, which is not before it. */
  public record Period(double from, double to) {}
}
