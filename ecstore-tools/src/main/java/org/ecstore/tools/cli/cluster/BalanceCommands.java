package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientRequest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** What {@code ecstore cluster} does about which node has what, and says of it. */
final class BalanceCommands {
  private BalanceCommands() {}

  /** {@code ecstore cluster drain}. */
  @Command(
      name = "drain",
      description = {
        "Moves all ranges and copies off a node, and takes it out of the tree.",
        "",
        "Its process runs on with nothing, for the sake of its bookie and its ZooKeeper server; end"
            + " it by kill. It is remembered as drained: up leaves it out, start lets it join anew."
            + " Of a node that is down the copies are made anew on others: it must not be the only"
            + " one that has them.",
        "",
        "With --at, which goes with --secret-file, its process is ended where it runs; one that is"
            + " started again joins anew."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore cluster drain 4 --dir data",
        "  ecstore cluster kill 4 --dir data       ends its process afterwards",
        "  ecstore cluster drain 4 --at 10.0.0.1,10.0.0.2 --secret-file cluster.secret"
      })
  static final class Drain implements Callable<Integer> {
    @Parameters(paramLabel = "NODE", description = "The node: 3 or n3.")
    private String node = "";

    @Mixin private ClusterCommand.At at = new ClusterCommand.At();
    @ParentCommand private @Nullable ClusterCommand parent;

    @Override
    public Integer call() throws IOException, InterruptedException {
      NodeId drained = StewardCommands.node(node);
      ClusterCommand command = ClusterCommand.of(parent);
      if (at.nodes().isPresent()) {
        ClusterAccess access = command.access(at.nodes().get());
        access.talk(
            steward ->
                command.say(
                    StewardCommands.done(
                        access.request(steward, new AdminRequest.Drain(drained), command::say))));
        command.say(
            "node %d has nothing any more: end its process where it runs; started again it joins anew"
                .formatted(drained.value()));
        return ExitStatus.OK;
      }
      int status =
          command.with(
              cluster -> {
                keepEngine(command, cluster, drained.value());
                command.steward(cluster).adminRequest(new AdminRequest.Drain(drained));
              });
      command.say(
          ("node %1$d has nothing any more: \"cluster up\" leaves it out. If its process runs, end"
                  + " it by \"cluster kill %1$d\"; \"cluster start %1$d\" then lets it join anew")
              .formatted(drained.value()));
      return status;
    }

    /** It is to stay without ranges: no change of engines that was interrupted takes it up. */
    private static void keepEngine(ClusterCommand command, ProcessCluster cluster, long node)
        throws IOException, InterruptedException {
      for (int each : cluster.nodes()) {
        if (each == node) {
          cluster
              .engines()
              .keep(each, command::say)
              .ifPresent(
                  change ->
                      command.say(
                          "node %d: a change of its engine %s is forgotten"
                              .formatted(each, change)));
        }
      }
    }
  }

  /** {@code ecstore cluster rebalance}. */
  @Command(
      name = "rebalance",
      description = {
        "Splits, shifts and moves ranges until nothing can be gained by it.",
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
  static final class Rebalance implements Callable<Integer> {
    @Option(
        names = "--explain",
        description = "Only show what each node has, what would be done about it, and why.")
    private boolean explain;

    @ParentCommand private @Nullable ClusterCommand parent;

    @Override
    public Integer call() throws IOException, InterruptedException {
      ClusterCommand command = ClusterCommand.of(parent);
      return explain
          ? command.with(cluster -> command.steward(cluster).explainBalance())
          : command.adminRequest(_ -> new AdminRequest.Rebalance());
    }
  }

  /** {@code ecstore cluster decisions}. */
  @Command(
      name = "decisions",
      description = {
        "Shows what the steward has decided, on whose request and why, and what came of it.",
        "",
        "The newest is the last line. What an earlier steward has done is shown as the map tells"
            + " it, and what was done for objectives as it was written down, the last hundred"
            + " actions; what else it refused or put off is forgotten."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore cluster decisions --dir data",
        "  ecstore cluster decisions --range r7 --dir data",
        "  ecstore cluster decisions --json --dir data",
        "  ecstore cluster decisions --at 10.0.0.1,10.0.0.2"
      })
  static final class Decisions implements Callable<Integer> {
    @Option(
        names = "--range",
        paramLabel = "RANGE",
        description =
            "Only what is about this range: r7, also one that is no more, or, with --dir, a key in"
                + " it: \"(users, m)\".")
    private @Nullable String range;

    @Option(names = "--json", description = "Print one JSON object as the last line instead.")
    private boolean json;

    @Mixin private ClusterCommand.At at = new ClusterCommand.At();
    @ParentCommand private @Nullable ClusterCommand parent;

    @Override
    public Integer call() throws IOException, InterruptedException {
      ClusterCommand command = ClusterCommand.of(parent);
      if (at.nodes().isPresent()) {
        Optional<RangeId> about = Optional.ofNullable(range).map(StewardCommands::range);
        ClusterAccess access = command.access(at.nodes().get());
        access.talk(
            steward ->
                StewardCommands.show(
                    access.ask(steward, new ClientRequest.AskDecisions(about), Decided.class),
                    json,
                    command::say));
        return ExitStatus.OK;
      }
      return command.with(
          cluster -> {
            Optional<RangeId> about =
                range == null
                    ? Optional.empty()
                    : Optional.of(RangeNames.of(cluster, command::say).asNamed(range));
            command.steward(cluster).decisions(about, json);
          });
    }
  }
}
