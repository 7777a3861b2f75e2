package org.ecstore.bench.load;

import java.util.Optional;

/**
 * How many operations are due each second: a number, a part of what there can be, or none, for a
 * closed loop.
 *
 * @param perSecond operations a second; 0 if it is a part, or none
 * @param part of the throughput of a closed loop, above 0 and at most 1; 0 if it is none
 */
public record DueRate(double perSecond, double part) {
  /** A closed loop. */
  public static final DueRate NONE = new DueRate(0, 0);

  private static final double PERCENT = 100;

  /**
   * Reads {@code 2000}, {@code 80%} or {@code 0}, which is none.
   *
   * @param max the most operations a second
   * @return nothing if it is neither
   */
  public static Optional<DueRate> parse(String text, double max) {
    boolean isPart = text.endsWith("%");
    try {
      double number = Double.parseDouble(isPart ? text.substring(0, text.length() - 1) : text);
      if (isPart) {
        return number > 0 && number <= PERCENT
            ? Optional.of(new DueRate(0, number / PERCENT))
            : Optional.empty();
      }
      return number >= 0 && number <= max ? Optional.of(new DueRate(number, 0)) : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** Whether operations are due at their times. */
  public boolean isOpen() {
    return perSecond > 0 || part > 0;
  }

  /** Whether a closed loop has to say first what there can be. */
  public boolean isPart() {
    return part > 0;
  }

  /**
   * Operations a second.
   *
   * @param saturation what a closed loop had, if this is a part of it
   */
  public double of(double saturation) {
    return isPart() ? part * saturation : perSecond;
  }
}
