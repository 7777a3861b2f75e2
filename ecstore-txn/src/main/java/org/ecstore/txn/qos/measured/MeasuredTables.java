package org.ecstore.txn.qos.measured;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.table.WorkloadDifferences;

/** The tables that are consulted at present, and why others are not. */
public final class MeasuredTables {
  /** None is kept. */
  public static final MeasuredTables NONE = new MeasuredTables(List.of(), List.of());

  private static final String NOTHING = "no table is kept";
  private static final double PERCENT = 100;

  /** Of a reason, in characters: it is kept with each action. */
  private static final int WHY_MAX = 300;

  private final List<KnownTable> consulted;
  private final List<String> others;

  /**
   * Some tables.
   *
   * @param consulted all of the nodes that are there
   * @param others why each other one is not consulted
   */
  public MeasuredTables(List<KnownTable> consulted, List<String> others) {
    this.consulted = List.copyOf(consulted);
    this.others = List.copyOf(others);
  }

  /** Whether none is kept, not even one that is not consulted. */
  public boolean isEmpty() {
    return consulted.isEmpty() && others.isEmpty();
  }

  /** A table, and by how many of 100 operations it has other reads. */
  private record Near(KnownTable table, double apart) {}

  /**
   * The table for an application: of those with the statistic and the workload that it states the
   * one whose reads are nearest to what it states, else to what its clients do.
   *
   * @param figures what its clients have had; absent if that is not known
   */
  public TableChoice choose(
      Objective objective, Optional<ServiceFigures> figures, Statistic statistic) {
    List<String> whys = new ArrayList<>(others);
    List<Near> near = new ArrayList<>();
    OptionalDouble reads = reads(objective, figures);
    for (KnownTable table : consulted) {
      List<String> differences = differences(table, objective, reads, statistic);
      if (differences.isEmpty()) {
        near.add(new Near(table, WorkloadDifferences.readsApart(table.table().subject(), reads)));
      } else {
        whys.add("table %s: %s".formatted(table.name(), String.join(", ", differences)));
      }
    }
    return near.stream()
        .min(
            Comparator.comparingDouble(Near::apart)
                .thenComparingLong(one -> -one.table().kept().sinceMillis())
                .thenComparing(one -> one.table().name()))
        .map(one -> TableChoice.of(one.table()))
        .orElseGet(() -> TableChoice.none(whys.isEmpty() ? NOTHING : clipped(whys)));
  }

  private static String clipped(List<String> whys) {
    String all = String.join("; ", whys);
    return all.length() <= WHY_MAX ? all : all.substring(0, WHY_MAX) + "...";
  }

  private static List<String> differences(
      KnownTable table, Objective objective, OptionalDouble reads, Statistic statistic) {
    List<String> differences =
        new ArrayList<>(
            WorkloadDifferences.of(table.table().subject(), seen(objective.workload(), reads)));
    if (reads.isEmpty()) {
      differences.add(
          "how many operations of %s are reads is not known (slo set --reads)"
              .formatted(objective.application()));
    }
    if (!table.table().has(statistic)) {
      differences.add("it has no %s of each cell".formatted(statistic.word()));
    }
    return differences;
  }

  private static OptionalDouble reads(Objective objective, Optional<ServiceFigures> figures) {
    OptionalInt stated = objective.workload().readPercent();
    if (stated.isPresent()) {
      return OptionalDouble.of(stated.getAsInt());
    }
    return figures
        .filter(had -> had.operations() > 0)
        .map(had -> OptionalDouble.of(PERCENT * had.reads() / had.operations()))
        .orElse(OptionalDouble.empty());
  }

  private static ObjectiveWorkload seen(ObjectiveWorkload stated, OptionalDouble reads) {
    return new ObjectiveWorkload(
        stated.dataBytes(),
        stated.recordBytes(),
        reads.isPresent()
            ? OptionalInt.of((int) Math.round(reads.getAsDouble()))
            : OptionalInt.empty(),
        stated.locality(),
        stated.load());
  }
}
