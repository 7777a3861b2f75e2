package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.process.ClusterLook;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.Screen;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    subcommands = ChangeEngineCommand.class,
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
      "  ecstore cluster kill 2 --dir data          ends a node as a crash would",
      "  ecstore cluster down --dir data            ends all nodes; their data stay"
    })
public final class ClusterCommand implements Runnable {
  private static final int NODES_MAX = 32;

  /** With a second for what else the command does, an operator has an answer within three. */
  private static final Duration LOOK_WITHIN = Duration.ofSeconds(2);

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
      defaultValue = "120",
      scope = ScopeType.INHERIT,
      description =
          "Seconds that nodes may take until they serve, or the steward until a request is done;"
              + " ${DEFAULT-VALUE} if not given.")
  private int waitSeconds;

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
            + " drain, rebalance, decisions, change-engine?");
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
          Stream.concat(Stream.of("up", "start", "add"), OF_THE_STEWARD.stream()).toList(),
          "--secret-file",
          OF_THE_STEWARD);

  /** The command line of this, in which no command has options of another. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new ClusterCommand());
    for (Map.Entry<String, CommandLine> each : line.getSubcommands().entrySet()) {
      CommandSpec command = each.getValue().getCommandSpec();
      ONLY_OF.forEach(
          (option, commands) -> {
            if (!commands.contains(each.getKey())) {
              command.remove(command.findOption(option));
            }
          });
    }
    ONLY_OF.keySet().forEach(option -> hide(line.getCommandSpec(), option));
    return line;
  }

  /** Still taken before the name of a command that has it, and shown with those that have it. */
  private static void hide(CommandSpec command, String name) {
    OptionSpec option = command.findOption(name);
    command.remove(option);
    command.addOption(OptionSpec.builder(option).hidden(true).scopeType(ScopeType.LOCAL).build());
  }

  /** Something to do with the cluster. */
  interface Work {
    void run(ProcessCluster cluster) throws IOException, InterruptedException;
  }

  /** For a cluster that is there. */
  int with(Work work) throws IOException, InterruptedException {
    return with(
        NewCluster.DEFAULT.on(Machine.here()),
        cluster -> {
          if (cluster.nodes().isEmpty()) {
            throw new BadInputException("there is no cluster in " + directory);
          }
          work.run(cluster);
        });
  }

  private int with(NewCluster made, Work work) throws IOException, InterruptedException {
    Path given = directory;
    if (given == null) {
      throw new BadInputException("which cluster? give its directory in --dir DIR");
    }
    if (waitSeconds < 1) {
      throw new BadInputException("--wait must be at least 1, not " + waitSeconds);
    }
    try (ProcessCluster cluster = ProcessCluster.in(given, Duration.ofSeconds(waitSeconds), made)) {
      if (secretFile != null) {
        cluster.secretFrom(secretFile);
      }
      work.run(cluster);
      return ExitStatus.OK;
    } catch (ProcessClusterException | DirectoryInUseException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
  }

  /** Within what nodes are to serve, and requests to be done. */
  int waitSeconds() {
    return waitSeconds;
  }

  void say(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

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
            + " engine.cache in DIR/node-N/ecstore.toml says otherwise."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore cluster up --dir data",
        "  ecstore cluster up --dir data --nodes 5 --spread users:uuid,visits:100000",
        "  ecstore cluster up --dir data --hosts 3 --engines je,mysql,redis"
      })
  int up(@Mixin MadeClusterOptions made) throws IOException, InterruptedException {
    try (UsualPort usual = UsualPort.claim()) {
      return with(
          made.cluster(nodes, usual),
          cluster -> {
            if (!cluster.nodes().isEmpty()) {
              made.mustBeAbsent(String.valueOf(directory));
            }
            up(cluster, made.nodes());
          });
    }
  }

  private void up(ProcessCluster cluster, int atFirst) throws IOException, InterruptedException {
    Integer wanted = nodes;
    int there = cluster.undrained().size();
    boolean fresh = cluster.nodes().isEmpty();
    int count = wanted != null ? wanted : fresh ? atFirst : Math.max(1, there);
    if (count < 1 || count > NODES_MAX) {
      throw new BadInputException("--nodes must be from 1 to " + NODES_MAX + ", not " + count);
    }
    cluster.up(count, this::say);
    sayFlags(cluster);
    say("read and write it by: ecstore shell --dir " + directory);
    say("end it by:            ecstore cluster down --dir " + directory);
    say(cluster.addresses());
  }

  /** Nodes that ran before may have been started with others. */
  private void sayFlags(ProcessCluster cluster) throws IOException {
    Map<String, List<String>> nodesByFlags = new LinkedHashMap<>();
    for (int node : cluster.undrained()) {
      nodesByFlags
          .computeIfAbsent(cluster.flags(node), _ -> new ArrayList<>())
          .add(String.valueOf(node));
    }
    nodesByFlags.forEach(
        (flags, those) ->
            say(
                nodesByFlags.size() == 1
                    ? "each node has " + flags
                    : named(those) + " with " + flags));
  }

  private static String named(List<String> numbers) {
    return (numbers.size() == 1 ? "node " : "nodes ") + String.join(", ", numbers);
  }

  @Command(
      name = "status",
      description = {
        "Shows how each node is, and the copies of each range.",
        "",
        "A copy is away where the map names a node for it that is down or does not know of it yet."
            + " Lines below the table say which ranges have no copy left, and so are unavailable"
            + " until one of their nodes is back; which have fewer copies than there should be; and"
            + " which are served by another node than the one they belong to.",
        "",
        "A position is that of a record in the commit ledger: what a node knows of it, and up to"
            + " where a copy has all that was written to its range.",
        "",
        "At a terminal long columns are clipped to its width; keys are shown as the shell takes"
            + " them."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore cluster status --dir data",
        "  ecstore cluster status --dir data --range r7",
        "  ecstore cluster status --dir data --key \"(users, m)\"",
        "  ecstore cluster status --dir data --json"
      })
  int status(
      @Option(names = "--json", description = "Print one JSON object as the last line instead.")
          boolean json,
      @Option(
              names = "--range",
              paramLabel = "RANGE",
              description = "Only the copies of this range: r7. Or a key in it.")
          @Nullable String range,
      @Option(
              names = "--node",
              paramLabel = "NODE",
              description = "Only this node and the copies on it: 3 or n3.")
          @Nullable String node,
      @Option(
              names = "--key",
              paramLabel = "KEY",
              description =
                  "Only the range of this key, given as in the shell: (users, m), text, or"
                      + " x'0aff'.")
          @Nullable String key)
      throws IOException, InterruptedException {
    boolean all = range == null && node == null && key == null;
    if (json && !all) {
      throw new BadInputException("--json is of everything: leave --range, --node and --key out");
    }
    Optional<Long> only = Optional.ofNullable(node).map(StewardCommands::node).map(NodeId::value);
    Optional<Bytes> holding =
        Optional.ofNullable(key).map(text -> StewardCommands.key("--key", text));
    return with(
        cluster -> {
          StatusFilter filter =
              new StatusFilter(
                  range == null
                      ? Optional.empty()
                      : Optional.of(RangeNames.of(cluster, this::say).find(range)),
                  only,
                  holding);
          ClusterLook seen = cluster.look(LOOK_WITHIN);
          if (json) {
            say(
                ClusterTable.json(seen.nodes(), seen.map(), cluster.copies(), seen.sequencer())
                    .toString());
          } else {
            ClusterTable.lines(seen.nodes(), seen.map(), cluster.copies(), filter, Screen.width())
                .forEach(this::say);
          }
        });
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
          cluster.start(node);
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
      description = "Adds a node, and waits until it serves.",
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore cluster add --dir data"})
  int add() throws IOException, InterruptedException {
    return with(
        cluster -> {
          int node = cluster.addNode();
          say("node " + node + " serves on " + cluster.address(node));
        });
  }

  @Command(
      name = "split",
      description = {
        "Makes two ranges of one, on the nodes where it is.",
        "",
        "No data moves. Without --at the range is cut where its data is halved. Both parts have new"
            + " ids, which the last line says."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore cluster split r7 --dir data",
        "  ecstore cluster split \"(users, m)\" --at \"(users, p)\" --dir data"
      })
  int split(
      @Parameters(
              paramLabel = "RANGE",
              description = "As in status: r7; or a key in it, as in the shell: \"(users, m)\".")
          String range,
      @Option(
              names = "--at",
              paramLabel = "KEY",
              description =
                  "The first key of the upper range, as in the shell: (users, m), text, or"
                      + " x'0aff'.")
          @Nullable String at)
      throws IOException, InterruptedException {
    Optional<Bytes> key = Optional.ofNullable(at).map(text -> StewardCommands.key("--at", text));
    return adminRequest(ranges -> new AdminRequest.Split(ranges.find(range), key));
  }

  @Command(
      name = "merge",
      description = {
        "Makes one range of two that are adjacent and belong to one node.",
        "",
        "Where their secondary copies are on different nodes, those are brought together first. Of"
            + " ranges of two nodes the refusal says which move comes first."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore cluster merge r7 r8 --dir data"})
  int merge(
      @Parameters(paramLabel = "RANGE", description = "As in status: r7; or a key in it.")
          String one,
      @Parameters(paramLabel = "RANGE", description = "The one before or after it, or a key in it.")
          String other)
      throws IOException, InterruptedException {
    return adminRequest(ranges -> new AdminRequest.Merge(ranges.find(one), ranges.find(other)));
  }

  @Command(
      name = "move",
      description = {
        "Moves the primary copy of a range to a node, or a secondary one.",
        "",
        "The node builds a copy, while everything goes on; then one change of the map lets it serve"
            + " and drops the old copy. There are as many copies as before: where the node has a"
            + " secondary copy already, the two change roles. The range stays there until it is"
            + " moved again."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore cluster move r7 3 --dir data                  its primary to node 3",
        "  ecstore cluster move r7 3 --secondary 2 --dir data    that of node 2"
      })
  int move(
      @Parameters(
              paramLabel = "RANGE",
              description = "As in status: r7; or a key in it, as in the shell: \"(users, m)\".")
          String range,
      @Parameters(paramLabel = "NODE", description = "The node to move it to: 3 or n3.")
          String node,
      @Option(
              names = "--secondary",
              paramLabel = "NODE",
              description = "Move the secondary copy that is on this node, not the primary one.")
          @Nullable String from)
      throws IOException, InterruptedException {
    NodeId to = StewardCommands.node(node);
    Optional<NodeId> source = Optional.ofNullable(from).map(StewardCommands::node);
    return adminRequest(ranges -> new AdminRequest.Move(ranges.find(range), to, source));
  }

  @Command(
      name = "drain",
      description = {
        "Moves all ranges and copies off a node, and takes it out of the tree.",
        "",
        "Its process runs on with nothing, for the sake of its bookie and its ZooKeeper server; end"
            + " it by kill. It is remembered as drained: up leaves it out, start lets it join anew."
            + " Of a node that is down the copies are made anew on others: it must not be the only"
            + " one that has them."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore cluster drain 4 --dir data",
        "  ecstore cluster kill 4 --dir data       ends its process afterwards"
      })
  int drain(@Parameters(paramLabel = "NODE", description = "The node: 3 or n3.") String node)
      throws IOException, InterruptedException {
    NodeId drained = StewardCommands.node(node);
    int status = adminRequest(_ -> new AdminRequest.Drain(drained));
    say(
        ("node %1$d has nothing any more: \"cluster up\" leaves it out. If its process runs, end it"
                + " by \"cluster kill %1$d\"; \"cluster start %1$d\" then lets it join anew")
            .formatted(drained.value()));
    return status;
  }

  @Command(
      name = "rebalance",
      description = {
        "Splits, shifts and moves ranges until nothing is to be gained by it.",
        "",
        "What is too large or too busy is split; a node that holds more than twice as much as its"
            + " neighbour gives it a range; a node that has too much to do lets others that have"
            + " copies be primary. The steward does so by itself, one step every few seconds,"
            + " unless balance.automatic is false; this makes it begin at once and waits for the"
            + " end."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore cluster rebalance --explain --dir data",
        "  ecstore cluster rebalance --dir data"
      })
  int rebalance(
      @Option(
              names = "--explain",
              description = "Only show what each node has, what would be done about it, and why.")
          boolean explain)
      throws IOException, InterruptedException {
    if (explain) {
      return with(cluster -> new StewardCommands(cluster, this::say, waitSeconds).explainBalance());
    }
    return adminRequest(_ -> new AdminRequest.Rebalance());
  }

  @Command(
      name = "decisions",
      description = {
        "Shows what the steward has decided, on whose request and why, and what came of it.",
        "",
        "The newest is the last line. What an earlier steward has done is shown as the map tells"
            + " it; what it refused or put off is forgotten."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore cluster decisions --dir data",
        "  ecstore cluster decisions --range r7 --dir data"
      })
  int decisions(
      @Option(
              names = "--range",
              paramLabel = "RANGE",
              description = "Only what is about this range: r7.")
          @Nullable String range)
      throws IOException, InterruptedException {
    Optional<RangeId> about = Optional.ofNullable(range).map(StewardCommands::range);
    return with(cluster -> new StewardCommands(cluster, this::say, waitSeconds).decisions(about));
  }

  /** Makes an admin request, once it is known which ranges there are. */
  private interface Wanted {
    AdminRequest of(RangeNames ranges) throws IOException;
  }

  private int adminRequest(Wanted wanted) throws IOException, InterruptedException {
    return with(
        cluster -> {
          AdminRequest adminRequest = wanted.of(RangeNames.of(cluster, this::say));
          new StewardCommands(cluster, this::say, waitSeconds).adminRequest(adminRequest);
        });
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
