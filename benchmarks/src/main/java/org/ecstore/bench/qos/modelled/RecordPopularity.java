package org.ecstore.bench.qos.modelled;

import java.util.SplittableRandom;

/**
 * Which records clients ask for: records have ranks from 0, the first is asked for most. Draws are
 * the same on each machine for the same random numbers.
 */
interface RecordPopularity {
  /** How many records there are. */
  long records();

  /** The rank of a record that is asked for. */
  long draw(SplittableRandom random);

  /**
   * The share of all requests that ask for a record.
   *
   * @param rank of it; between two ranks it is between their shares
   */
  double share(double rank);

  /** Each record as often as each other. */
  static RecordPopularity uniform(long records) {
    return new RecordPopularity() {
      @Override
      public long records() {
        return records;
      }

      @Override
      public long draw(SplittableRandom random) {
        return random.nextLong(records);
      }

      @Override
      public double share(double rank) {
        return 1.0 / records;
      }
    };
  }

  /** As YCSB's zipfian. */
  static RecordPopularity zipf(long records) {
    return new ScrambledZipf(records);
  }
}
