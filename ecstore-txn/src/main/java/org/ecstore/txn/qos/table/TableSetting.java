package org.ecstore.txn.qos.table;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * How a table was measured, beside what it was measured on. What is absent was not said.
 *
 * @param copies of each range
 * @param processors of the machine that nodes and clients shared
 * @param unsteady the numbers of nodes that were not steady when they were measured, ascending;
 *     none if that was not said
 */
public record TableSetting(OptionalInt copies, OptionalInt processors, List<Integer> unsteady) {
  /** Of a table that says nothing of it. */
  public static final TableSetting UNKNOWN =
      new TableSetting(OptionalInt.empty(), OptionalInt.empty(), List.of());

  public TableSetting {
    unsteady = unsteady.stream().distinct().sorted().toList();
  }

  /** The same, where some numbers of nodes were not steady. */
  public TableSetting with(List<Integer> notSteady) {
    return new TableSetting(copies, processors, notSteady);
  }

  /**
   * What of copies and processors is another than wanted, a sentence each. What one of both does
   * not say does not differ.
   */
  List<String> differencesFrom(TableSetting wanted) {
    List<String> differences = new ArrayList<>();
    if (differ(copies, wanted.copies)) {
      differences.add(
          "it was measured with %s, not %d"
              .formatted(copiesWords(copies.getAsInt()), wanted.copies.getAsInt()));
    }
    if (differ(processors, wanted.processors)) {
      differences.add(
          "it was measured on a machine with %d processors, not %d"
              .formatted(processors.getAsInt(), wanted.processors.getAsInt()));
    }
    return differences;
  }

  /** For people: {@code 2 copies of each range}. */
  public static String copiesWords(int count) {
    return count + (count == 1 ? " copy" : " copies") + " of each range";
  }

  private static boolean differ(OptionalInt measured, OptionalInt wanted) {
    return measured.isPresent() && wanted.isPresent() && !measured.equals(wanted);
  }

  /** For people: {@code on 3 and 4 nodes}; empty if all that was measured was steady. */
  public String unsteadyWords() {
    if (unsteady.isEmpty()) {
      return "";
    }
    String last = unsteady.getLast() + (unsteady.getLast() == 1 ? " node" : " nodes");
    String others =
        unsteady.subList(0, unsteady.size() - 1).stream()
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    return others.isEmpty() ? "on " + last : "on " + others + " and " + last;
  }
}
