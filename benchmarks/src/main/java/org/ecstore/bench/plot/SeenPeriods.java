package org.ecstore.bench.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.ecstore.bench.plot.TimeChart.Period;

/**
 * The times in which something went on, as several looks found it: each from the first look that
 * saw it to the first that did not, or to the last look. Not safe for use by several threads.
 */
public final class SeenPeriods {
  private final List<Period> over = new ArrayList<>();
  private OptionalDouble since = OptionalDouble.empty();
  private double last;

  /** No look yet. */
  public SeenPeriods() {}

  /**
   * A look, not before the one before it.
   *
   * @param goesOn whether it is seen; a look at which nothing could be seen is none
   */
  public void see(double seconds, boolean goesOn) {
    if (goesOn && since.isEmpty()) {
      since = OptionalDouble.of(seconds);
    } else if (!goesOn && since.isPresent()) {
      over.add(new Period(since.getAsDouble(), seconds));
      since = OptionalDouble.empty();
    }
    last = seconds;
  }

  /** What was seen so far, in its order. */
  public List<Period> all() {
    List<Period> all = new ArrayList<>(over);
    since.ifPresent(from -> all.add(new Period(from, last)));
    return List.copyOf(all);
  }
}
