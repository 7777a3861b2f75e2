package org.ecstore.bench.cli.tables;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.ecstore.bench.cli.options.MeasuredStoreOptions;
import org.ecstore.bench.cli.options.NodeClassOptions;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.cli.options.WorkDirectory;
import org.ecstore.bench.qos.MeasurePlan;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.qos.MeasuredTable;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.model.NodeTraits;
import org.ecstore.server.Release;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.EngineNames;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code qos measure} is told, and what is wrong with it: all of that at once. */
final class TableOptions {
  private static final double SECONDS_MIN = 0.1;
  private static final double SECONDS_MAX = 3_600;

  /** Of what all may take together, this share is for the nodes; the rest is for clients. */
  private static final double NODES_SHARE = 0.5;

  @Mixin private GridOptions grid = new GridOptions("8,16,32,64", "1..3");
  @Mixin private NodeClassOptions ofClass = new NodeClassOptions(NodeTraits.STANDARD);
  @Mixin private MeasuredStoreOptions store = new MeasuredStoreOptions(384, 48, "zipf-read");

  @Option(
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      defaultValue = "je",
      completionCandidates = EngineNames.class,
      description =
          "Kinds of engines, a table for each: ${COMPLETION-CANDIDATES}. ${DEFAULT-VALUE}.")
  private List<String> kinds = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description = "Where tables, plots and runs go; made if it is not there.")
  private Path directory = Path.of("");

  @Option(
      names = "--capacity",
      paramLabel = "P",
      description = {
        "The node.capacity of each: processors that it may keep busy. If not given, that with which"
            + " a table in --out was begun, or so much that the most nodes take 35 %% of the machine"
            + " together."
      })
  private @Nullable BigDecimal capacity;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often each cell is measured. ${DEFAULT-VALUE}.")
  private int runs;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "How long each run counts. ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "3",
      description = "For how long clients run before that. ${DEFAULT-VALUE}.")
  private double warmUp;

  @Option(
      names = "--settle",
      paramLabel = "S",
      defaultValue = "180",
      description =
          "How long a size may take to become steady; if it does not, the table says so."
              + " ${DEFAULT-VALUE}.")
  private double settle;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Records of 1000 bytes that the store holds. ${DEFAULT-VALUE}.")
  private long records;

  @Option(
      names = "--copies",
      paramLabel = "K",
      defaultValue = "1",
      description =
          "Copies of each range, no more than the fewest nodes. ${DEFAULT-VALUE}, as in the paper.")
  private int copies;

  /**
   * What the options ask for.
   *
   * @param isCapacityGiven whether the user has said how much each node may do
   */
  record Checked(
      Path directory, MeasurePlan plan, List<MeasuredSubject> subjects, boolean isCapacityGiven) {
    /** Of a table, where its cluster is. */
    WorkDirectory work(MeasuredSubject subject) {
      return new WorkDirectory(directory.resolve(subject.name() + ".cluster"));
    }

    /** What the user is to know before. */
    List<String> notes() {
      return subjects.stream().flatMap(subject -> notes(subject).stream()).distinct().toList();
    }

    private List<String> notes(MeasuredSubject subject) {
      Optional<BigDecimal> capacity = subject.nodeClass().capacity();
      if (capacity.isEmpty()) {
        return List.of();
      }
      String each = capacity.get().toPlainString();
      List<String> notes = new ArrayList<>();
      if (!isCapacityGiven) {
        notes.add(
            "each node is held to %s processors of %d, also where more --nodes are added later, unless you give --capacity"
                .formatted(each, subject.processors()));
      }
      int most = plan.nodes().last();
      double taken = capacity.get().doubleValue() * most / subject.processors();
      if (taken > MeasuredTable.LOAD_MAX * 0.75) {
        notes.add(
            "%d nodes of %s processors take %.0f %% of the machine: with clients beside them that may be more than 70 %%"
                .formatted(most, each, 100 * taken));
      }
      return notes;
    }
  }

  /**
   * Checks all of it.
   *
   * @param processors of this machine
   * @throws BadInputException with everything that is wrong
   */
  Checked check(int processors) throws IOException {
    OptionFaults faults = new OptionFaults();
    NavigableSet<Integer> rows = grid.rows(faults);
    NavigableSet<Integer> columns = grid.columns(faults);
    Optional<TableWorkload> wanted = store.workload(faults);
    checkKinds(faults);
    checkNodes(faults, processors);
    checkRuns(faults, runs, seconds, warmUp, settle);
    faults.require(
        copies >= 1 && (columns.isEmpty() || copies <= columns.first()),
        "--copies is from 1 to the fewest of --nodes, not " + copies);
    faults.mayBeDirectory("--out", directory);
    if (!faults.isEmpty() || wanted.isEmpty()) {
      throw faults.exception();
    }
    BigDecimal each = capacity == null ? sized(processors, columns.last()) : capacity;
    NodeClass stands = ofClass.of(each);
    List<MeasuredSubject> subjects =
        kinds.stream()
            .map(kind -> subject(kind, stands, wanted.get(), columns.first(), processors))
            .toList();
    return new Checked(
        directory,
        new MeasurePlan(rows, columns, runs, Duration.ofMillis(Math.round(1_000 * settle))),
        subjects,
        capacity != null);
  }

  private MeasuredSubject subject(
      String kind, NodeClass stands, TableWorkload wanted, int firstNodes, int processors) {
    return new MeasuredSubject(
        kind,
        stands,
        wanted,
        Release.version(),
        records,
        copies,
        store.heap(),
        store.cache(),
        firstNodes,
        seconds,
        warmUp,
        processors);
  }

  private void checkKinds(OptionFaults faults) {
    List<String> known = EngineKinds.names();
    List<String> unknown = kinds.stream().filter(kind -> !known.contains(kind)).toList();
    faults.require(
        unknown.isEmpty(),
        "--kinds are of %s, not %s"
            .formatted(String.join(", ", known), String.join(", ", unknown)));
    faults.require(
        kinds.stream().distinct().count() == kinds.size() && !kinds.isEmpty(),
        "--kinds are named once each");
  }

  private void checkNodes(OptionFaults faults, int processors) {
    ofClass.check(faults, capacity);
    NodeClassOptions.checkProcessors(faults, capacity, processors);
    store.checkMemory(faults);
    MeasuredStoreOptions.checkRecords(faults, records);
  }

  /** Looks at how often and for how long is measured. */
  static void checkRuns(
      OptionFaults faults, int runs, double seconds, double warmUp, double settle) {
    faults.mustBeRuns(runs);
    faults.require(
        seconds >= SECONDS_MIN && seconds <= SECONDS_MAX,
        "--seconds is from 0.1 to 3600, not " + seconds);
    faults.require(
        warmUp >= 0 && warmUp <= SECONDS_MAX, "--warm-up is from 0 to 3600, not " + warmUp);
    faults.require(
        settle >= 0 && settle <= SECONDS_MAX, "--settle is from 0 to 3600, not " + settle);
  }

  /** What the most nodes may have each. */
  private static BigDecimal sized(int processors, int most) {
    double share = MeasuredTable.LOAD_MAX * NODES_SHARE * processors / most;
    return BigDecimal.valueOf(share).setScale(2, RoundingMode.DOWN).max(NodeTraits.Capacity.LEAST);
  }
}
