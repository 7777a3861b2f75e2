package org.ecstore.replication.copy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/** Which keys copies cover together. */
final class CopyCoverage {
  private CopyCoverage() {}

  /**
   * The usable ones of some copies that have keys of an interval, by their keys; none if they leave
   * a gap in it, or if two of them overlap.
   */
  static List<Copy> by(List<Copy> some, Predicate<Copy> usable, KeyRange keys) {
    List<Copy> found =
        some.stream()
            .filter(usable)
            .filter(copy -> copy.keys().overlaps(keys))
            .sorted(Comparator.comparing(copy -> copy.keys().start()))
            .toList();
    return covers(found, keys) ? found : List.of();
  }

  private static boolean covers(List<Copy> sorted, KeyRange keys) {
    if (sorted.isEmpty() || sorted.getFirst().keys().start().compareTo(keys.start()) > 0) {
      return false;
    }
    for (int i = 1; i < sorted.size(); i++) {
      Optional<Bytes> end = sorted.get(i - 1).keys().end();
      if (!end.equals(Optional.of(sorted.get(i).keys().start()))) {
        return false;
      }
    }
    Optional<Bytes> end = sorted.getLast().keys().end();
    return end.isEmpty() || (keys.end().isPresent() && end.get().compareTo(keys.end().get()) >= 0);
  }

  /** What of an interval is in another one not, in intervals that ascend. */
  static List<KeyRange> without(KeyRange keys, KeyRange other) {
    if (!keys.overlaps(other)) {
      return List.of(keys);
    }
    List<KeyRange> left = new ArrayList<>();
    if (keys.start().compareTo(other.start()) < 0) {
      left.add(KeyRange.of(keys.start(), other.start()));
    }
    other
        .end()
        .filter(keys::isBelowEnd)
        .ifPresent(end -> left.add(KeyRange.between(end, keys.end())));
    return left;
  }
}
