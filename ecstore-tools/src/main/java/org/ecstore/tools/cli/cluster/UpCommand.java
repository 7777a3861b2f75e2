package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.provision.CommandWords;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.control.ControlChange;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.Release;
import org.ecstore.tools.cli.interrupt.InterruptWords;
import org.ecstore.tools.objective.Amount;
import org.ecstore.tools.objective.ObjectiveFile;
import org.ecstore.tools.objective.StandingObjectives;
import org.ecstore.tools.objective.StatedObjectives;
import org.ecstore.tools.plan.PlanTables;
import org.ecstore.tools.plan.PlannedNodes;
import org.ecstore.tools.plan.PlannedObjective;
import org.ecstore.tools.plan.PlannedTable;
import org.ecstore.tools.plan.TablePlanner;
import org.ecstore.tools.plan.TablePlanner.Weighed;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.txn.qos.objective.ObjectiveBook;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.table.TableSetting;
import org.ecstore.txn.qos.table.TableSubject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ecstore cluster up}: makes a cluster, or starts one again. */
@Command(
    name = "up",
    description = {
      "Starts whatever does not run, and waits until all nodes serve.",
      "",
      "In an empty directory a cluster of N nodes is made; one with fewer gets more, and none is"
          + " ever taken away: drain does that. A node that runs is left alone, and one that was"
          + " drained is left out. The last line has the addresses that EcStore.connect takes.",
      "",
      "Nodes have ports of their own for as long as the cluster is there: the first one 7420,"
          + " where a client looks that is told a host only, unless another process has it when"
          + " the cluster is made; the others any that are free.",
      "",
      "Which node gets which keys is settled while there is no data to go by. Unless --spread"
          + " says more, tables with other first letters are in other ranges, and each table is"
          + " in one.",
      "",
      "Heap and collector of the nodes follow from the memory and processors of the machine,"
          + " shared out among them, and are written to DIR/node-N/jvm.options. What"
          + " ECSTORE_JAVA_OPTS has of them takes their place; in the end it is said what the"
          + " nodes have. The engine's cache is an eighth of the heap, unless"
          + " engine.cache in DIR/node-N/ecstore.toml says otherwise. A database server under a node"
          + " has as much memory as the machine has for the heap of a node, or --database-memory:"
          + " the buffer pool of MariaDB, and all that Redis may hold. It is written to"
          + " DIR/node-N/database.options, which it is started with each time.",
      "",
      "With --slo the cluster keeps what a file of objectives promises (slo set --file): its"
          + " controller limits applications of best effort, moves primaries, makes hot-spot replicas"
          + " from fewer reads on and adds nodes, up to --nodes-max, which come up on this machine by provisioner.command. Nodes that it"
          + " added are taken away again when all is kept without them. Of a cluster that keeps"
          + " some already, mode and bound stay as they are, unless options say otherwise.",
      "",
      "With --table the nodes of a cluster that is made are planned as by qos plan: so many, of the"
          + " class, engine, capacity, heap and cache that the table was measured on. The cluster"
          + " is given that table (qos table use), so that its controller goes by it. If neither that"
          + " nor --nodes, --hosts or --engines is given, they are planned by the tables of ./tables,"
          + " where qos measure --out tables writes them and qos plan looks for them; where there is no"
          + " plan by these that is said, and there are as many nodes as without. Without a table,"
          + " and without --capacity, each node of a cluster that is made gets such a part of this"
          + " machine as lets --nodes-max of them and their clients share it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore cluster up --dir data",
      "  ecstore cluster up --dir data --nodes 5 --spread users:uuid,visits:100000",
      "  ecstore cluster up --dir data --hosts 3 --engines je,mysql,redis",
      "  ecstore cluster up --dir data --slo slo.toml --nodes-max 5",
      "  ecstore cluster up --dir data --slo slo.toml --table tables",
      "  ecstore cluster up --dir data --slo slo.toml        planned by ./tables, if there are some"
    })
final class UpCommand implements Callable<Integer> {
  private static final int NODES_MAX = 32;

  /** What one machine can bear beside the nodes that it was given. */
  private static final int GROWTH = 2;

  /**
   * Of the machine's processors, this share is for the most nodes that there may be: with clients
   * beside them that is about 70 %, as of {@code bench qos}.
   */
  private static final double NODES_SHARE = 0.55;

  private static final int CAPACITY_DECIMALS = 2;

  /** For the lock, and again for the node: together less than a node grants the command. */
  private static final String PROVISION_SECONDS = "100";

  private static final String INTERRUPTED =
      "nodes that were started run on; the same command starts the others, \"cluster down\" ends all";

  private static final String MAIN = "org.ecstore.tools.cli.EcStoreMain";

  @Mixin private MadeClusterOptions made = new MadeClusterOptions();

  @Option(
      names = "--slo",
      paramLabel = "FILE",
      description =
          "Objectives that the cluster shall keep, as TOML. All are looked at before nodes start.")
  private @Nullable Path objectives;

  @Option(
      names = "--table",
      paramLabel = "FILE|DIR",
      description =
          "With --slo, of a cluster that is made: a performance table, or a directory of some, by"
              + " which its nodes are planned; those of ./tables if not given, and neither --nodes,"
              + " --hosts nor --engines. May be repeated.")
  private List<Path> tables = List.of();

  @Option(
      names = "--application",
      paramLabel = "NAME",
      description =
          "With --table, or tables in ./tables, which objective is planned for, if the file has"
              + " several.")
  private @Nullable String application;

  @Option(
      names = "--qos-mode",
      paramLabel = "MODE",
      description =
          "With --slo, how far its controller may go: act, ask or observe; act if not given, or as"
              + " it is where objectives are kept already.")
  private @Nullable String mode;

  @Option(
      names = "--nodes-max",
      paramLabel = "N",
      description =
          "With --slo, the nodes that there may be; if not given, twice as many as there are, or as"
              + " it is where objectives are kept already.")
  private @Nullable String nodesMax;

  @ParentCommand private @Nullable ClusterCommand parent;

  /** By which nodes are planned, if they are. */
  private Optional<PlannedTable> planTable = Optional.empty();

  /** Whether the plan is of nodes that each had all of their machine. */
  private boolean isOfWholeMachines;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterCommand command = ClusterCommand.of(parent);
    command.nodes().ifPresent(count -> OptionBounds.checkBetween("--nodes", count, 1, NODES_MAX));
    Optional<Kept> kept = kept();
    List<String> said = new ArrayList<>();
    if (kept.isPresent() && (!tables.isEmpty() || isToBeMade(command))) {
      said.addAll(planned(command, kept.get()));
    }
    try (UsualPort usual = UsualPort.claim()) {
      Optional<BigDecimal> share = share(command, kept, Machine.here().processors());
      NewCluster asked = made.cluster(command.nodes().orElse(null), usual, share);
      share.ifPresent(each -> said.add(shared(command, kept.orElseThrow(), each)));
      return command.with(
          kept.isPresent() && command.hasDirectory()
              ? asked.withControl(
                  ServerConfig.Control.DEFAULT.withProvisioner(provisioner(command.directory())))
              : asked,
          cluster -> {
            // What is refused now waits for no other command.
            count(command, cluster, kept);
            made.copiesOfKinds()
                .ifPresent(
                    copies ->
                        command.say(
                            ("each range gets %d copies, for quorums of (4, 3, 2): --copies 3 has"
                                    + " three")
                                .formatted(copies)));
            if (cluster.nodes().isEmpty()) {
              made.kindsWithoutCopies().ifPresent(command::say);
            }
            try (InterruptWords _ = command.ifInterrupted(INTERRUPTED)) {
              up(command, cluster, kept, said);
            }
          });
    }
  }

  /** Plans the nodes of a cluster that is made, if there are tables; what that is, for people. */
  private List<String> planned(ClusterCommand command, Kept kept) throws IOException {
    if (!tables.isEmpty()) {
      return planned(command, kept, PlanTables.of(tables), Integer.MAX_VALUE);
    }
    if (kept.objectives().stream().noneMatch(PlannedObjective::isPlannable)) {
      return List.of();
    }
    Optional<PlanTables> usual = usualTables();
    if (usual.isEmpty() || command.nodes().isPresent() || made.saysNodes()) {
      return List.of(
          "nodes are not planned%s: give --table FILE, a table of \"ecstore qos measure\", or see \"ecstore qos plan --slo %s\""
              .formatted(
                  usual.isEmpty() ? "" : ", as their number or kinds are given", kept.file()));
    }
    try {
      List<String> lines = new ArrayList<>();
      lines.add(
          "nodes are planned by the tables of ./%s, as by \"ecstore qos plan --slo %s\": --nodes N for another number"
              .formatted(PlanTables.USUAL, kept.file()));
      int most = Math.min(NODES_MAX, kept.nodesMax().orElse(NODES_MAX));
      lines.addAll(planned(command, kept, usual.get(), most));
      return lines;
    } catch (BadInputException e) {
      if (application != null) {
        throw e;
      }
      return List.of(
          "nodes are not planned by the tables of ./%s: %s"
              .formatted(PlanTables.USUAL, e.getMessage()));
    }
  }

  /** Those where {@code qos measure --out tables} writes them. */
  private static Optional<PlanTables> usualTables() throws IOException {
    return PlanTables.usual(Path.of(""));
  }

  /** Of a cluster that is there nothing is planned. */
  private static boolean isToBeMade(ClusterCommand command) throws IOException {
    if (!command.hasDirectory()) {
      return true;
    }
    try (ProcessCluster cluster =
        ProcessCluster.in(
            Path.of(command.directory()), Duration.ofSeconds(command.waitSeconds()))) {
      return cluster.nodes().isEmpty();
    }
  }

  /**
   * Plans the nodes by some tables.
   *
   * @param most nodes that there may be
   * @throws BadInputException if there is no plan, or none of so few
   */
  private List<String> planned(ClusterCommand command, Kept kept, PlanTables from, int most)
      throws IOException {
    OptionalInt processors = OptionalInt.of(Machine.here().processors());
    TableSubject wanted =
        TableSubject.UNKNOWN
            .ofBuild(Release.version())
            .by(new TableSetting(OptionalInt.empty(), processors, List.of()));
    Weighed weighed =
        new TablePlanner(
                PlannedObjective.ofFile(kept.file(), application), wanted, Forecast.Way.BETTER)
            .weigh(from);
    PlannedNodes nodes = PlannedNodes.of(weighed);
    if (nodes.count() > most) {
      throw new BadInputException(
          "%d nodes are needed, and there may be %d at most".formatted(nodes.count(), most));
    }
    planTable = Optional.of(PlannedTable.of(weighed.best()));
    List<String> lines = new ArrayList<>(nodes.lines());
    made.take(nodes, command.nodes()).forEach(line -> lines.add("  " + line));
    isOfWholeMachines = nodes.capacity().filter(TableSubject.WHOLE::equals).isPresent();
    return lines;
  }

  /** Nodes that are there stay as they are. */
  private void mustNotBePlanned(String directory) {
    if (!tables.isEmpty()) {
      throw new BadInputException(
          "--table is for a cluster that is made; the one in "
              + directory
              + " is there: qos plan says how many nodes it takes, --nodes adds some");
    }
  }

  /** What each node of a cluster that is made may keep busy, if that is not said. */
  private Optional<BigDecimal> share(ClusterCommand command, Optional<Kept> kept, int processors) {
    if (kept.isEmpty() || made.hasCapacity() || isOfWholeMachines) {
      return Optional.empty();
    }
    int most = most(kept.get(), command.nodes().orElse(made.nodes()));
    return most < 2 ? Optional.empty() : Optional.of(share(processors, most));
  }

  /** A part of the machine, so that all nodes and their clients share it. */
  static BigDecimal share(int processors, int nodes) {
    return BigDecimal.valueOf(NODES_SHARE * processors / nodes)
        .setScale(CAPACITY_DECIMALS, RoundingMode.DOWN)
        .max(NodeTraits.Capacity.LEAST);
  }

  private String shared(ClusterCommand command, Kept kept, BigDecimal each) {
    return "each node may keep %s of this machine's %d processors busy, so that %d of them and their clients share it, and the controller sees how much each has to do: --capacity P for another part"
        .formatted(
            each.toPlainString(),
            Machine.here().processors(),
            most(kept, command.nodes().orElse(made.nodes())));
  }

  /** The bound where none stands. */
  private static int most(Kept kept, int nodes) {
    return kept.nodesMax().orElse(Math.max(nodes, Math.min(NODES_MAX, GROWTH * nodes)));
  }

  /**
   * What a cluster shall keep.
   *
   * @param mode as given
   * @param nodesMax as given
   */
  record Kept(
      Path file,
      List<Objective> objectives,
      Optional<ControlMode> mode,
      Optional<Integer> nodesMax) {}

  /** Of no file nothing is kept; all that is wrong with it is said before anything is done. */
  private Optional<Kept> kept() throws IOException {
    Path file = objectives;
    if (file == null) {
      if (mode != null || nodesMax != null || !tables.isEmpty()) {
        throw new BadInputException(
            (mode != null ? "--qos-mode" : nodesMax != null ? "--nodes-max" : "--table")
                + " goes with --slo: give a file of objectives there, or see qos "
                + (mode == null && nodesMax == null ? "plan" : "mode"));
      }
      return Optional.empty();
    }
    if (application != null && tables.isEmpty() && usualTables().isEmpty()) {
      throw new BadInputException(
          "--application goes with --table: give a table there, or have some in ./"
              + PlanTables.USUAL);
    }
    List<Objective> all = ObjectiveFile.read(file);
    mustFit(file, ObjectiveBook.EMPTY, all);
    return Optional.of(
        new Kept(
            file,
            all,
            Optional.ofNullable(mode).map(UpCommand::modeOf),
            Optional.ofNullable(nodesMax)
                .map(text -> (int) Amount.count("--nodes-max", text, ControlSettings.NODES_MAX))));
  }

  private static void mustFit(Path file, ObjectiveBook standing, List<Objective> objectives) {
    List<String> faults = StandingObjectives.faults(standing, objectives);
    if (!faults.isEmpty()) {
      throw new BadInputException(file + ": " + String.join("; ", faults));
    }
  }

  private static ControlMode modeOf(String text) {
    return ControlMode.of(text.strip())
        .filter(one -> one != ControlMode.FREEZE)
        .orElseThrow(
            () ->
                new BadInputException(
                    "--qos-mode must be act, ask or observe, not \"" + text.strip() + "\""));
  }

  private static CommandWords provisioner(String directory) {
    try {
      return ProcessCluster.provisioner(Path.of(directory));
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--dir " + e.getMessage() + ": choose another for --slo");
    }
  }

  /** Nodes have to find the script, and what it does, wherever they run it. */
  private static void provide(ClusterCommand command, ProcessCluster.Provisioning provisioning)
      throws IOException {
    String directory = Path.of(command.directory()).toAbsolutePath().normalize().toString();
    List<Integer> later =
        provisioning.by(
            MAIN, List.of("cluster", "provision", "--wait", PROVISION_SECONDS, "--dir", directory));
    if (!later.isEmpty()) {
      List<String> named = later.stream().map(String::valueOf).toList();
      command.say(
          ClusterCommand.named(named)
              + " can add nodes only when started again: \"cluster stop\" and \"cluster start\","
              + " one by one");
    }
  }

  /**
   * How far the controller may go. Where nothing was said of it and nothing is kept, it may act,
   * and add as many nodes as there are; else what stands stays, unless options say otherwise.
   *
   * @param now what stands
   * @param isFirst whether no objective is kept so far
   * @param nodes that there shall be
   */
  static ControlSettings settings(Kept kept, ControlSettings now, boolean isFirst, int nodes) {
    boolean isUnsaid = isFirst && now.equals(ControlSettings.DEFAULT);
    return new ControlSettings(
        kept.mode().orElse(isUnsaid ? ControlMode.ACT : now.mode()),
        kept.nodesMax().orElse(isUnsaid ? most(kept, nodes) : now.nodesMax()),
        now.costMaxMilli());
  }

  private void keep(ClusterCommand command, ProcessCluster cluster, Kept kept, int nodes)
      throws IOException, InterruptedException {
    ClusterAccess access = command.access();
    Control now = access.ask(cluster, new ClientRequest.AskControl(), Control.class);
    Objectives standing = access.ask(cluster, new ClientRequest.AskObjectives(), Objectives.class);
    mustFit(kept.file(), StandingObjectives.of(standing), kept.objectives());
    boolean isFirst = standing.objectives().isEmpty();
    ControlSettings then = settings(kept, now.settings(), isFirst, nodes);
    ControlChange wanted = ControlChange.between(now.settings(), then);
    // First, as what is promised goes by the nodes that there may be, and by the table.
    if (!wanted.isEmpty()) {
      access.request(cluster, new AdminRequest.ChangeControl(wanted), command::say);
    }
    if (planTable.isPresent()) {
      planTable.get().give(request -> access.request(cluster, request, command::say), command::say);
    }
    for (Objective objective : kept.objectives()) {
      DecisionLine line =
          access.request(
              cluster,
              new AdminRequest.SetObjective(objective, System.currentTimeMillis()),
              command::say);
      StatedObjectives.lines(objective, line).forEach(command::say);
    }
    command.say(
        "the controller is in mode %s, with %d nodes at most%s: ecstore qos status --dir %s"
            .formatted(
                then.mode().word(),
                then.nodesMax(),
                then.equals(now.settings()) ? ", as before" : "",
                command.directory()));
    if (then.nodesMax() > 1 && cluster.capacity().isEmpty()) {
      command.say(
          "nodes have no node.capacity, so that each counts as busy only by its part of the whole machine, and the controller hardly sees how much they have to do: write capacity into the table node of the configuration of each while it is down");
    }
  }

  /**
   * How many nodes there shall be beside those drained.
   *
   * @throws BadInputException if that cannot be, or something is given that is settled of a cluster
   *     that is there
   */
  private int count(ClusterCommand command, ProcessCluster cluster, Optional<Kept> kept)
      throws IOException {
    boolean isThere = !cluster.nodes().isEmpty();
    if (isThere) {
      if (planTable.isPresent() && tables.isEmpty()) {
        throw new BadInputException(
            "the cluster in %s has been made by another command meanwhile: run this one again"
                .formatted(command.directory()));
      }
      mustNotBePlanned(command.directory());
      made.mustBeAbsent(command.directory());
    }
    int usual = isThere ? Math.max(1, cluster.undrained().size()) : made.nodes();
    int count = command.nodes().orElse(usual);
    OptionBounds.checkBetween("--nodes", count, 1, NODES_MAX);
    cluster.mustNotBeMoreThan(count);
    int most = kept.flatMap(Kept::nodesMax).orElse(Integer.MAX_VALUE);
    if (most < count) {
      throw new BadInputException(
          "--nodes-max is %d, and there shall be %d nodes: give a larger one"
              .formatted(most, count));
    }
    return count;
  }

  /**
   * Starts it.
   *
   * @param said of a cluster that is made, for people
   */
  private void up(
      ClusterCommand command, ProcessCluster cluster, Optional<Kept> kept, List<String> said)
      throws IOException, InterruptedException {
    int count =
        cluster.up(
            provisioning -> {
              int nodes = count(command, cluster, kept);
              if (kept.isPresent()) {
                if (cluster.nodes().isEmpty()) {
                  said.forEach(command::say);
                }
                provide(command, provisioning);
              }
              return nodes;
            },
            command::say);
    if (kept.isPresent()) {
      keep(command, cluster, kept.get(), count);
    }
    sayFlags(command, cluster);
    command.say("read and write it by: ecstore shell --dir " + command.directory());
    command.say("end it by:            ecstore cluster down --dir " + command.directory());
    command.say(cluster.addresses());
  }

  /** Nodes that ran before may have been started with others. */
  private static void sayFlags(ClusterCommand command, ProcessCluster cluster) throws IOException {
    Map<String, List<String>> nodesByFlags = new LinkedHashMap<>();
    for (int node : cluster.undrained()) {
      nodesByFlags
          .computeIfAbsent(cluster.flags(node), _ -> new ArrayList<>())
          .add(String.valueOf(node));
    }
    nodesByFlags.forEach(
        (flags, those) ->
            command.say(
                nodesByFlags.size() == 1
                    ? "each node has " + flags
                    : ClusterCommand.named(those) + " with " + flags));
  }
}
