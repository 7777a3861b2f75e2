package org.ecstore.aggregate;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * What has been found of one group so far. Two of parts of it make one of both, in any order. For
 * one thread.
 */
public final class GroupTally {
  private final List<Found> found = new ArrayList<>();
  private final int digitsMax;
  private long count;
  private long bytes;

  /** Of one measure. */
  private static final class Found {
    final Measure measure;

    /** Of a sum, once there was a number. */
    @Nullable ExactSum sum;

    /** A tuple of the least or greatest element, once there was one. */
    @Nullable Tuple best;

    Found(Measure measure) {
      this.measure = measure;
    }
  }

  /**
   * Of no record.
   *
   * @param digitsMax that a sum may have
   */
  GroupTally(Aggregate aggregate, int digitsMax) {
    this.digitsMax = digitsMax;
    for (Measure measure : aggregate.measures()) {
      found.add(new Found(measure));
    }
  }

  /** How many records count. */
  public long count() {
    return count;
  }

  /** Bytes of least and greatest elements, which may be as long as a key. */
  long bytes() {
    return bytes;
  }

  /** The sum that is the measure of an index; absent if there was no number. */
  public Optional<BigDecimal> sum(int index) {
    return Optional.ofNullable(found.get(index).sum).map(ExactSum::value);
  }

  /** A tuple of the element that is the measure of an index; absent if there was none. */
  public Optional<Tuple> best(int index) {
    return Optional.ofNullable(found.get(index).best);
  }

  void add(Tuple key, Bytes value) {
    count++;
    for (Found each : found) {
      Measure measure = each.measure;
      Object element =
          measure.isOfValues()
              ? (Object) Folding.number(value)
              : measure.element() < key.size() ? key.value(measure.element()) : null;
      if (element == null) {
        continue;
      }
      if (measure.kind() == Measure.Kind.SUM) {
        add(each, element);
      } else {
        offer(each, Tuple.of(element));
      }
    }
  }

  private void add(Found into, Object element) {
    ExactSum sum = into.sum == null ? new ExactSum(digitsMax) : into.sum;
    try {
      if (element instanceof Long number) {
        sum.add((long) number);
      } else if (element instanceof Double number) {
        sum.add((double) number);
      } else if (element instanceof BigDecimal number) {
        sum.add(number);
      } else {
        throw new NoMeasureException("it is no number");
      }
    } catch (NoMeasureException e) {
      throw new NoMeasureException("there is no " + into.measure + ": " + e.getMessage());
    }
    into.sum = sum;
  }

  private void offer(Found into, Tuple element) {
    Tuple best = into.best;
    int order = best == null ? 0 : element.compareTo(best);
    if (best == null || (into.measure.kind() == Measure.Kind.MIN ? order < 0 : order > 0)) {
      bytes += element.encode().length() - (best == null ? 0 : best.encode().length());
      into.best = element;
    }
  }

  /** Adds what was found of another part of the group. */
  void add(GroupTally other) {
    count += other.count;
    for (int i = 0; i < found.size(); i++) {
      Found own = found.get(i);
      Found more = other.found.get(i);
      if (more.sum != null) {
        ExactSum sum = own.sum == null ? new ExactSum(digitsMax) : own.sum;
        sum.add(more.sum);
        own.sum = sum;
      }
      if (more.best != null) {
        offer(own, more.best);
      }
    }
  }

  /** As the value of a row. */
  Bytes encode() {
    WireWriter out = new WireWriter(32).varint(count);
    for (Found each : found) {
      out.bool(each.sum != null || each.best != null);
      if (each.sum != null) {
        each.sum.write(out);
      }
      if (each.best != null) {
        out.bytes(each.best.encode());
      }
    }
    return out.toBytes();
  }

  /**
   * Of the value of a row.
   *
   * @throws org.ecstore.wire.MalformedMessageException if it is none of such an aggregate
   */
  static GroupTally decode(Aggregate aggregate, Bytes encoded) {
    WireReader in = new WireReader(encoded);
    GroupTally tally = new GroupTally(aggregate, ExactSum.DIGITS_MAX);
    tally.count = in.natural();
    for (Found each : tally.found) {
      if (in.bool()) {
        if (each.measure.kind() == Measure.Kind.SUM) {
          each.sum = ExactSum.read(in);
        } else {
          each.best = Aggregate.readTuple(in.bytes(2 * Limits.KEY_BYTES_MAX));
          if (each.best.size() != 1) {
            throw new MalformedMessageException("one element was asked for: " + each.best);
          }
        }
      }
    }
    in.expectEnd();
    return tally;
  }
}
