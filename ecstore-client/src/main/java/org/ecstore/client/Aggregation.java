package org.ecstore.client;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.aggregate.Aggregate;
import org.ecstore.aggregate.ElementCondition;
import org.ecstore.aggregate.Measure;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.WrongArgumentException;

/**
 * What nodes find of the records of a scan, in place of them: how many they are, sums, least and
 * greatest elements, group by group, of those that meet conditions. Nodes find it where the records
 * are, at the scan's one snapshot, and send what they have found (decision 0067).
 *
 * <pre>{@code
 * static final Index<Order> BY_CITY = ORDERS.index("by-city", o -> Tuple.of(o.city(), o.total()));
 * static final Aggregation SALES = Aggregation.count().sum(1).max(1).groupBy(1);
 *
 * List<Group> sales = store.read(at -> at.scan(BY_CITY).aggregate(SALES));
 * sales.get(0).key();      // ("Bergen")
 * sales.get(0).count();    // how many orders
 * sales.get(0).sum(1);     // of their totals
 * }</pre>
 *
 * <p>It looks at the elements of keys: of a table those of its keys, of an index those of its
 * values. Make what you group by or sum up part of an index. Of values it looks at those of {@link
 * Codec#longs} only. Element 0 is the first; a record without an element, or with null there, is
 * counted and leaves its measures as they are. What is within a descending element counts. An index
 * has an entry for each of a record's values: each counts.
 *
 * <p>Immutable: each method gives another.
 */
public final class Aggregation {
  private static final Aggregation COUNT = new Aggregation(Aggregate.count(0));

  private final Aggregate aggregate;

  private Aggregation(Aggregate aggregate) {
    this.aggregate = aggregate;
  }

  /** How many records. */
  public static Aggregation count() {
    return COUNT;
  }

  /** And the sum of an element: longs, doubles and decimals, exactly. */
  public Aggregation sum(int element) {
    return with(Measure.Kind.SUM, checked(element));
  }

  /** And the least of an element, in the order of {@link org.ecstore.key.Tuple}. */
  public Aggregation min(int element) {
    return with(Measure.Kind.MIN, checked(element));
  }

  /** And the greatest of an element, in the order of {@link org.ecstore.key.Tuple}. */
  public Aggregation max(int element) {
    return with(Measure.Kind.MAX, checked(element));
  }

  /** And the sum of the values, of a table of {@link Codec#longs}. */
  public Aggregation sumOfValues() {
    return with(Measure.Kind.SUM, Measure.VALUE);
  }

  /** And the least of the values, of a table of {@link Codec#longs}. */
  public Aggregation minOfValues() {
    return with(Measure.Kind.MIN, Measure.VALUE);
  }

  /** And the greatest of the values, of a table of {@link Codec#longs}. */
  public Aggregation maxOfValues() {
    return with(Measure.Kind.MAX, Measure.VALUE);
  }

  /**
   * Group by group: records are of one whose keys begin with the same elements. Without it there is
   * one group, which is there even if no record is.
   *
   * @param elements how many from the first on
   */
  public Aggregation groupBy(int elements) {
    return new Aggregation(
        new Aggregate(0, 0, checked(elements), aggregate.conditions(), aggregate.measures()));
  }

  /**
   * Of those records only whose element meets a condition, and all conditions that were given
   * before; 4 KiB at most in all that elements are compared with. A range of the first elements is
   * better said to the scan, which then reads no others.
   *
   * @throws TooLargeException if it is more
   */
  public Aggregation where(int element, Condition condition) {
    List<ElementCondition> conditions = new ArrayList<>(aggregate.conditions());
    conditions.add(
        new ElementCondition(checked(element), condition.comparison(), condition.operand()));
    requireFew(conditions, "conditions");
    Aggregation narrower =
        new Aggregation(new Aggregate(0, 0, aggregate.groupBy(), conditions, aggregate.measures()));
    if (narrower.aggregate.conditionBytes() > Aggregate.CONDITIONS_BYTES_MAX) {
      throw new TooLargeException(
          "what elements are compared with is too large together",
          null,
          "bytes",
          narrower.aggregate.conditionBytes(),
          "max",
          Aggregate.CONDITIONS_BYTES_MAX);
    }
    return narrower;
  }

  private Aggregation with(Measure.Kind kind, int element) {
    List<Measure> measures = new ArrayList<>(aggregate.measures());
    Measure measure = new Measure(kind, element);
    if (!measures.contains(measure)) {
      measures.add(measure);
    }
    requireFew(measures, "sums and the like");
    return new Aggregation(
        new Aggregate(0, 0, aggregate.groupBy(), aggregate.conditions(), measures));
  }

  private static void requireFew(List<?> parts, String what) {
    if (parts.size() > Aggregate.PARTS_MAX) {
      throw new WrongArgumentException(
          "one aggregation has " + Aggregate.PARTS_MAX + " " + what + " at most", null);
    }
  }

  private static int checked(int element) {
    if (element < 0 || element > Aggregate.ELEMENTS_MAX) {
      throw new WrongArgumentException("a key has no such element", null, "element", element);
    }
    return element;
  }

  /**
   * Of keys with a prefix of so many bytes.
   *
   * @param leftOut how many elements at their end are not looked at
   */
  Aggregate behind(int prefixBytes, int leftOut) {
    return new Aggregate(
        prefixBytes, leftOut, aggregate.groupBy(), aggregate.conditions(), aggregate.measures());
  }

  boolean needsValues() {
    return aggregate.needsValues();
  }
}
