package org.ecstore.replication.placement;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.ecstore.key.Bytes;

/**
 * {@code pos} of rule 22: an order-preserving map of keys to positions, the unsigned numbers of 64
 * bits. By default the first eight bytes; where keys cluster, as real keys do, piecewise linear
 * through knots, so that equal parts of the positions hold equal parts of the data. Shifted copies
 * are balanced only as far as that holds: with the first eight bytes alone all keys that begin with
 * {@code user} have about one position, and all their copies one node.
 *
 * <p>Between two knots only the bytes after their common prefix count, eight of them: so knots that
 * are close to each other tell keys apart that differ late. An immutable value.
 *
 * <p>Paper: ecStore §4.1 (the shift-key replication function).
 */
public final class PositionMap {
  private static final int BYTES = Long.BYTES;
  private static final BigInteger END = BigInteger.ONE.shiftLeft(Long.SIZE);

  /** The first eight bytes of a key, as a number. */
  public static final PositionMap FIRST_BYTES = new PositionMap(List.of());

  /**
   * A key and its position.
   *
   * @param position unsigned
   */
  public record Knot(Bytes key, long position) {}

  private final List<Knot> knots;

  private PositionMap(List<Knot> knots) {
    this.knots = knots;
  }

  /**
   * The map through some knots.
   *
   * @throws IllegalArgumentException if keys do not ascend, or positions descend
   */
  public static PositionMap of(List<Knot> knots) {
    for (int i = 1; i < knots.size(); i++) {
      Knot before = knots.get(i - 1);
      Knot at = knots.get(i);
      if (before.key().compareTo(at.key()) >= 0
          || Long.compareUnsigned(before.position(), at.position()) > 0) {
        throw new IllegalArgumentException("not ascending: " + before + ", " + at);
      }
    }
    return new PositionMap(List.copyOf(knots));
  }

  /**
   * The map that spreads data like a sample evenly over all positions.
   *
   * @param sample keys in any order; one that stands for twice the data is there twice
   * @param knots how many knots at most; between two of them there are equally many of the sample
   */
  public static PositionMap fitted(Collection<Bytes> sample, int knots) {
    if (knots < 0) {
      throw new IllegalArgumentException("a number of knots is not negative: " + knots);
    }
    List<Bytes> sorted = new ArrayList<>(sample);
    Collections.sort(sorted);
    List<Knot> chosen = new ArrayList<>();
    int count = Math.min(knots, sorted.size());
    for (int i = 0; i < count; i++) {
      int rank = (int) ((long) i * sorted.size() / count);
      Bytes key = sorted.get(rank);
      if (chosen.isEmpty() || !chosen.getLast().key().equals(key)) {
        chosen.add(new Knot(key, share(rank, sorted.size())));
      }
    }
    if (!sorted.isEmpty() && count > 0 && !chosen.getLast().key().equals(sorted.getLast())) {
      chosen.add(new Knot(sorted.getLast(), share(sorted.size() - 1L, sorted.size())));
    }
    return of(chosen);
  }

  /** So much of all positions. */
  private static long share(long part, long whole) {
    return END.multiply(BigInteger.valueOf(part)).divide(BigInteger.valueOf(whole)).longValue();
  }

  /** The knots, in order. */
  public List<Knot> knots() {
    return knots;
  }

  /** The position of a key, unsigned; a greater key never has a lesser one. */
  public long position(Bytes key) {
    int after = firstAbove(key);
    Bytes low = after == 0 ? Bytes.EMPTY : knots.get(after - 1).key();
    BigInteger from = after == 0 ? BigInteger.ZERO : unsigned(knots.get(after - 1).position());
    boolean isLast = after == knots.size();
    BigInteger to = isLast ? END : unsigned(knots.get(after).position());
    int prefix = isLast ? 0 : commonPrefix(low, knots.get(after).key());
    BigInteger lowValue = value(low, prefix);
    BigInteger highValue = isLast ? END : value(knots.get(after).key(), prefix);
    BigInteger width = highValue.subtract(lowValue);
    if (width.signum() == 0) {
      return from.longValue();
    }
    BigInteger into = value(key, prefix).subtract(lowValue);
    return from.add(to.subtract(from).multiply(into).divide(width)).longValue();
  }

  /** The first knot whose key is greater; as many as there are if none is. */
  private int firstAbove(Bytes key) {
    int low = 0;
    int high = knots.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (knots.get(middle).key().compareTo(key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static int commonPrefix(Bytes a, Bytes b) {
    int most = Math.min(a.length(), b.length());
    int length = 0;
    while (length < most && a.at(length) == b.at(length)) {
      length++;
    }
    return length;
  }

  /** Eight bytes from an index on, zeros beyond the end. */
  private static BigInteger value(Bytes key, int from) {
    byte[] bytes = new byte[BYTES];
    for (int i = 0; i < BYTES && from + i < key.length(); i++) {
      bytes[i] = key.at(from + i);
    }
    return new BigInteger(1, bytes);
  }

  private static BigInteger unsigned(long position) {
    BigInteger signed = BigInteger.valueOf(position);
    return signed.signum() < 0 ? signed.add(END) : signed;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PositionMap that && knots.equals(that.knots);
  }

  @Override
  public int hashCode() {
    return knots.hashCode();
  }

  @Override
  public String toString() {
    return "PositionMap" + knots;
  }
}
