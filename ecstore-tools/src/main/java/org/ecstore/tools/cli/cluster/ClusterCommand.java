package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.model.AdminRequest;
import org.ecstore.tools.cli.interrupt.InterruptWords;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.EngineNames;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code ecstore cluster}: a cluster of processes on this machine. */
@Command(
    name = "cluster",
    subcommands = {
      UpCommand.class,
      StatusCommand.class,
      RangeCommands.Split.class,
      RangeCommands.Merge.class,
      RangeCommands.Move.class,
      BalanceCommands.Drain.class,
      BalanceCommands.Rebalance.class,
      BalanceCommands.Decisions.class,
      ChangeEngineCommand.class,
      ProvisionCommands.class
    },
    description = {
      "Runs a cluster of processes on this machine's loopback address.",
      "",
      "Each node is a process of its own, with its configuration, data and log in DIR/node-N; the"
          + " first three of them (of fewer nodes: the first) host ZooKeeper, and every one a"
          + " bookie. Nodes run on until they are stopped; one that ends by itself is started"
          + " again."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore cluster up --dir data --nodes 3    makes a cluster, or starts it again",
      "  ecstore shell --dir data                   reads and writes it",
      "  ecstore cluster status --dir data          shows its nodes and ranges",
      "  ecstore cluster status --at 10.0.0.1       the same of nodes that run wherever",
      "  ecstore cluster kill 2 --dir data          ends a node as a crash would",
      "  ecstore cluster down --dir data            ends all nodes; their data stay"
    })
public final class ClusterCommand implements Runnable {
  /**
   * No default value of its option: the one that is taken before the name of a command would get it
   * when the command has been given another.
   */
  private static final int WAIT_SECONDS = 120;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "The directory of the cluster.")
  private @Nullable Path directory;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      scope = ScopeType.INHERIT,
      description =
          "How many nodes there shall be, beside those drained, and not fewer than there are; as"
              + " many as there are, or 3, if not given.")
  private @Nullable Integer nodes;

  @Option(
      names = "--wait",
      paramLabel = "S",
      scope = ScopeType.INHERIT,
      description =
          "Seconds that nodes may take until they serve, or the steward until a request is done; "
              + WAIT_SECONDS
              + " if not given.")
  private @Nullable Integer waitSeconds;

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "The file with the cluster's secret; DIR/cluster.secret if not given.")
  private @Nullable Path secretFile;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "cluster what: up, status, kill, start, stop, pause, resume, add, down, split, merge, move,"
            + " drain, rebalance, decisions, change-engine, provision?");
  }

  /** The commands that tell the steward something. */
  private static final List<String> OF_THE_STEWARD =
      List.of("split", "merge", "move", "drain", "rebalance", "change-engine");

  /** Which of the options that all commands inherit only some of them have. */
  private static final Map<String, List<String>> ONLY_OF =
      Map.of(
          "--nodes",
          List.of("up"),
          "--wait",
          Stream.concat(Stream.of("up", "start", "add", "provision"), OF_THE_STEWARD.stream())
              .toList(),
          "--secret-file",
          OF_THE_STEWARD);

  /** The command line of this, in which no command has options of another. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new ClusterCommand());
    for (Map.Entry<String, CommandLine> each : line.getSubcommands().entrySet()) {
      ONLY_OF.forEach(
          (option, commands) -> {
            if (!commands.contains(each.getKey())) {
              remove(each.getValue(), option);
            }
          });
    }
    ONLY_OF.keySet().forEach(option -> hide(line.getCommandSpec(), option));
    return line;
  }

  /** With the commands below a command. */
  private static void remove(CommandLine line, String option) {
    CommandSpec command = line.getCommandSpec();
    command.remove(command.findOption(option));
    line.getSubcommands().values().forEach(each -> remove(each, option));
  }

  /** Still taken before the name of a command that has it, and shown with those that have it. */
  private static void hide(CommandSpec command, String name) {
    OptionSpec option = command.findOption(name);
    command.remove(option);
    command.addOption(OptionSpec.builder(option).hidden(true).scopeType(ScopeType.LOCAL).build());
  }

  /** For a cluster that is there. */
  int with(ClusterAccess.Work work) throws IOException, InterruptedException {
    access().with(work);
    return ExitStatus.OK;
  }

  /** For one that is there, or has to be made as said. */
  int with(NewCluster made, ClusterAccess.Work work) throws IOException, InterruptedException {
    access().with(made, work);
    return ExitStatus.OK;
  }

  /** What it says if its user interrupts it. */
  InterruptWords ifInterrupted(String words) {
    return InterruptWords.of(spec.commandLine(), words);
  }

  /** How the cluster is reached, for what asks it something itself. */
  ClusterAccess access() {
    return new ClusterAccess(
        Optional.ofNullable(directory), Optional.ofNullable(secretFile), waitSeconds());
  }

  /** The same of nodes by their addresses; refused where a directory is given too. */
  ClusterAccess access(String nodes) {
    return new ClusterAccess(
        Optional.ofNullable(directory),
        Optional.of(nodes),
        Optional.ofNullable(secretFile),
        waitSeconds());
  }

  /** The option of commands that nodes wherever they run can be asked. */
  static final class At {
    @Option(
        names = "--at",
        paramLabel = "NODES",
        description =
            "Addresses of its nodes in place of --dir, of those that run wherever:"
                + " 10.0.0.1:7420,10.0.0.2. One that answers is enough.")
    private @Nullable String nodes;

    /** As they were given, if they were. */
    Optional<String> nodes() {
      return Optional.ofNullable(nodes);
    }
  }

  /** Makes an admin request, once it is known which ranges there are. */
  interface Wanted {
    AdminRequest of(RangeNames ranges) throws IOException;
  }

  /** Tells the steward something, and waits until it is done. */
  int adminRequest(Wanted wanted) throws IOException, InterruptedException {
    return with(
        cluster -> {
          AdminRequest adminRequest = wanted.of(RangeNames.of(cluster, this::say));
          steward(cluster).adminRequest(adminRequest);
        });
  }

  /** What the commands for the steward have in common. */
  StewardCommands steward(ProcessCluster cluster) {
    return new StewardCommands(cluster, this::say, waitSeconds());
  }

  /** The parent of a command that picocli has made. */
  static ClusterCommand of(@Nullable ClusterCommand parent) {
    if (parent == null) {
      throw new IllegalStateException("a command of \"cluster\"");
    }
    return parent;
  }

  /** Within what nodes are to serve, and requests to be done. */
  int waitSeconds() {
    Integer given = waitSeconds;
    return given == null ? WAIT_SECONDS : given;
  }

  /** How many nodes there shall be, if that is said. */
  Optional<Integer> nodes() {
    return Optional.ofNullable(nodes);
  }

  boolean hasDirectory() {
    return directory != null;
  }

  /** As it was given. */
  String directory() {
    return String.valueOf(directory);
  }

  void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

  static String named(List<String> numbers) {
    return (numbers.size() == 1 ? "node " : "nodes ") + String.join(", ", numbers);
  }

  @Command(
      name = "kill",
      description = "Ends a node's process by SIGKILL, as a crash would.",
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore cluster kill 2 --dir data"})
  int kill(@Parameters(paramLabel = "N", description = "The node.") int node)
      throws IOException, InterruptedException {
    return with(
        cluster -> {
          cluster.kill(node);
          say("node " + node + " is gone");
        });
  }

  @Command(
      name = "start",
      description = {
        "Starts a node that does not run, and waits until it serves.",
        "",
        "One that was drained joins anew; if its process still runs, end that first, by kill."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore cluster start 2 --dir data"})
  int start(@Parameters(paramLabel = "N", description = "The node.") int node)
      throws IOException, InterruptedException {
    return with(
        cluster -> {
          cluster.start(node, this::say);
          say("node " + node + " serves on " + cluster.address(node));
        });
  }

  @Command(
      name = "stop",
      description = "Makes a node hand over and leave (SIGTERM), and waits for its end.",
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore cluster stop 2 --dir data"})
  int stop(@Parameters(paramLabel = "N", description = "The node.") int node)
      throws IOException, InterruptedException {
    return with(
        cluster -> {
          cluster.stop(node);
          say("node " + node + " has left");
        });
  }

  @Command(
      name = "pause",
      description = "Freezes a node's process (SIGSTOP).",
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore cluster pause 2 --dir data"})
  int pause(@Parameters(paramLabel = "N", description = "The node.") int node)
      throws IOException, InterruptedException {
    return with(
        cluster -> {
          cluster.pause(node);
          say("node " + node + " is paused");
        });
  }

  @Command(
      name = "resume",
      description = "Lets a paused process go on (SIGCONT).",
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore cluster resume 2 --dir data"})
  int resume(@Parameters(paramLabel = "N", description = "The node.") int node)
      throws IOException, InterruptedException {
    return with(
        cluster -> {
          cluster.resume(node);
          say("node " + node + " goes on");
        });
  }

  @Command(
      name = "add",
      description = {
        "Adds a node, and waits until it serves.",
        "",
        "It is like the first node of the cluster, on a host of its own. Its engine is the one that"
            + " all nodes have; where they have several kinds it is je, unless --engine says"
            + " otherwise."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore cluster add --dir data",
        "  ecstore cluster add --engine redis --dir data"
      })
  int add(
      @Option(
              names = "--engine",
              paramLabel = "KIND",
              completionCandidates = EngineNames.class,
              description =
                  "The kind of its storage engine, as engine.kind has it:"
                      + " ${COMPLETION-CANDIDATES}.")
          @Nullable String engine)
      throws IOException, InterruptedException {
    access()
        .withMore(
            onEngine(engine),
            cluster -> {
              if (engine != null) {
                cluster.engines().mustHaveProgramsOf(engine, this::say);
              }
              int node = cluster.addNode(this::say);
              say("node " + node + " serves on " + cluster.address(node));
            });
    return ExitStatus.OK;
  }

  private static NewCluster onEngine(@Nullable String kind) {
    if (kind == null) {
      return NewCluster.DEFAULT;
    }
    try {
      return NewCluster.DEFAULT.withMix(new EngineMix(1, List.of(EngineKinds.named(kind).name())));
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--engine: " + e.getMessage());
    }
  }

  @Command(
      name = "down",
      description = {
        "Ends all nodes at once, without hand-over.",
        "",
        "Data, logs and configurations stay in DIR: up starts the same cluster again. Nothing that"
            + " was acknowledged is lost. To be rid of it all, delete DIR afterwards."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore cluster down --dir data",
        "  ecstore cluster up --dir data        starts it again"
      })
  int down() throws IOException, InterruptedException {
    return with(
        cluster -> {
          List<String> running = new ArrayList<>();
          for (int node : cluster.nodes()) {
            if (cluster.isRunning(node)) {
              running.add(String.valueOf(node));
            }
          }
          if (!running.isEmpty()) {
            say("ending " + named(running));
          }
          cluster.down();
          say(
              running.isEmpty()
                  ? "no node was running"
                  : "no node runs any more; their data stay in "
                      + directory
                      + ", and \"ecstore cluster up\" starts them again");
        });
  }
}
