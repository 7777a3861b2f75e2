package org.ecstore.bench.cli.options;

import java.time.Duration;

/** About how long something takes, for people. */
public final class DurationWords {
  private static final int SECONDS_MAX = 120;

  private DurationWords() {}

  /** {@code 90 s}, {@code 12 min}. */
  public static String of(Duration duration) {
    long seconds = duration.toSeconds();
    return seconds < SECONDS_MAX ? seconds + " s" : (seconds + 30) / 60 + " min";
  }
}
