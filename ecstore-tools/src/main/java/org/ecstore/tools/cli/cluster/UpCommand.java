package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.provision.CommandWords;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.objective.Amount;
import org.ecstore.tools.objective.ObjectiveFile;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.txn.qos.objective.ObjectiveBook;
import org.ecstore.txn.qos.objective.ObjectiveText;
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
          + " engine.cache in DIR/node-N/ecstore.toml says otherwise.",
      "",
      "With --slo the cluster keeps what a file of objectives promises (slo set --file): its"
          + " controller limits applications of best effort, moves primaries and adds nodes, up to"
          + " --nodes-max, which come up on this machine by provisioner.command. Nodes that it"
          + " added are taken away again when all is kept without them."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore cluster up --dir data",
      "  ecstore cluster up --dir data --nodes 5 --spread users:uuid,visits:100000",
      "  ecstore cluster up --dir data --hosts 3 --engines je,mysql,redis",
      "  ecstore cluster up --dir data --slo slo.toml --nodes-max 5"
    })
final class UpCommand implements Callable<Integer> {
  private static final int NODES_MAX = 32;

  /** What one machine can bear beside the nodes that it was given. */
  private static final int GROWTH = 2;

  /** For the lock, and again for the node: together less than a node grants the command. */
  private static final String PROVISION_SECONDS = "100";

  private static final String MAIN = "org.ecstore.tools.cli.EcStoreMain";

  @Mixin private MadeClusterOptions made = new MadeClusterOptions();

  @Option(
      names = "--slo",
      paramLabel = "FILE",
      description =
          "Objectives that the cluster shall keep, as TOML. All are looked at before nodes start.")
  private @Nullable Path objectives;

  @Option(
      names = "--qos-mode",
      paramLabel = "MODE",
      description = "With --slo, how far its controller may go: act, if not given, ask or observe.")
  private @Nullable String mode;

  @Option(
      names = "--nodes-max",
      paramLabel = "N",
      description =
          "With --slo, the nodes that there may be; twice as many as there are now if not given.")
  private @Nullable String nodesMax;

  @ParentCommand private @Nullable ClusterCommand parent;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterCommand command = ClusterCommand.of(parent);
    Optional<Kept> kept = kept();
    try (UsualPort usual = UsualPort.claim()) {
      NewCluster asked = made.cluster(command.nodes().orElse(null), usual);
      return command.with(
          kept.isPresent() && command.hasDirectory()
              ? asked.withControl(
                  ServerConfig.Control.DEFAULT.withProvisioner(provisioner(command.directory())))
              : asked,
          cluster -> {
            if (!cluster.nodes().isEmpty()) {
              made.mustBeAbsent(command.directory());
            }
            up(command, cluster, made.nodes(), kept);
          });
    }
  }

  /**
   * What a cluster shall keep.
   *
   * @param nodesMax as given
   */
  private record Kept(List<Objective> objectives, ControlMode mode, Optional<Integer> nodesMax) {}

  /** Of no file nothing is kept; all that is wrong with it is said before anything is done. */
  private Optional<Kept> kept() throws IOException {
    Path file = objectives;
    if (file == null) {
      if (mode != null || nodesMax != null) {
        throw new BadInputException(
            (mode != null ? "--qos-mode" : "--nodes-max")
                + " goes with --slo: give a file of objectives there, or see qos mode");
      }
      return Optional.empty();
    }
    List<Objective> all = ObjectiveFile.read(file);
    ObjectiveBook book = ObjectiveBook.EMPTY;
    for (Objective one : all) {
      AdminRequest.SetObjective request = new AdminRequest.SetObjective(one, 0);
      Optional<String> refusal = book.refusal(request);
      if (refusal.isPresent()) {
        throw new BadInputException(file + ": " + one.application() + ": " + refusal.get());
      }
      book = book.after(request, 0);
    }
    String word = mode == null ? ControlMode.ACT.word() : mode.strip();
    ControlMode known =
        ControlMode.of(word)
            .filter(one -> one != ControlMode.FREEZE)
            .orElseThrow(
                () ->
                    new BadInputException(
                        "--qos-mode must be act, ask or observe, not \"" + word + "\""));
    return Optional.of(
        new Kept(
            all,
            known,
            Optional.ofNullable(nodesMax)
                .map(text -> (int) Amount.count("--nodes-max", text, ControlSettings.NODES_MAX))));
  }

  private static CommandWords provisioner(String directory) {
    try {
      return ProcessCluster.provisioner(Path.of(directory));
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--dir " + e.getMessage() + ": choose another for --slo");
    }
  }

  /** Nodes have to find the script, and what it does, wherever they run it. */
  private static void provide(ClusterCommand command, ProcessCluster cluster)
      throws IOException, InterruptedException {
    String directory = Path.of(command.directory()).toAbsolutePath().normalize().toString();
    List<Integer> later =
        cluster.provisionBy(
            MAIN, List.of("cluster", "provision", "--wait", PROVISION_SECONDS, "--dir", directory));
    if (!later.isEmpty()) {
      List<String> named = later.stream().map(String::valueOf).toList();
      command.say(
          ClusterCommand.named(named)
              + " can add nodes only when started again: \"cluster stop\" and \"cluster start\","
              + " one by one");
    }
  }

  private static void keep(ClusterCommand command, ProcessCluster cluster, Kept kept, int nodes)
      throws IOException, InterruptedException {
    ClusterAccess access = command.access();
    Control now = access.ask(cluster, new ClientRequest.AskControl(), Control.class);
    int most = kept.nodesMax().orElse(Math.min(NODES_MAX, GROWTH * nodes));
    // First, as what is promised goes by the nodes that there may be.
    access.request(
        cluster,
        new AdminRequest.SetControl(
            new ControlSettings(kept.mode(), most, now.settings().costMaxMilli())),
        command::say);
    for (Objective objective : kept.objectives()) {
      access.request(
          cluster,
          new AdminRequest.SetObjective(objective, System.currentTimeMillis()),
          command::say);
      command.say(objective.application() + ": " + ObjectiveText.of(objective));
    }
    command.say(
        "the controller is in mode %s, with %d nodes at most: ecstore qos status --dir %s"
            .formatted(kept.mode().word(), most, command.directory()));
  }

  private static void up(
      ClusterCommand command, ProcessCluster cluster, int atFirst, Optional<Kept> kept)
      throws IOException, InterruptedException {
    int there = cluster.undrained().size();
    boolean fresh = cluster.nodes().isEmpty();
    int count = command.nodes().orElse(fresh ? atFirst : Math.max(1, there));
    OptionBounds.checkBetween("--nodes", count, 1, NODES_MAX);
    if (kept.isPresent()) {
      int most = kept.get().nodesMax().orElse(NODES_MAX);
      if (most < count) {
        throw new BadInputException(
            "--nodes-max is %d, and there shall be %d nodes: give a larger one"
                .formatted(most, count));
      }
      provide(command, cluster);
    }
    cluster.up(count, command::say);
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
