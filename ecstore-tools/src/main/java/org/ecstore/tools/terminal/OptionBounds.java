package org.ecstore.tools.terminal;

/** Numbers that options are given, and from where to where they may be. */
public final class OptionBounds {
  private OptionBounds() {}

  /**
   * Looks at one that has a least and a greatest value.
   *
   * @throws BadInputException if it is below or above
   */
  public static void checkBetween(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw new BadInputException(
          "%s must be from %d to %d, not %d".formatted(option, least, most, value));
    }
  }

  /**
   * Looks at one that has a least value.
   *
   * @throws BadInputException if it is below
   */
  public static void checkAtLeast(String option, long value, long least) {
    if (value < least) {
      throw new BadInputException("%s must be at least %d, not %d".formatted(option, least, value));
    }
  }
}
