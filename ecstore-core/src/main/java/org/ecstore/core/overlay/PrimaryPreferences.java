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
 * Keys that another node shall serve than the one they belong to in the tree, as an operator or the
 * steward has decided. They are intervals, not range ids, so that they outlast splits, merges and
 * new copies. An immutable value.
 */
public record PrimaryPreferences(List<Preference> all) {
  /** Every range is served where it belongs. */
  public static final PrimaryPreferences NONE = new PrimaryPreferences(List.of());

  /** An interval and the node that is to serve it. */
  public record Preference(KeyRange keys, NodeId node) {}

  /** In key order, without overlaps. */
  public PrimaryPreferences {
    all = List.copyOf(all);
    for (int i = 1; i < all.size(); i++) {
      Check.that(
          !all.get(i - 1).keys().isBelowEnd(all.get(i).keys().start()),
          "primary preferences are in key order and do not overlap",
          all.get(i - 1),
          all.get(i));
    }
  }

  /** Who is to serve all these keys, if that is not the node they belong to. */
  public Optional<NodeId> of(KeyRange keys) {
    return all.stream()
        .filter(preference -> preference.keys().contains(keys))
        .map(Preference::node)
        .findFirst();
  }

  /** With another node to serve these keys; the one they belong to in the tree if absent. */
  public PrimaryPreferences with(KeyRange keys, Optional<NodeId> node) {
    List<Preference> next = new ArrayList<>();
    for (Preference preference : all) {
      if (!preference.keys().overlaps(keys)) {
        next.add(preference);
        continue;
      }
      if (preference.keys().start().compareTo(keys.start()) < 0) {
        next.add(
            new Preference(
                KeyRange.of(preference.keys().start(), keys.start()), preference.node()));
      }
      Optional<Bytes> end = keys.end();
      if (end.isPresent() && preference.keys().isBelowEnd(end.get())) {
        next.add(
            new Preference(
                KeyRange.between(end.get(), preference.keys().end()), preference.node()));
      }
    }
    node.ifPresent(to -> next.add(new Preference(keys, to)));
    next.sort(Comparator.comparing(preference -> preference.keys().start()));
    return new PrimaryPreferences(joined(next));
  }

  private static List<Preference> joined(List<Preference> sorted) {
    List<Preference> joined = new ArrayList<>();
    for (Preference preference : sorted) {
      Preference last = joined.isEmpty() ? preference : joined.getLast();
      boolean goesOn =
          last.node().equals(preference.node())
              && last.keys().end().equals(Optional.of(preference.keys().start()));
      if (goesOn) {
        joined.removeLast();
        joined.add(
            new Preference(
                KeyRange.between(last.keys().start(), preference.keys().end()), preference.node()));
      } else {
        joined.add(preference);
      }
    }
    return joined;
  }

  /** Those of some nodes only. */
  public PrimaryPreferences only(Predicate<NodeId> nodes) {
    return new PrimaryPreferences(
        all.stream().filter(preference -> nodes.test(preference.node())).toList());
  }
}
