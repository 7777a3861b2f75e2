package org.ecstore.core.overlay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.ecstore.check.Check;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * Keys that somebody has decided another node shall serve than the one they belong to in the tree.
 * They are intervals, not range ids, so that they outlast splits, merges and new copies. An
 * immutable value.
 */
public record PrimaryPreferences(List<Seat> all) {
  /** Every range is served where it belongs. */
  public static final PrimaryPreferences NONE = new PrimaryPreferences(List.of());

  /** An interval and the node that is to serve it. */
  public record Seat(KeyRange keys, NodeId node) {}

  /** In key order, without overlaps. */
  public PrimaryPreferences {
    all = List.copyOf(all);
    for (int i = 1; i < all.size(); i++) {
      Check.that(
          !all.get(i - 1).keys().isBelowEnd(all.get(i).keys().start()),
          "seats are in key order and do not overlap",
          all.get(i - 1),
          all.get(i));
    }
  }

  /** Who is to serve all these keys, if that is not the node they belong to. */
  public Optional<NodeId> of(KeyRange keys) {
    return all.stream().filter(seat -> seat.keys().contains(keys)).map(Seat::node).findFirst();
  }

  /** With another node to serve these keys; the one they belong to in the tree if absent. */
  public PrimaryPreferences with(KeyRange keys, Optional<NodeId> node) {
    List<Seat> next = new ArrayList<>();
    for (Seat seat : all) {
      if (!seat.keys().overlaps(keys)) {
        next.add(seat);
        continue;
      }
      if (seat.keys().start().compareTo(keys.start()) < 0) {
        next.add(new Seat(KeyRange.of(seat.keys().start(), keys.start()), seat.node()));
      }
      Optional<Bytes> end = keys.end();
      if (end.isPresent() && seat.keys().isBelowEnd(end.get())) {
        next.add(new Seat(KeyRange.between(end.get(), seat.keys().end()), seat.node()));
      }
    }
    node.ifPresent(to -> next.add(new Seat(keys, to)));
    next.sort(Comparator.comparing(seat -> seat.keys().start()));
    return new PrimaryPreferences(joined(next));
  }

  private static List<Seat> joined(List<Seat> sorted) {
    List<Seat> joined = new ArrayList<>();
    for (Seat seat : sorted) {
      Seat last = joined.isEmpty() ? seat : joined.getLast();
      boolean goesOn =
          last.node().equals(seat.node())
              && last.keys().end().equals(Optional.of(seat.keys().start()));
      if (goesOn) {
        joined.removeLast();
        joined.add(new Seat(KeyRange.between(last.keys().start(), seat.keys().end()), seat.node()));
      } else {
        joined.add(seat);
      }
    }
    return joined;
  }

  /** Those of some nodes only. */
  public PrimaryPreferences only(Predicate<NodeId> nodes) {
    return new PrimaryPreferences(all.stream().filter(seat -> nodes.test(seat.node())).toList());
  }
}
