package org.ecstore.txn.balance;

import java.util.Locale;

/** Amounts as people read them. */
public final class Amounts {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long SMALL = 10;

  private Amounts() {}

  /** Bytes in a unit in which they are ten or more. */
  public static String bytes(long bytes) {
    if (bytes < SMALL * KIB) {
      return bytes + " B";
    }
    return bytes < SMALL * MIB
        ? Math.round((double) bytes / KIB) + " KiB"
        : Math.round((double) bytes / MIB) + " MiB";
  }

  /** Something per second. */
  public static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < SMALL ? "%.1f" : "%.0f", perSecond);
  }
}
