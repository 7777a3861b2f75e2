package org.ecstore.tools.cli;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import picocli.CommandLine.TypeConversionException;

/** Decimal numbers of options, as people write them. */
final class DecimalText {
  private static final Pattern NUMBER =
      Pattern.compile("-?([0-9]{1,15}(\\.[0-9]{0,15})?|\\.[0-9]{1,15})");

  private DecimalText() {}

  /**
   * The number of a text.
   *
   * @throws TypeConversionException if it is none, or has an exponent
   */
  static BigDecimal read(String text) {
    if (!NUMBER.matcher(text.strip()).matches()) {
      throw new TypeConversionException("it must be a number, as 0.3, not \"" + text + '"');
    }
    return new BigDecimal(text.strip());
  }
}
