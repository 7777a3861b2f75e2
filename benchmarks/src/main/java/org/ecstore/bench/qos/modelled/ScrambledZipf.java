package org.ecstore.bench.qos.modelled;

import java.util.SplittableRandom;

/**
 * What YCSB asks for under its {@code zipfian} distribution, which is what the paper used: an item
 * out of ten thousand million is drawn by Zipf's law with the exponent 0.99, and hashed to a record
 * (YCSB 0.1.4 and later, {@code ScrambledZipfianGenerator}). So the items beyond the number of
 * records fall on all records alike, and make it flatter than Zipf's law on the records: of 15
 * million records they have 30 % of all requests. That two of the first items fall on one record is
 * left out.
 */
final class ScrambledZipf implements RecordPopularity {
  private static final double ITEMS = 1e10;
  private static final double EXPONENT = 0.99;
  private static final double LEFT = 1 - EXPONENT;

  /** The sum of all items' weights, as YCSB has it. */
  private static final double SUM = 26.46902820178302;

  /** Up to there a sum is made term by term, beyond it by the integral. */
  private static final int TERMS = 1_000;

  private static final double FIRST_TWO = 1 + StrictMath.pow(2, -EXPONENT);
  private static final double ETA = (1 - StrictMath.pow(2 / ITEMS, LEFT)) / (1 - FIRST_TWO / SUM);

  private final long records;

  /** What each record has from items beyond the number of records, as a share of all requests. */
  private final double floor;

  ScrambledZipf(long records) {
    this.records = records;
    this.floor = (1 - weights(records) / SUM) / records;
  }

  /** The weights of so many of the first items together. */
  private static double weights(long items) {
    double sum = 0;
    long terms = Math.min(items, TERMS);
    for (int i = 1; i <= terms; i++) {
      sum += StrictMath.pow(i, -EXPONENT);
    }
    return items <= TERMS
        ? sum
        : sum + (StrictMath.pow(items + 0.5, LEFT) - StrictMath.pow(TERMS + 0.5, LEFT)) / LEFT;
  }

  @Override
  public long records() {
    return records;
  }

  /** The item by the method of Gray and others, as in YCSB. */
  @Override
  public long draw(SplittableRandom random) {
    double at = random.nextDouble();
    double weight = at * SUM;
    long item;
    if (weight < 1) {
      item = 0;
    } else if (weight < FIRST_TWO) {
      item = 1;
    } else {
      item = (long) (ITEMS * StrictMath.pow(ETA * at - ETA + 1, 1 / LEFT));
    }
    return item < records ? item : random.nextLong(records);
  }

  @Override
  public double share(double rank) {
    return StrictMath.pow(rank + 1, -EXPONENT) / SUM + floor;
  }
}
