package org.ecstore.bench.smallbank;

import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;

/**
 * Who comes to the bank.
 *
 * @param count how many there are, 2 at least
 * @param hotspot how many of them come most of the time, the first ones; 0 if all come as often
 */
public record Customers(long count, long hotspot) {
  /** Of a hundred, how many are of the hotspot. As in the paper. */
  private static final int HOT_PERCENT = 90;

  private static final int PERCENT = 100;

  public Customers {
    if (count < 2 || hotspot < 0 || hotspot == 1 || hotspot > count) {
      throw new IllegalArgumentException(count + " customers, " + hotspot + " of them often");
    }
  }

  /** Where so many parts of their data begin. */
  public List<Bytes> splitHints(int parts) {
    return Bank.splitHints(count, parts);
  }

  long next(SplittableRandom random) {
    boolean hot = hotspot > 0 && random.nextInt(PERCENT) < HOT_PERCENT;
    return random.nextLong(hot ? hotspot : count);
  }
}
