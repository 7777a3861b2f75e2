package org.ecstore.client;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.aggregate.Aggregate;
import org.ecstore.aggregate.GroupTally;
import org.ecstore.aggregate.Measure;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Tuple;

/** What an {@link Aggregation} has found of one group. Immutable. */
public final class Group {
  private final Tuple key;
  private final List<Measure> measures;
  private final GroupTally tally;
  private final List<BigDecimal> sums = new ArrayList<>();

  /**
   * A group.
   *
   * @throws org.ecstore.aggregate.NoMeasureException if its numbers are too far apart for a sum
   */
  Group(Tuple key, Aggregate aggregate, GroupTally tally) {
    this.key = key;
    this.measures = aggregate.measures();
    this.tally = tally;
    for (int i = 0; i < measures.size(); i++) {
      sums.add(tally.sum(i).orElse(BigDecimal.ZERO));
    }
  }

  /** The first elements that all keys of the group have; no elements if there is one group. */
  public Tuple key() {
    return key;
  }

  /** How many records: of an index, entries. */
  public long count() {
    return tally.count();
  }

  /**
   * The sum of an element, exactly; 0 if no record has a number there.
   *
   * @throws WrongArgumentException if the aggregation has no such sum
   */
  public BigDecimal sum(int element) {
    return sum(new Measure(Measure.Kind.SUM, element));
  }

  /** The sum of the values, exactly: {@link Aggregation#sumOfValues}. */
  public BigDecimal sumOfValues() {
    return sum(new Measure(Measure.Kind.SUM, Measure.VALUE));
  }

  private BigDecimal sum(Measure measure) {
    return sums.get(index(measure));
  }

  /**
   * The least of an element; absent if no record has one.
   *
   * @param type of the element, as {@link Tuple#element} gives it: Long for all whole numbers
   * @throws WrongArgumentException if it is of another type, or the aggregation has no such least
   */
  public <T> Optional<T> min(int element, Class<T> type) {
    return best(new Measure(Measure.Kind.MIN, element), type);
  }

  /** As {@link #min(int, Class)}, the greatest. */
  public <T> Optional<T> max(int element, Class<T> type) {
    return best(new Measure(Measure.Kind.MAX, element), type);
  }

  /** The least of the values: {@link Aggregation#minOfValues}. Absent if there is no record. */
  public Optional<Long> minOfValues() {
    return best(new Measure(Measure.Kind.MIN, Measure.VALUE), Long.class);
  }

  /** The greatest of the values: {@link Aggregation#maxOfValues}. Absent if there is no record. */
  public Optional<Long> maxOfValues() {
    return best(new Measure(Measure.Kind.MAX, Measure.VALUE), Long.class);
  }

  private <T> Optional<T> best(Measure measure, Class<T> type) {
    Optional<Tuple> best = tally.best(index(measure));
    if (best.isPresent() && !type.isInstance(best.get().element(0))) {
      throw new WrongArgumentException(
          "the element is of another type", null, "asked", type.getName(), "is", best.get());
    }
    return best.flatMap(tuple -> Optional.ofNullable(type.cast(tuple.element(0))));
  }

  private int index(Measure measure) {
    int index = measures.indexOf(measure);
    if (index < 0) {
      throw new WrongArgumentException(
          "the aggregation does not find that: say so where it is made", null, "asked", measure);
    }
    return index;
  }

  /** As {@code ("Oslo"): 17}. */
  @Override
  public String toString() {
    return key + ": " + tally.count();
  }
}
