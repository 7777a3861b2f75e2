package org.ecstore.bench.model;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.load.Bucket;
import org.ecstore.replication.load.DecayedRates;
import org.ecstore.replication.load.KeyMeasure;
import org.ecstore.replication.load.RangeHistogram;
import org.ecstore.replication.load.Rates;
import org.ecstore.replication.placement.PositionMap;

/**
 * Buckets of equal shares of a copy's data that stay as they are: what the paper compares its
 * histogram with (C.2, FIR-200 and FIR-400). A query is divided evenly among the buckets it
 * overlaps, as there.
 */
public final class FixedRangeHistogram implements RangeHistogram {
  private final KeyRange keys;
  private final List<KeyRange> parts;
  private final List<DecayedRates> rates = new ArrayList<>();
  private final List<Double> shares;
  private final KeyMeasure measure;

  /** So many buckets, of which nothing has been read yet. */
  public FixedRangeHistogram(
      KeyRange keys, PositionMap positions, int buckets, long halfLifeNanos, long nowNanos) {
    this.keys = keys;
    this.measure = new KeyMeasure(keys, positions);
    this.parts = measure.equalParts(buckets);
    this.shares = parts.stream().map(measure::share).toList();
    parts.forEach(_ -> rates.add(new DecayedRates(halfLifeNanos, nowNanos)));
  }

  @Override
  public KeyRange keys() {
    return keys;
  }

  @Override
  public void read(KeyRange query, long nowNanos) {
    if (!query.overlaps(keys)) {
      return;
    }
    int first = indexOf(query.start());
    int after = first + 1;
    while (after < parts.size() && query.isBelowEnd(parts.get(after).start())) {
      after++;
    }
    for (int i = first; i < after; i++) {
      rates.get(i).read(1.0 / (after - first), nowNanos);
    }
  }

  @Override
  public void update(Bytes key, long nowNanos) {
    if (keys.contains(key)) {
      rates.get(indexOf(key)).update(nowNanos);
    }
  }

  private int indexOf(Bytes key) {
    int low = 0;
    int high = parts.size();
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (parts.get(middle).start().compareTo(key) <= 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public void restructure(long nowNanos) {
    // The buckets are fixed.
  }

  @Override
  public List<Bucket> buckets(long nowNanos) {
    List<Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      buckets.add(new Bucket(parts.get(i), rates.get(i).rates(nowNanos), shares.get(i)));
    }
    return buckets;
  }

  @Override
  public double load(long nowNanos) {
    double sum = 0;
    for (DecayedRates rate : rates) {
      sum += rate.rates(nowNanos).reads();
    }
    return sum;
  }

  @Override
  public Rates rates(KeyRange interval, long nowNanos) {
    Rates sum = Rates.NONE;
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).overlaps(interval)) {
        double part = measure.overlap(parts.get(i), interval);
        sum = sum.plus(rates.get(i).rates(nowNanos).times(part));
      }
    }
    return sum;
  }
}
