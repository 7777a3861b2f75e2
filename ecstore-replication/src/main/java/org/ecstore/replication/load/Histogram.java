package org.ecstore.replication.load;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.ecstore.check.Check;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.placement.PositionMap;
import org.jspecify.annotations.Nullable;

/**
 * The self-tuning histogram of a copy (rule 24): a constant number of buckets that tile its range,
 * narrow where it is read much and wide where it is not.
 *
 * <p>At first all buckets are equally wide. Each bucket remembers its last queries. A step of
 * restructuring merges two neighbours and splits a hotter bucket, so that the number stays:
 *
 * <ol>
 *   <li>The hottest bucket that can be split is split at a bound of a remembered query, the one
 *       that leaves the hotter part coldest, so that a flash crowd's interval comes to be a bucket
 *       of its own after two splits. A bucket of a single key is not split, nor one that most of
 *       its queries read from end to end: it is as narrow as they are.
 *   <li>The neighbours of most similar density are merged: those for which, were accesses spread
 *       evenly in the merged one, the least of them would be counted on the wrong side. Together
 *       they must have at most half the reads of the bucket that is split, or else steps would undo
 *       each other.
 * </ol>
 *
 * <p>Deviation: the paper adds one to each bucket that a query overlaps. Then a scan would count as
 * often as there happen to be buckets in it, and a split would raise the load without a single
 * query more. Here a query is divided evenly among the buckets it overlaps and weighs one. Their
 * widths are no guide to the division: a query that ends in a wide bucket reads little of it.
 *
 * <p>Invariants: the buckets tile the range in order; their number never changes, except that a
 * range of too few keys for it begins with fewer.
 *
 * <p>Papers: ecStore §4.3, C.2; Aboulnaga and Chaudhuri, "Self-tuning histograms" (SIGMOD 1999).
 */
public final class Histogram implements RangeHistogram {
  private static final class Cell {
    final KeyRange keys;
    final double share;
    final DecayedRates rates;
    final ArrayList<KeyRange> samples = new ArrayList<>();
    int oldest;

    Cell(KeyRange keys, double share, DecayedRates rates) {
      this.keys = keys;
      this.share = share;
      this.rates = rates;
    }

    void remember(KeyRange query, int most) {
      if (samples.size() < most) {
        samples.add(query);
      } else {
        samples.set(oldest, query);
        oldest = (oldest + 1) % most;
      }
    }

    double reads(long nowNanos) {
      return rates.rates(nowNanos).reads();
    }
  }

  /** Where to split a bucket, and which part of its accesses goes to the left. */
  private record Cut(Bytes key, double left) {}

  private final KeyRange keys;
  private final HistogramSettings settings;
  private final KeyMeasure measure;
  private final ArrayList<Cell> cells = new ArrayList<>();

  /** The histogram of a copy of which nothing has been read yet. */
  public Histogram(
      KeyRange keys, PositionMap positions, HistogramSettings settings, long nowNanos) {
    this.keys = keys;
    this.settings = settings;
    this.measure = new KeyMeasure(keys, positions);
    for (KeyRange part : measure.equalParts(settings.buckets())) {
      cells.add(cell(part, nowNanos));
    }
  }

  private Cell cell(KeyRange part, long nowNanos) {
    return new Cell(
        part, measure.share(part), new DecayedRates(settings.halfLifeNanos(), nowNanos));
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
    while (after < cells.size() && query.isBelowEnd(cells.get(after).keys.start())) {
      after++;
    }
    for (int i = first; i < after; i++) {
      cells.get(i).rates.read(1.0 / (after - first), nowNanos);
      cells.get(i).remember(query, settings.samples());
    }
  }

  @Override
  public void update(Bytes key, long nowNanos) {
    if (keys.contains(key)) {
      cells.get(indexOf(key)).rates.update(nowNanos);
    }
  }

  /** The index of the bucket that holds a key; the first one for a key below the range. */
  private int indexOf(Bytes key) {
    int low = 0;
    int high = cells.size();
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (cells.get(middle).keys.start().compareTo(key) <= 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public List<Bucket> buckets(long nowNanos) {
    return cells.stream()
        .map(cell -> new Bucket(cell.keys, cell.rates.rates(nowNanos), cell.share))
        .toList();
  }

  @Override
  public double load(long nowNanos) {
    double sum = 0;
    for (Cell cell : cells) {
      sum += cell.reads(nowNanos);
    }
    return sum;
  }

  @Override
  public Rates rates(KeyRange interval, long nowNanos) {
    Rates sum = Rates.NONE;
    for (int i = indexOf(interval.start()); i < cells.size(); i++) {
      Cell cell = cells.get(i);
      if (!interval.isBelowEnd(cell.keys.start())) {
        break;
      }
      sum = sum.plus(cell.rates.rates(nowNanos).times(measure.overlap(cell.keys, interval)));
    }
    return sum;
  }

  @Override
  public void restructure(long nowNanos) {
    int before = cells.size();
    for (int steps = 0; steps < cells.size() && step(nowNanos); steps++) {}
    Check.that(cells.size() == before, "the number of buckets is constant", before, cells.size());
  }

  /** Splits one bucket and merges two others; false if there is nothing to gain. */
  private boolean step(long nowNanos) {
    List<Cell> byHeat = new ArrayList<>(cells);
    byHeat.sort((a, b) -> Double.compare(b.reads(nowNanos), a.reads(nowNanos)));
    for (Cell hot : byHeat) {
      Cut cut = hot.reads(nowNanos) > 0 ? cut(hot) : null;
      if (cut != null) {
        Cell left = mostSimilar(hot, nowNanos);
        if (left == null) {
          return false;
        }
        merge(cells.indexOf(left), nowNanos);
        split(cells.indexOf(hot), cut, nowNanos);
        return true;
      }
    }
    return false;
  }

  private @Nullable Cut cut(Cell cell) {
    if (cell.samples.size() < settings.samplesMin()) {
      return null;
    }
    TreeSet<Bytes> bounds = new TreeSet<>();
    for (KeyRange query : cell.samples) {
      bounds.add(query.start());
      query.end().ifPresent(bounds::add);
    }
    Cut best = null;
    double coldest = Double.POSITIVE_INFINITY;
    for (Bytes bound : bounds) {
      if (!cell.keys.contains(bound) || bound.equals(cell.keys.start())) {
        continue;
      }
      int left = 0;
      int across = 0;
      for (KeyRange query : cell.samples) {
        if (query.contains(bound) && !query.start().equals(bound)) {
          across++;
        } else if (query.start().compareTo(bound) < 0) {
          left++;
        }
      }
      int right = cell.samples.size() - left - across;
      double hotter = Math.max(left, right) + across;
      if (2 * across < cell.samples.size() && hotter < coldest) {
        coldest = hotter;
        best = new Cut(bound, (left + across / 2.0) / cell.samples.size());
      }
    }
    return best;
  }

  /** The left one of the neighbours to merge before a bucket is split; null if none is worth it. */
  private @Nullable Cell mostSimilar(Cell hot, long nowNanos) {
    double most = hot.reads(nowNanos) / 2;
    double least = Double.POSITIVE_INFINITY;
    Cell found = null;
    for (int i = 0; i + 1 < cells.size(); i++) {
      Cell left = cells.get(i);
      Cell right = cells.get(i + 1);
      double leftReads = left.reads(nowNanos);
      double rightReads = right.reads(nowNanos);
      double misplaced =
          Math.abs(leftReads * right.share - rightReads * left.share) / (left.share + right.share);
      if (left != hot && right != hot && leftReads + rightReads <= most && misplaced < least) {
        least = misplaced;
        found = left;
      }
    }
    return found;
  }

  private void merge(int index, long nowNanos) {
    Cell left = cells.get(index);
    Cell right = cells.remove(index + 1);
    Cell merged = cell(KeyRange.between(left.keys.start(), right.keys.end()), nowNanos);
    merged.rates.add(left.rates, 1, nowNanos);
    merged.rates.add(right.rates, 1, nowNanos);
    // In turn, so that of each side the part that fits is remembered.
    for (int i = 0; i < Math.max(left.samples.size(), right.samples.size()); i++) {
      for (Cell side : List.of(left, right)) {
        if (i < side.samples.size() && merged.samples.size() < settings.samples()) {
          merged.samples.add(side.samples.get(i));
        }
      }
    }
    cells.set(index, merged);
  }

  private void split(int index, Cut cut, long nowNanos) {
    Cell whole = cells.get(index);
    Cell left = cell(KeyRange.of(whole.keys.start(), cut.key()), nowNanos);
    Cell right = cell(KeyRange.between(cut.key(), whole.keys.end()), nowNanos);
    left.rates.add(whole.rates, cut.left(), nowNanos);
    right.rates.add(whole.rates, 1 - cut.left(), nowNanos);
    for (KeyRange query : whole.samples) {
      for (Cell side : List.of(left, right)) {
        if (query.overlaps(side.keys)) {
          side.samples.add(query);
        }
      }
    }
    cells.set(index, left);
    cells.add(index + 1, right);
  }
}
