package org.ecstore.bench.qos.modelled;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.Margin;
import org.ecstore.bench.figure.Repeated;
import org.ecstore.bench.qos.MeasuredTable;
import org.ecstore.bench.qos.TablePlots;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.key.Bytes;
import org.ecstore.model.objective.Statistic;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.predict.PredictionErrors;
import org.ecstore.txn.qos.predict.PredictorComparison;
import org.ecstore.txn.qos.predict.PredictorComparison.HeldOut;
import org.ecstore.txn.qos.table.GridPoint;
import org.ecstore.txn.qos.table.PerformanceCell;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.ecstore.txn.qos.table.TableWriter;

/** A table that the model has made: the runs of each cell, and how well the table is predicted. */
public final class ModelledTable {
  private static final String MODELLED = "modelled, not measured";

  /** The most that the median error on held-out cells may be, as a share. */
  public static final double MEDIAN_MAX = 0.1;

  private final ModelSubject subject;
  private final ModelCourse course;
  private final NavigableMap<GridPoint, List<TableRun>> cells;
  private final PerformanceTable table;
  private final boolean byCurve;

  /** Of runs of all cells of a course. */
  ModelledTable(
      ModelSubject subject, ModelCourse course, NavigableMap<GridPoint, List<TableRun>> cells) {
    this.subject = subject;
    this.course = course;
    this.cells = new TreeMap<>(cells);
    this.table = table(runs -> runs);
    this.byCurve = new Forecast(table, Statistic.MEAN, Forecast.Way.BETTER).byCurve();
  }

  /** Takes some of a cell's runs. */
  private interface Chosen {
    List<TableRun> of(List<TableRun> runs);
  }

  private PerformanceTable table(Chosen chosen) {
    NavigableMap<GridPoint, PerformanceCell> means = new TreeMap<>();
    cells.forEach((point, runs) -> means.put(point, MeasuredTable.mean(chosen.of(runs))));
    return new PerformanceTable(subject.subject(), means);
  }

  public ModelSubject subject() {
    return subject;
  }

  ModelCourse course() {
    return course;
  }

  /** As plans take it: each cell the mean of its runs. */
  public PerformanceTable table() {
    return table;
  }

  /** Whether plans predict by the curve, as that errs less on the rows of the table. */
  public boolean byCurve() {
    return byCurve;
  }

  /** A figure of a cell in each run; the table has the cell. */
  Repeated repeated(GridPoint point, ToDoubleFunction<TableRun> figure) {
    return new Repeated(
        cells.getOrDefault(point, List.of()).stream().mapToDouble(figure).boxed().toList());
  }

  /** The hit ratio of the row caches on so many nodes, of all numbers of clients together. */
  Repeated hitRatio(int nodes) {
    double rows = course.clients().size();
    return course.clients().stream()
        .map(clients -> repeated(new GridPoint(clients, nodes), run -> run.hitRatio().orElse(0)))
        .reduce((one, other) -> one.with(other, Double::sum))
        .orElseThrow()
        .map(sum -> sum / rows);
  }

  /** How both ways of prediction do on what is held out; absent where nothing can be. */
  public Optional<PredictorComparison> comparison(HeldOut heldOut) {
    return PredictorComparison.of(table, Statistic.MEAN, heldOut);
  }

  /** The errors of the way that plans take, on cells held out one by one. */
  public Optional<PredictionErrors> errors() {
    return comparison(HeldOut.CELL).map(this::chosen);
  }

  private PredictionErrors chosen(PredictorComparison comparison) {
    return byCurve ? comparison.curve() : comparison.interpolation();
  }

  /**
   * The goal: the median error on held-out cells is at most a tenth, by the way that plans take. It
   * holds if it does in the table of each run by itself, of five at least. Absent where no cell can
   * be held out.
   */
  public Optional<Claim> goal() {
    List<Double> medians = medians();
    return medians.size() < course.runs() || errors().isEmpty()
        ? Optional.empty()
        : Optional.of(
            Claim.of(
                "The median error of prediction on held-out cells is at most 10 %.",
                String.format(
                    Locale.ROOT,
                    "%.1f %% in this table, the mean of all runs",
                    100 * errors().map(PredictionErrors::median).orElse(0.0)),
                List.of(
                    new Margin(
                        "10 % less the median of each run",
                        new Repeated(medians).map(median -> MEDIAN_MAX - median)))));
  }

  /** The median error of each run's own table. */
  private List<Double> medians() {
    return IntStream.range(0, course.runs())
        .mapToObj(number -> table(runs -> runs.subList(number, number + 1)))
        .map(one -> PredictorComparison.of(one, Statistic.MEAN, HeldOut.CELL))
        .flatMap(Optional::stream)
        .map(comparison -> chosen(comparison).median())
        .toList();
  }

  /** How far it is from the paper's own table; absent if it is of other records or caches. */
  Optional<PaperDeviation> deviation() {
    return subject.isOfPaper() && !subject.isDirect()
        ? PaperDeviation.of(table, subject.paperTable())
        : Optional.empty();
  }

  /** What a reader should know beside its cells, a line each. */
  public List<String> remarks() {
    List<String> lines = new ArrayList<>();
    lines.add(MODELLED + ": no node was there, and no cluster goes by it");
    lines.add(
        "%,d records of 1000 bytes, a row cache of %d MiB on each node, one copy"
            .formatted(subject.records(), subject.cacheMebibytes()));
    lines.add(
        String.format(
            Locale.ROOT,
            "costs of the model times %s; a read that the row cache does not have takes %d us more",
            subject.nodeClass().slowdown(),
            subject.nodeClass().missNanos() / 1_000));
    lines.add(
        subject.isDirect()
            ? "clients ask the node that has the record"
            : "a client asks one node, which asks the one that has the record");
    lines.add(
        "%d runs of %,d requests, seed %d"
            .formatted(course.runs(), course.requests(), course.seed()));
    lines.add(
        "row caches had "
            + course.nodes().stream()
                .map(
                    nodes ->
                        String.format(
                            Locale.ROOT, "%.0f %% on %d", 100 * hitRatio(nodes).median(), nodes))
                .collect(Collectors.joining(", ")));
    return lines;
  }

  private static String file(ModelSubject subject) {
    return subject.name() + ".csv";
  }

  /** Files where {@link #write} would write some, which are none that it has written. */
  public static List<Path> others(Path directory, ModelSubject subject) throws IOException {
    if (isModelled(directory.resolve(file(subject)))) {
      return List.of();
    }
    List<String> files = new ArrayList<>(TablePlots.files(subject.name()));
    files.addFirst(file(subject));
    return files.stream().map(directory::resolve).filter(Files::exists).toList();
  }

  private static boolean isModelled(Path file) throws IOException {
    return Files.isRegularFile(file)
        && Files.size(file) <= TableReader.TEXT_MAX
        && Files.readString(file, StandardCharsets.ISO_8859_1).contains(MODELLED);
  }

  /** Writes the table and its plots into a directory that is there. */
  public void write(Path directory) throws IOException {
    String text = TableWriter.full(table, remarks());
    DurableFiles.replace(
        directory, file(subject), Bytes.wrap(text.getBytes(StandardCharsets.UTF_8)));
    TablePlots.draw(table, directory, subject.name());
  }
}
