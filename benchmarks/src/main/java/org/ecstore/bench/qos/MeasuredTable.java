package org.ecstore.bench.qos;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceCell;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableSubject;

/**
 * Runs, made a table: the mean of each cell's, with their spread; and what a reader should know of
 * it.
 */
public final class MeasuredTable {
  /** More of the machine than that for nodes and clients, and they wait for each other. */
  public static final double LOAD_MAX = 0.7;

  /** More processors than that for others meanwhile, and figures are doubtful. */
  private static final double OTHERS_MAX = 0.2;

  private static final int DIGITS = 5;

  /** Cells that are named; of more it is said how many. */
  private static final int NAMED_MAX = 12;

  private final MeasuredSubject subject;
  private final NavigableMap<GridPoint, List<TableRun>> cells;

  /** What was measured, and has no place in a whole table. */
  private final NavigableSet<GridPoint> leftOut;

  private MeasuredTable(
      MeasuredSubject subject,
      NavigableMap<GridPoint, List<TableRun>> cells,
      NavigableSet<GridPoint> leftOut) {
    this.subject = subject;
    this.cells = cells;
    this.leftOut = leftOut;
  }

  /**
   * The largest whole table of what was measured, in which each number of clients is on each number
   * of nodes: now, and by earlier plans.
   *
   * @param plan whose cells count once they were measured as often as it says; others always do
   * @return absent if there is none
   */
  public static Optional<MeasuredTable> of(
      MeasuredSubject subject, MeasurePlan plan, List<TableRun> all) {
    NavigableMap<GridPoint, List<TableRun>> cells =
        all.stream()
            .collect(Collectors.groupingBy(TableRun::point, TreeMap::new, Collectors.toList()));
    cells
        .entrySet()
        .removeIf(cell -> plan.has(cell.getKey()) && cell.getValue().size() < plan.runs());
    if (cells.isEmpty()) {
      return Optional.empty();
    }
    NavigableSet<GridPoint> whole = LargestGrid.of(cells.navigableKeySet(), plan.clients());
    NavigableSet<GridPoint> leftOut = new TreeSet<>(cells.navigableKeySet());
    leftOut.removeAll(whole);
    cells.keySet().retainAll(whole);
    return Optional.of(new MeasuredTable(subject, cells, leftOut));
  }

  /** As plans take it. */
  public PerformanceTable table() {
    NavigableMap<GridPoint, PerformanceCell> means = new TreeMap<>();
    cells.forEach((point, runs) -> means.put(point, mean(runs)));
    TableSubject measured = subject.subject();
    return new PerformanceTable(measured.by(measured.setting().with(unsteadySizes())), means);
  }

  /** A cell as its runs have it on average, with their spread. */
  public static PerformanceCell mean(List<TableRun> runs) {
    return new PerformanceCell(
        mean(runs, TableRun::millis),
        mean(runs, TableRun::megabytesPerSecond),
        deviation(runs, TableRun::millis),
        deviation(runs, TableRun::megabytesPerSecond),
        OptionalDouble.of(mean(runs, TableRun::p95Millis)),
        OptionalDouble.of(mean(runs, TableRun::p99Millis)),
        runs.size());
  }

  private static double mean(List<TableRun> runs, ToDoubleFunction<TableRun> figure) {
    return rounded(runs.stream().mapToDouble(figure).average().orElse(0));
  }

  /** Of a sample; of one run it is not known. */
  private static OptionalDouble deviation(List<TableRun> runs, ToDoubleFunction<TableRun> figure) {
    if (runs.size() < 2) {
      return OptionalDouble.empty();
    }
    double mean = runs.stream().mapToDouble(figure).average().orElse(0);
    double squares =
        runs.stream().mapToDouble(run -> Math.pow(figure.applyAsDouble(run) - mean, 2)).sum();
    return OptionalDouble.of(rounded(Math.sqrt(squares / (runs.size() - 1))));
  }

  /** More digits than that are noise. */
  private static double rounded(double figure) {
    return BigDecimal.valueOf(figure)
        .round(new MathContext(DIGITS, RoundingMode.HALF_EVEN))
        .doubleValue();
  }

  /** What a reader should know beside its cells, a line each. */
  public List<String> remarks() {
    List<String> lines = new ArrayList<>();
    lines.add(capacity());
    lines.add(
        "%d copies of each range, heap %d MiB, engine cache %d MiB, grown from %s"
            .formatted(
                subject.copies(),
                subject.heapMebibytes(),
                subject.cacheMebibytes(),
                subject.firstNodes() == 1 ? "1 node" : subject.firstNodes() + " nodes"));
    lines.add(
        "runs of %s s, after %s s without being counted"
            .formatted(plain(subject.seconds()), plain(subject.warmUpSeconds())));
    lines.add(load());
    others().ifPresent(lines::add);
    hits().ifPresent(lines::add);
    unsteady().ifPresent(lines::add);
    leftOut().ifPresent(lines::add);
    return lines;
  }

  private static String plain(double seconds) {
    return BigDecimal.valueOf(seconds).stripTrailingZeros().toPlainString();
  }

  private List<TableRun> all() {
    return cells.values().stream().flatMap(List::stream).toList();
  }

  private String capacity() {
    String machine = "a machine with %d processors".formatted(subject.processors());
    if (subject.nodeClass().capacity().isEmpty()) {
      return "capacity of a node, all of " + machine + ": nodes take it from each other";
    }
    String keepers =
        all().stream()
            .map(TableRun::keeper)
            .filter(keeper -> !keeper.isEmpty())
            .distinct()
            .sorted()
            .collect(Collectors.joining(" and "));
    return "capacity of a node, %s processors of %s, %s"
        .formatted(
            subject.nodeClass().capacity().get().toPlainString(),
            machine,
            keepers.isEmpty() ? "NOT SAID by nodes who keeps it" : "kept by the " + keepers);
  }

  /** How much of the machine nodes and clients took. */
  private String load() {
    double most = all().stream().mapToDouble(run -> run.load(subject.processors())).max().orElse(0);
    String said =
        "nodes and clients kept %s of the processors busy at most".formatted(percent(most));
    List<String> above =
        cells.entrySet().stream()
            .filter(cell -> meanLoad(cell.getValue()) > LOAD_MAX)
            .map(cell -> words(cell.getKey()))
            .toList();
    return above.isEmpty()
        ? said
        : "%s: TOO MUCH, more than %s with %s, where they waited for each other"
            .formatted(said, percent(LOAD_MAX), String.join(", ", above));
  }

  private double meanLoad(List<TableRun> runs) {
    return runs.stream().mapToDouble(run -> run.load(subject.processors())).average().orElse(0);
  }

  /** Whether each cell was measured with nodes and clients at {@link #LOAD_MAX} at most. */
  public boolean isWithinLoad() {
    return cells.values().stream().allMatch(runs -> meanLoad(runs) <= LOAD_MAX);
  }

  private static String words(GridPoint point) {
    return "%d clients on %d".formatted(point.clients(), point.servers());
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  private Optional<String> others() {
    OptionalDouble most = all().stream().flatMapToDouble(run -> run.otherCores().stream()).max();
    return most.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "others on the machine kept %.2f processors busy at most%s",
                most.getAsDouble(),
                most.getAsDouble() > OTHERS_MAX ? ": TOO MUCH, figures are doubtful" : ""));
  }

  private Optional<String> hits() {
    OptionalDouble least = all().stream().flatMapToDouble(run -> run.hitRatio().stream()).min();
    return least.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "engines found %s of what they looked up in their caches at least"
                .formatted(percent(least.getAsDouble())));
  }

  private List<Integer> unsteadySizes() {
    return all().stream()
        .filter(run -> !run.steady())
        .map(run -> run.point().servers())
        .distinct()
        .sorted()
        .toList();
  }

  private Optional<String> unsteady() {
    List<Integer> sizes = unsteadySizes();
    return sizes.isEmpty()
        ? Optional.empty()
        : Optional.of("NOT STEADY when it was measured: on %s nodes".formatted(sizes));
  }

  private Optional<String> leftOut() {
    if (leftOut.isEmpty()) {
      return Optional.empty();
    }
    String named =
        leftOut.stream()
            .limit(NAMED_MAX)
            .map(MeasuredTable::words)
            .collect(Collectors.joining(", "));
    int more = leftOut.size() - NAMED_MAX;
    return Optional.of(
        "measured and left out, since each row has to have each column: %s%s"
            .formatted(named, more > 0 ? " and %d more".formatted(more) : ""));
  }
}
