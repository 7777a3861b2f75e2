package org.ecstore.tools.objective;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.tools.terminal.BadInputException;

/** Amounts as options have them: {@code 40ms}, {@code 0.8ms}, {@code 1.5s}, {@code 1KB}. */
public final class Amount {
  private static final Pattern TEXT =
      Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,9})?)\\s*([A-Za-z]*)");
  private static final Pattern PERCENT =
      Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,17})?|\\.[0-9]{1,17})\\s*%?");
  private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);
  private static final double MILLIS_MAX = 3_600_000;
  private static final double BYTES_MAX = 1L << 50;

  private Amount() {}

  /** A response time in milliseconds, above 0 and an hour at most. */
  public static double millis(String option, String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    double factor =
        !matcher.matches()
            ? 0
            : switch (matcher.group(2)) {
              case "us" -> 0.001;
              case "ms" -> 1;
              case "s" -> 1_000;
              default -> 0;
            };
    double millis = factor == 0 ? 0 : factor * Double.parseDouble(matcher.group(1));
    if (millis > 0 && millis <= MILLIS_MAX) {
      return millis;
    }
    throw new BadInputException(
        "%s must be a time above 0 and an hour at most, as 40ms or 1.5s, not \"%s\""
            .formatted(option, text));
  }

  /** A size in bytes, 1 at least: KB are 1000, KiB 1024. */
  public static long bytes(String option, String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    double factor =
        !matcher.matches()
            ? 0
            : switch (matcher.group(2)) {
              case "", "B" -> 1;
              case "KB" -> 1e3;
              case "MB" -> 1e6;
              case "GB" -> 1e9;
              case "TB" -> 1e12;
              case "KiB" -> 1L << 10;
              case "MiB" -> 1L << 20;
              case "GiB" -> 1L << 30;
              case "TiB" -> 1L << 40;
              default -> 0;
            };
    double bytes = factor == 0 ? 0 : factor * Double.parseDouble(matcher.group(1));
    if (bytes >= 1 && bytes <= BYTES_MAX) {
      return Math.round(bytes);
    }
    throw new BadInputException(
        "%s must be a size, as 1KB or 15GiB, not \"%s\"".formatted(option, text));
  }

  /**
   * So many of 100, 0 to 100: {@code 95%} or {@code 95}; up to 1 with a point, and without a sign,
   * a share: {@code 0.95}.
   */
  public static int percent(String option, String text) {
    String plain = text.strip();
    if (PERCENT.matcher(plain).matches()) {
      BigDecimal number = new BigDecimal(plain.replaceFirst("\\s*%$", ""));
      boolean isShare =
          plain.contains(".") && !plain.endsWith("%") && number.compareTo(BigDecimal.ONE) <= 0;
      BigDecimal percent = (isShare ? number.movePointRight(2) : number).stripTrailingZeros();
      if (percent.scale() <= 0 && percent.compareTo(HUNDRED) <= 0) {
        return percent.intValueExact();
      }
    }
    throw new BadInputException(
        "%s must be from 0%% to 100%%, as 95%% or 0.95, not \"%s\"".formatted(option, text));
  }

  /** A whole number from 1 to a limit. */
  public static long count(String option, String text, long most) {
    if (text.strip().matches("[0-9]{1,18}")) {
      long count = Long.parseLong(text.strip());
      if (count >= 1 && count <= most) {
        return count;
      }
    }
    throw new BadInputException(
        "%s must be a whole number from 1 to %d, not \"%s\"".formatted(option, most, text));
  }
}
