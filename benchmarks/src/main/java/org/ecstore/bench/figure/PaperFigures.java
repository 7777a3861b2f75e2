package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** All figures of the paper that there are here. */
public final class PaperFigures {
  private static final List<FigureGroup> GROUPS =
      List.of(
          new QuorumFigures(),
          new WriteFigure(),
          new SkewFigures(),
          new ThresholdFigure(),
          new TransactionFigures(false),
          new TransactionFigures(true),
          new ScanFigure(),
          new FlashCrowdFigures(),
          new TpcwFigures());

  private PaperFigures() {}

  /** Their numbers, ascending. */
  public static TreeSet<Integer> numbers() {
    TreeSet<Integer> numbers = new TreeSet<>();
    GROUPS.forEach(group -> numbers.addAll(group.numbers()));
    return numbers;
  }

  private static List<FigureGroup> groups(Collection<Integer> numbers) {
    return GROUPS.stream()
        .filter(group -> group.numbers().stream().anyMatch(numbers::contains))
        .toList();
  }

  /** About how many pieces of work {@link #run} reports. */
  public static int steps(Collection<Integer> numbers, boolean quick) {
    return groups(numbers).stream().mapToInt(group -> group.steps(quick)).sum();
  }

  /** The reports of some figures, in the order of their numbers. */
  public static List<FigureReport> run(Collection<Integer> numbers, FigureRun run) {
    List<FigureReport> reports = new ArrayList<>();
    for (FigureGroup group : groups(numbers)) {
      group.run(run).stream()
          .filter(report -> numbers.contains(report.number()))
          .forEach(reports::add);
    }
    reports.sort(Comparator.comparingInt(FigureReport::number));
    return reports;
  }
}
