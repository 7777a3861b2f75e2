package org.ecstore.aggregate;

import java.util.List;
import org.ecstore.key.Bytes;
import org.ecstore.key.MalformedTupleException;
import org.ecstore.key.Tuple;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * What a node finds of the records of an interval instead of the records (decision 0067): how many
 * they are, by the first elements of their keys, of those that meet all conditions, with measures.
 * Immutable.
 *
 * @param prefixBytes so many bytes of each key come before the tuple that is looked at
 * @param leftOut how many elements at the end of the key are not looked at, 0 or 1: an entry of an
 *     index that is not unique ends with the record's key
 * @param groupBy how many elements of the key tell groups apart; 0 for one group
 */
public record Aggregate(
    int prefixBytes,
    int leftOut,
    int groupBy,
    List<ElementCondition> conditions,
    List<Measure> measures) {
  /** Conditions of one aggregate, and measures of one. */
  public static final int PARTS_MAX = 8;

  /** What the conditions compare with, in bytes: all of it is an optional field of a request. */
  public static final int CONDITIONS_BYTES_MAX = Limits.KEY_BYTES_MAX;

  /** Indexes of elements are below. */
  public static final int ELEMENTS_MAX = Limits.KEY_BYTES_MAX;

  public Aggregate {
    conditions = List.copyOf(conditions);
    measures = List.copyOf(measures);
  }

  /** How many records, all of them in one group. */
  public static Aggregate count(int prefixBytes) {
    return new Aggregate(prefixBytes, 0, 0, List.of(), List.of());
  }

  /** Whether it looks into values: else keys are enough. */
  public boolean needsValues() {
    return measures.stream().anyMatch(Measure::isOfValues);
  }

  /** Whether it looks into keys. */
  boolean needsKeys() {
    return groupBy > 0
        || !conditions.isEmpty()
        || measures.stream().anyMatch(measure -> !measure.isOfValues());
  }

  /** Bytes that conditions take in a message, about. */
  public int conditionBytes() {
    return conditions.stream().mapToInt(ElementCondition::length).sum();
  }

  /** Into a message. */
  public static void write(WireWriter out, Aggregate aggregate) {
    out.varint(aggregate.prefixBytes).varint(aggregate.leftOut).varint(aggregate.groupBy);
    out.list(aggregate.conditions, ElementCondition::write)
        .list(aggregate.measures, Measure::write);
  }

  /**
   * Out of a message.
   *
   * @throws MalformedMessageException if it is none, or larger than one may be
   */
  public static Aggregate read(WireReader in) {
    int prefixBytes = readElement(in);
    int leftOut = readElement(in);
    int groupBy = readElement(in);
    List<ElementCondition> conditions = in.list(PARTS_MAX, ElementCondition::read);
    List<Measure> measures = in.list(PARTS_MAX, Measure::read);
    if (leftOut > 1 || measures.stream().distinct().count() < measures.size()) {
      throw new MalformedMessageException("an aggregate that no client asks for");
    }
    return new Aggregate(prefixBytes, leftOut, groupBy, conditions, measures);
  }

  /** A number that counts bytes or elements of a key. */
  static int readElement(WireReader in) {
    long element = in.natural();
    if (element > ELEMENTS_MAX) {
      throw new MalformedMessageException("a key has no place " + element);
    }
    return (int) element;
  }

  static Tuple readTuple(Bytes encoded) {
    try {
      return Tuple.decode(encoded);
    } catch (MalformedTupleException e) {
      throw new MalformedMessageException(String.valueOf(e.getMessage()));
    }
  }
}
