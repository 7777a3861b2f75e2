package org.ecstore.tools.torture;

import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import org.ecstore.model.ReadLevel;

/** How fresh the snapshots of clients are (rule 9). */
public enum Start {
  /** All at this level. */
  STRONG,
  SESSION,
  BOUNDED,
  LOCAL,
  /** Each at one of them by chance, which the history says. */
  MIXED;

  /** Short, so that the bound is often asked for anew, and often not. */
  private static final Duration LAG = Duration.ofMillis(300);

  /** The level of a transaction. Those that write are more often at the levels made for them. */
  ReadLevel level(boolean writes, SplittableRandom random) {
    return switch (this) {
      case STRONG -> ReadLevel.STRONG;
      case SESSION -> ReadLevel.SESSION;
      case BOUNDED -> ReadLevel.bounded(LAG);
      case LOCAL -> ReadLevel.LOCAL;
      case MIXED ->
          switch (random.nextInt(writes ? 10 : 4)) {
            case 0 -> ReadLevel.LOCAL;
            case 1 -> ReadLevel.bounded(LAG);
            case 2, 4, 5 -> ReadLevel.SESSION;
            default -> ReadLevel.STRONG;
          };
    };
  }

  /** Its name on the command line and in reports. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
