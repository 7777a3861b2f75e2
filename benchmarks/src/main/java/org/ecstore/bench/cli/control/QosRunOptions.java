package org.ecstore.bench.cli.control;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.ecstore.bench.cli.options.MeasuredStoreOptions;
import org.ecstore.bench.cli.options.NodeClassOptions;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.control.QosRunSettings;
import org.ecstore.bench.control.RunPlan;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.bench.validate.MeasuredSource;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.objective.OfferedLoad;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.Statistic;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code bench qos} is told, and what is wrong with it: all of that at once. */
final class QosRunOptions {
  private static final int NODES_MAX = 32;
  private static final int CLIENTS_MAX = 10_000;
  private static final int WINDOW_MAX = 100;
  private static final int KILLS_MAX = 20;
  private static final int ROUNDS_MAX = 50;
  private static final double RATE_MAX = 1_000_000;
  private static final Duration PHASE_MIN = Duration.ofSeconds(5);
  private static final Duration CHECK_MIN = Duration.ofSeconds(1);

  /** So many checks the second phase has at least. */
  private static final int CHECKS_MIN = 4;

  private static final Duration RESPONSE_MIN = Duration.ofNanos(1_000);

  /** How long nodes gather reports of clients. */
  private static final Duration GATHERED = Duration.ofSeconds(5);

  /** What the most nodes may take of the machine together; clients and others have the rest. */
  private static final double NODES_SHARE = 0.55;

  /** Above that nodes and clients wait for each other. */
  private static final double NODES_SHARE_MAX = 0.7;

  @Mixin private RunPlanOptions planned = new RunPlanOptions();
  @Mixin private NodeClassOptions ofClass = new NodeClassOptions("small");
  @Mixin private MeasuredStoreOptions store = new MeasuredStoreOptions(384, 48, "zipf-read-heavy");

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "3",
      description = "Nodes at the beginning, 1 to " + NODES_MAX + ". ${DEFAULT-VALUE}.")
  private int nodes;

  @Option(
      names = "--nodes-max",
      paramLabel = "N",
      defaultValue = "5",
      description = {
        "Nodes that the cluster may have. ${DEFAULT-VALUE}; with --table as many as that has, and"
            + " one more than planned at least."
      })
  private int nodesMax;

  @Option(
      names = "--capacity",
      paramLabel = "P",
      description = {
        "The node.capacity of each: processors that it may keep busy. If not given, so much that"
            + " the most nodes take 55 %% of the machine together."
      })
  private @Nullable BigDecimal capacity;

  @Option(
      names = "--copies",
      paramLabel = "K",
      defaultValue = "2",
      description = {
        "Copies of each range, no more than nodes at the beginning. ${DEFAULT-VALUE}: with one, what"
            + " a killed node has is not there meanwhile. With --table as many as that was measured"
            + " with."
      })
  private int copies;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "20000",
      description = "Records of 1000 bytes that the store holds. ${DEFAULT-VALUE}.")
  private long records;

  @Option(
      names = "--p99",
      paramLabel = "TIME",
      defaultValue = "60ms",
      description = "What 99 of 100 operations of the shop may take. ${DEFAULT-VALUE}.")
  private String p99 = "";

  @Option(
      names = "--promise",
      paramLabel = "N",
      description = {
        "Operations a second for which that is promised; what is beyond is not owed. Four times"
            + " the rate of the calm phase if not given."
      })
  private @Nullable Long promise;

  @Option(
      names = "--check",
      paramLabel = "TIME",
      defaultValue = "5s",
      description = {
        "How often the controller looks (qos.check), a second at least; clients report as often."
            + " ${DEFAULT-VALUE}, for clusters in earnest half a minute."
      })
  private String check = "";

  @Option(
      names = "--window",
      paramLabel = "N",
      defaultValue = "6",
      description = "Checks after which it may act (qos.window), 2 at least. ${DEFAULT-VALUE}.")
  private int window;

  @Option(
      names = "--no-control",
      description =
          "The controller is frozen: what the same load does to a cluster that does not act.")
  private boolean isFrozen;

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "0",
      description = {
        "Operations that the shop begins each second in the calm phase. If not given, 35 %% of what"
            + " the first nodes do at most, which --saturation finds out."
      })
  private double rate;

  @Option(
      names = "--clients",
      paramLabel = "C",
      defaultValue = "64",
      description = {
        "Threads of the shop, each with one operation at a time. ${DEFAULT-VALUE}; with --table"
            + " those of the calm phase, to be given."
      })
  private int clients;

  @Option(
      names = "--flood",
      description = {
        "In the second phase the rate stays, and another application, of best effort, asks as fast"
            + " as it is answered."
      })
  private boolean floods;

  @Option(
      names = "--flood-clients",
      paramLabel = "C",
      defaultValue = "64",
      description = "Threads of that. ${DEFAULT-VALUE}.")
  private int floodClients;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "With --flood: so many runs with the controller and as many without it, in turns, and what"
            + " is claimed of both. One run if not given."
      })
  private int rounds;

  @Option(
      names = "--saturation",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = {
        "How long the first nodes are driven as hard as they take, before all phases, which also"
            + " warms them up; 0 for not at all, with --rate. ${DEFAULT-VALUE}."
      })
  private String saturation = "";

  @Option(
      names = "--calm",
      paramLabel = "TIME",
      defaultValue = "120s",
      description = "How long the first phase is, 5s at least. ${DEFAULT-VALUE}.")
  private String calm = "";

  @Option(
      names = {"--doubled", "--second"},
      paramLabel = "TIME",
      defaultValue = "300s",
      description = "How long the second phase is, of twice the rate or flooded. ${DEFAULT-VALUE}.")
  private String second = "";

  @Option(
      names = "--gone",
      paramLabel = "TIME",
      defaultValue = "300s",
      description = "How long the last phase is, of a tenth of the rate. ${DEFAULT-VALUE}.")
  private String gone = "";

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "2",
      description = {
        "How often the node that leads is killed (SIGKILL) in the last two phases; it is started"
            + " again after 5 s. ${DEFAULT-VALUE}."
      })
  private int kills;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      required = true,
      description = "Where samples, result and plots go; empty, or made if it is not there.")
  private Path directory = Path.of("");

  private OptionFaults faults = new OptionFaults();

  /** Where results go. */
  Path directory() {
    return directory;
  }

  /** How often it is run with the controller and without it; 0 for one run. */
  int rounds() {
    return rounds;
  }

  /**
   * Checks all of it.
   *
   * @param processors of this machine
   * @param isGiven which options were given
   * @throws BadInputException with everything that is wrong
   */
  QosRunSettings check(int processors, Predicate<String> isGiven) throws IOException {
    faults = new OptionFaults();
    planned.checkOthers(faults, isGiven);
    Optional<TableWorkload> wanted = store.workload(faults);
    checkMachines(processors);
    QosRunSettings.Course course = course();
    QosRunSettings.Promise promised = promised();
    checkChecks(promised, course);
    checkLoad();
    checkKills(course);
    checkRounds();
    checkDirectory();
    if (planned.isAsked()) {
      return planned(processors, isGiven, promised, course);
    }
    checkNodes(nodes, nodesMax, copies, "--nodes");
    if (!faults.isEmpty() || wanted.isEmpty()) {
      throw faults.exception();
    }
    BigDecimal each = capacity == null ? sized(processors) : capacity;
    QosRunSettings settings =
        new QosRunSettings(
            new QosRunSettings.Machines(
                nodes, nodesMax, ofClass.of(each), store.heap(), store.cache()),
            new QosRunSettings.Store(wanted.get(), records, copies),
            promised,
            course,
            processors,
            Optional.empty());
    faults.require(
        rounds == 0 || settings.isSecondBeyondWindow(),
        "--rounds judges what comes after a window, --window times --check, which is %d s: make --doubled longer than that"
            .formatted(promised.check().multipliedBy(window).toSeconds()));
    if (!faults.isEmpty()) {
      throw faults.exception();
    }
    return settings;
  }

  /** By a table, which says all that is not of the run alone. */
  private QosRunSettings planned(
      int processors,
      Predicate<String> isGiven,
      QosRunSettings.Promise promised,
      QosRunSettings.Course course)
      throws IOException {
    Optional<RunPlan> found = Optional.empty();
    Optional<MeasuredSource> source = planned.source(faults, processors);
    if (source.isPresent()) {
      TableSame same = new TableSame(source.get(), isGiven, faults);
      same.checkClass(ofClass, capacity);
      same.checkStore(store, records);
      found = planned.plan(faults, isGiven, source.get(), clients);
    }
    if (found.isEmpty()) {
      throw faults.exception();
    }
    RunPlan plan = found.get();
    MeasuredSubject subject = plan.source().subject();
    int most = isGiven.test("--nodes-max") ? nodesMax : plan.nodesMaxUsual();
    int copied = isGiven.test("--copies") ? copies : subject.copies();
    checkNodes(plan.nodes(), most, copied, "the %d nodes of the plan".formatted(plan.nodes()));
    if (!faults.isEmpty()) {
      throw faults.exception();
    }
    return new QosRunSettings(
        new QosRunSettings.Machines(
            plan.nodes(),
            most,
            plan.nodeClass(),
            subject.heapMebibytes(),
            subject.cacheMebibytes()),
        new QosRunSettings.Store(subject.workload(), subject.records(), copied),
        promised,
        course,
        processors,
        found);
  }

  /** What the user should know before, a line each. */
  List<String> notes(QosRunSettings settings) {
    double each =
        settings.machines().nodeClass().capacity().map(BigDecimal::doubleValue).orElse(0.0);
    int most = settings.machines().nodesMax();
    double taken = each * most / settings.processors();
    List<String> notes = new ArrayList<>();
    if (taken > NODES_SHARE_MAX) {
      notes.add(
          "%d nodes of %s processors take %.0f %% of the machine, and clients come on top: nodes and clients will wait for each other"
              .formatted(most, each, 100 * taken));
    }
    if (settings.promise().check().compareTo(GATHERED) < 0) {
      notes.add(
          "nodes hand on reports of clients every %d s: at shorter checks a slot has more operations than were done in its time"
              .formatted(GATHERED.toSeconds()));
    }
    settings.plan().ifPresent(plan -> notes.addAll(RunPlanOptions.notes(plan, settings)));
    return notes;
  }

  /**
   * Looks at how many there are.
   *
   * @param words for the first nodes
   */
  private void checkNodes(int first, int most, int copied, String words) {
    faults.require(
        first >= 1 && first <= NODES_MAX,
        "--nodes is from 1 to %d, not %d".formatted(NODES_MAX, first));
    faults.require(
        most >= first && most <= NODES_MAX,
        "--nodes-max is from %s to %d, not %d".formatted(words, NODES_MAX, most));
    faults.require(
        copied >= 1 && copied <= first,
        "--copies is from 1 to %s, not %d".formatted(words, copied));
  }

  private void checkMachines(int processors) {
    ofClass.check(faults, capacity);
    NodeClassOptions.checkProcessors(faults, capacity, processors);
    store.checkMemory(faults);
    MeasuredStoreOptions.checkRecords(faults, records);
  }

  private void checkLoad() {
    faults.require(
        rate >= 0 && rate <= RATE_MAX, "--rate is from 0, for none, to 1000000 a second");
    faults.require(
        clients >= 1 && clients <= CLIENTS_MAX,
        "--clients is from 1 to %d, not %d".formatted(CLIENTS_MAX, clients));
    faults.require(
        floodClients >= 1 && floodClients <= CLIENTS_MAX,
        "--flood-clients is from 1 to %d, not %d".formatted(CLIENTS_MAX, floodClients));
  }

  /** What clients had at the end of a phase is of checks that begin in it. */
  private void checkChecks(QosRunSettings.Promise promised, QosRunSettings.Course course) {
    faults.require(
        !faults.isEmpty()
            || promised.check().multipliedBy(CHECKS_MIN).compareTo(course.second()) <= 0,
        "--check is a quarter of --doubled at most, so that something is known of its end, not "
            + check);
  }

  private void checkKills(QosRunSettings.Course course) {
    faults.require(
        kills >= 0 && kills <= KILLS_MAX,
        "--kills is from 0 to %d, not %d".formatted(KILLS_MAX, kills));
    faults.require(
        kills == 0 || course.hasRoomForKills(),
        "--kills needs a second or last phase that is longer than 25s: none is in the first 20 s");
  }

  private void checkRounds() {
    faults.require(
        rounds >= 0 && rounds <= ROUNDS_MAX,
        "--rounds is from 1 to %d, not %d".formatted(ROUNDS_MAX, rounds));
    faults.require(
        rounds == 0 || (floods && !isFrozen),
        "--rounds is for --flood, with the controller and without it: leave --no-control out");
  }

  private void checkDirectory() throws IOException {
    faults.mustHaveNoQuote("--out", directory);
    faults.mustBeFree("--out", directory);
  }

  private QosRunSettings.Course course() {
    Duration saturated =
        planned.isAsked() || saturation.strip().equals("0")
            ? Duration.ZERO
            : faults.time("--saturation", saturation, PHASE_MIN);
    faults.require(
        planned.isAsked() || !saturated.isZero() || rate > 0,
        "--saturation 0 is for a known --rate: give that too");
    return new QosRunSettings.Course(
        planned.isAsked() ? 0 : rate,
        clients,
        floods ? floodClients : 0,
        saturated,
        faults.time("--calm", calm, PHASE_MIN),
        faults.time("--doubled", second, PHASE_MIN),
        faults.time("--gone", gone, PHASE_MIN),
        kills);
  }

  private QosRunSettings.Promise promised() {
    Long wanted = promise;
    faults.require(
        wanted == null || (wanted >= 1 && wanted <= OfferedLoad.RATE_MAX),
        "--promise is from 1 to %d operations a second, not %s"
            .formatted(OfferedLoad.RATE_MAX, wanted));
    faults.require(
        window >= 2 && window <= WINDOW_MAX,
        "--window is from 2 to %d, not %d".formatted(WINDOW_MAX, window));
    return new QosRunSettings.Promise(
        planned.isAsked()
            ? new ResponseTarget(Statistic.MEAN, planned.target(faults))
            : new ResponseTarget(Statistic.P99, target()),
        wanted == null ? OptionalLong.empty() : OptionalLong.of(wanted),
        faults.time("--check", check, CHECK_MIN),
        window,
        !isFrozen);
  }

  private Duration target() {
    Duration target = faults.time("--p99", p99, Duration.ZERO);
    faults.require(
        target.compareTo(RESPONSE_MIN) >= 0,
        "--p99 is 1us at least, as clients count no less, not \"%s\"".formatted(p99));
    return target;
  }

  /** What the most nodes may have each. */
  private BigDecimal sized(int processors) {
    return BigDecimal.valueOf(NODES_SHARE * processors / nodesMax)
        .setScale(2, RoundingMode.DOWN)
        .max(NodeTraits.Capacity.LEAST);
  }
}
