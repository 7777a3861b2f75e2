package org.ecstore.verify.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Where a transaction can have committed of which that is not known, but only that it did: at a
 * position above its snapshot, at or below the first at which it was seen, and nowhere that a read
 * of one of its keys shows to be wrong. It committed at one position with all its writes, so if no
 * position is left it did not commit as a whole.
 */
final class UnknownCommit {
  /** Positions, both ends included, at which it did not commit, by who read what there. */
  private record Span(long first, long last, int reader) {}

  private final List<Span> excluded = new ArrayList<>();
  private final long snapshot;
  private long most;

  /**
   * A transaction that reads at a snapshot, -1 if that is not known, and was seen at a position.
   */
  UnknownCommit(long snapshot, long seenAt) {
    this.snapshot = snapshot;
    this.most = seenAt;
  }

  /** Its write was read at a position. */
  void notAbove(long position) {
    most = Math.min(most, position);
  }

  /** Its write was read where that of another, of a commit number, was older. */
  void notBelow(long number, int reader) {
    excluded.add(new Span(0, number, reader));
  }

  /**
   * An attempt read at {@code last} what another wrote that committed at {@code first} or before:
   * it committed before that, or after the read.
   */
  void notWithin(long first, long last, int reader) {
    if (first <= last) {
      excluded.add(new Span(first, last, reader));
    }
  }

  /** If no position is left, a reader that takes part in showing it. */
  Optional<Integer> impossible() {
    excluded.sort(Comparator.comparingLong(Span::first));
    long next = snapshot + 1;
    int reader = -1;
    for (Span span : excluded) {
      if (span.first() > next) {
        break;
      }
      if (span.last() >= next) {
        next = span.last() + 1;
        reader = span.reader();
      }
    }
    return next > most && reader >= 0 ? Optional.of(reader) : Optional.empty();
  }
}
