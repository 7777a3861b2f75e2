package org.ecstore.tools.plan;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/** Predicted amounts as they are shown. */
public final class Figures {
  private static final int DIGITS = 4;
  private static final int DECIMALS_MIN = 2;

  private Figures() {}

  /**
   * Four digits, and two decimals at least; halves go down, as in the tables of the QoS paper: of
   * 38.225 it has 38.22.
   */
  public static BigDecimal rounded(double amount) {
    BigDecimal exact = BigDecimal.valueOf(amount);
    int whole = exact.precision() - exact.scale();
    int decimals = Math.max(DECIMALS_MIN, DIGITS - whole);
    BigDecimal rounded = exact.setScale(decimals, RoundingMode.HALF_DOWN).stripTrailingZeros();
    return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
  }

  public static String millis(double millis) {
    return rounded(millis).toPlainString() + " ms";
  }

  public static String megabytes(double megabytes) {
    return rounded(megabytes).toPlainString() + " MB/s";
  }

  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }
}
