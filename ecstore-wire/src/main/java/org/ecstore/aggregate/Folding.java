package org.ecstore.aggregate;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.MalformedTupleException;
import org.ecstore.key.Tuple;
import org.ecstore.model.Row;
import org.ecstore.wire.Limits;
import org.ecstore.wire.MalformedMessageException;

/**
 * Records made into what an aggregate says, on a node of a page of them, in a client of all pages.
 * For one thread.
 */
public final class Folding {
  /** Groups of one answer. */
  static final int PAGE_GROUPS_MAX = 1_000;

  /** What a group takes beside its key, about, and each of its measures. */
  private static final int GROUP_BYTES = 128;

  private final Aggregate aggregate;
  private final int digitsMax;
  private final TreeMap<Tuple, GroupTally> groups = new TreeMap<>();
  private long bytes;

  /** Of no record yet. Where all are in one group, it is there. */
  public Folding(Aggregate aggregate) {
    this(aggregate, ExactSum.DIGITS_MAX);
    if (aggregate.groupBy() == 0) {
      var unused = tally(Tuple.EMPTY);
    }
  }

  private Folding(Aggregate aggregate, int digitsMax) {
    this.aggregate = aggregate;
    this.digitsMax = digitsMax;
  }

  /** How much memory the groups take, about. */
  public long bytes() {
    return bytes;
  }

  /** What is found. */
  public Aggregate aggregate() {
    return aggregate;
  }

  /** The groups so far, in the order of their keys. */
  public Map<Tuple, GroupTally> groups() {
    return groups;
  }

  /**
   * Adds a record.
   *
   * @throws NoMeasureException if it has no such measure
   */
  public void add(Bytes key, Bytes value) {
    Tuple tuple = looked(key);
    if (counts(tuple)) {
      GroupTally tally = tally(tuple);
      long before = tally.bytes();
      try {
        tally.add(tuple, value);
      } catch (NoMeasureException e) {
        throw new NoMeasureException("at the key " + tuple(key) + ": " + e.getMessage());
      }
      bytes += tally.bytes() - before;
    }
  }

  private boolean counts(Tuple tuple) {
    for (ElementCondition condition : aggregate.conditions()) {
      if (!condition.holds(tuple)) {
        return false;
      }
    }
    return true;
  }

  private GroupTally tally(Tuple tuple) {
    Tuple group = group(tuple);
    GroupTally known = groups.get(group);
    if (known == null) {
      known = new GroupTally(aggregate, digitsMax);
      groups.put(group, known);
      bytes += group.encode().length() + (1L + aggregate.measures().size()) * GROUP_BYTES;
    }
    return known;
  }

  private Tuple group(Tuple tuple) {
    return tuple.first(Math.min(aggregate.groupBy(), tuple.size()));
  }

  /** What is looked at of a key: nothing, where records are only counted, or their values. */
  private Tuple looked(Bytes key) {
    return aggregate.needsKeys() ? tuple(key) : Tuple.EMPTY;
  }

  private Tuple tuple(Bytes key) {
    try {
      Tuple all = Tuple.decode(key, Math.min(aggregate.prefixBytes(), key.length()));
      return aggregate.leftOut() == 0
          ? all
          : all.first(Math.max(0, all.size() - aggregate.leftOut()));
    } catch (MalformedTupleException e) {
      throw new NoMeasureException("a key is no tuple: " + e.getMessage());
    }
  }

  static long number(Bytes value) {
    if (value.length() != Long.BYTES) {
      throw new NoMeasureException("the value is no number of 8 bytes: it has " + value.length());
    }
    return ByteBuffer.wrap(value.array()).getLong();
  }

  /**
   * Adds what a node has found of a page: a row of {@link #page}.
   *
   * @throws MalformedMessageException if it is none
   * @throws NoMeasureException if there is no sum of it and of what was found before
   */
  public void addRow(Row row) {
    Tuple tuple;
    try {
      tuple = looked(row.key());
    } catch (NoMeasureException e) {
      throw new MalformedMessageException(String.valueOf(e.getMessage()));
    }
    GroupTally part = GroupTally.decode(aggregate, row.value());
    GroupTally tally = tally(tuple);
    long before = tally.bytes();
    try {
      tally.add(part);
    } catch (NoMeasureException e) {
      throw new NoMeasureException("in the group " + group(tuple) + ": " + e.getMessage());
    }
    bytes += tally.bytes() - before;
  }

  /**
   * A page of rows made into its groups.
   *
   * @param rows one for each group: the key of its first record in the page, the newest version of
   *     any of its records, and what was found as the value
   * @param records so many of the page are in it
   */
  public record Page(List<Row> rows, int records) {}

  /**
   * Makes a page of rows into its groups: of all of the rows, or of the first of them if there are
   * more groups than one answer holds. Absent if a record has no such measure: the rows as they are
   * tell the client which.
   */
  public static Optional<Page> page(Aggregate aggregate, List<Row> rows) {
    List<Row> found = new ArrayList<>();
    Folding part = new Folding(aggregate, ExactSum.PAGE_DIGITS_MAX);
    Row first = null;
    Position newest = Position.ZERO;
    long bytes = 0;
    try {
      for (int i = 0; i < rows.size(); i++) {
        Row row = rows.get(i);
        Tuple tuple = part.looked(row.key());
        if (!part.counts(tuple)) {
          continue;
        }
        if (first != null && !part.groups.containsKey(part.group(tuple))) {
          Row group = part.row(first, newest);
          found.add(group);
          bytes += group.key().length() + group.value().length();
          part.groups.clear();
          first = null;
          if (found.size() == PAGE_GROUPS_MAX || bytes >= Limits.SCAN_BYTES_MAX) {
            return Optional.of(new Page(found, i));
          }
        }
        newest = first == null || row.version().isAfter(newest) ? row.version() : newest;
        first = first == null ? row : first;
        part.tally(tuple).add(tuple, row.value());
      }
    } catch (NoMeasureException e) {
      return Optional.empty();
    }
    if (first != null) {
      found.add(part.row(first, newest));
    }
    return Optional.of(new Page(found, rows.size()));
  }

  /** Of the one group there is. */
  private Row row(Row first, Position newest) {
    return new Row(first.key(), newest, groups.firstEntry().getValue().encode());
  }
}
