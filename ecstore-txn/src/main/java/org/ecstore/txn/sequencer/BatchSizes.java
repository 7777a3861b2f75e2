package org.ecstore.txn.sequencer;

import java.util.Arrays;
import java.util.List;

/**
 * How many records group commit put into one entry of the ledger (rule 7), since this node began.
 * Element {@code i} counts the entries of at least 2^i and fewer than 2^(i+1) records. Immutable.
 */
public record BatchSizes(long entries, long records, List<Long> byPowerOfTwo) {
  private static final int POWERS = 24;

  public BatchSizes {
    byPowerOfTwo = List.copyOf(byPowerOfTwo);
  }

  /** What has come since an earlier look. */
  public BatchSizes since(BatchSizes earlier) {
    Long[] grown = new Long[byPowerOfTwo.size()];
    Arrays.setAll(grown, i -> byPowerOfTwo.get(i) - earlier.byPowerOfTwo.get(i));
    return new BatchSizes(entries - earlier.entries, records - earlier.records, List.of(grown));
  }

  /** Records in an entry on average; 0 if there is none. */
  public double mean() {
    return entries == 0 ? 0 : (double) records / entries;
  }

  /** Counts entries. Owned by one event loop. */
  static final class Count {
    private final long[] byPower = new long[POWERS];
    private long entries;
    private long records;

    void add(int recordsOfEntry) {
      entries++;
      records += recordsOfEntry;
      byPower[Math.min(POWERS - 1, 31 - Integer.numberOfLeadingZeros(recordsOfEntry))]++;
    }

    BatchSizes seen() {
      return new BatchSizes(entries, records, Arrays.stream(byPower).boxed().toList());
    }
  }
}
