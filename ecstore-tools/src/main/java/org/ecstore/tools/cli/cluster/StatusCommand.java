package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.ClusterLook;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.tools.hosts.NameLookup;
import org.ecstore.tools.hosts.SharedAddresses;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.Screen;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ecstore cluster status}: how nodes are, and the copies of ranges. */
@Command(
    name = "status",
    description = {
      "Shows how each node is, and the copies of each range.",
      "",
      "A copy is away where the map names a node for it that is down or does not know of it yet."
          + " Lines below the table say which ranges have no copy left, and so are unavailable"
          + " until one of their nodes is back; which have fewer copies than there should be; and"
          + " which are served by another node than the one they belong to. The last lines say"
          + " which nodes count as on several hosts, by their names, and are at one address: see"
          + " node.host.",
      "",
      "A position is that of a record in the commit ledger: what a node knows of it, and up to"
          + " where a copy has all that was written to its range.",
      "",
      "At a terminal long columns are clipped to its width; keys are shown as the shell takes"
          + " them.",
      "",
      "With --at it is shown what nodes say of themselves, wherever they run: a node that is down"
          + " is none of them, and a range has too few copies if another one has more."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore cluster status --dir data",
      "  ecstore cluster status --dir data --range r7",
      "  ecstore cluster status --dir data --key \"(users, m)\"",
      "  ecstore cluster status --dir data --json",
      "  ecstore cluster status --at 10.0.0.1,10.0.0.2"
    })
final class StatusCommand implements Callable<Integer> {
  /** With a second for what else the command does, an operator has an answer within three. */
  private static final Duration LOOK_WITHIN = Duration.ofSeconds(2);

  private static final Duration LOOKUP_WITHIN = Duration.ofMillis(500);

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Option(
      names = "--range",
      paramLabel = "RANGE",
      description = "Only the copies of this range: r7. Or a key in it.")
  private @Nullable String range;

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description = "Only this node and the copies on it: 3 or n3.")
  private @Nullable String node;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "Only the range of this key, given as in the shell: (users, m), text, or x'0aff'.")
  private @Nullable String key;

  @Mixin private ClusterCommand.At at = new ClusterCommand.At();
  @ParentCommand private @Nullable ClusterCommand parent;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (json && (range != null || node != null || key != null)) {
      throw new BadInputException("--json is of everything: leave --range, --node and --key out");
    }
    Optional<Long> only = Optional.ofNullable(node).map(StewardCommands::node).map(NodeId::value);
    Optional<Bytes> holding =
        Optional.ofNullable(key).map(text -> StewardCommands.key("--key", text));
    ClusterCommand command = ClusterCommand.of(parent);
    if (at.nodes().isPresent()) {
      command
          .access(at.nodes().get())
          .at(
              line -> {
                ClusterLook seen = line.look(LOOK_WITHIN);
                RangeNames ranges = RangeNames.of(seen, line, command::say);
                show(command, seen, seen.copiesMost(), filter(ranges, only, holding));
              });
      return ExitStatus.OK;
    }
    return command.with(
        cluster -> {
          StatusFilter filter =
              range == null
                  ? new StatusFilter(Optional.empty(), only, holding)
                  : filter(RangeNames.of(cluster, command::say), only, holding);
          show(command, cluster.look(LOOK_WITHIN), cluster.copies(), filter);
          if (!json && filter.isAll()) {
            sayChanges(command, cluster);
          }
        });
  }

  /** The nodes between two engines: after an interruption a copy is missing until that is over. */
  private static void sayChanges(ClusterCommand command, ProcessCluster cluster)
      throws IOException {
    for (int node : cluster.nodes()) {
      cluster
          .engines()
          .underWay(node)
          .ifPresent(
              change ->
                  command.say(
                      ("  node %d: a change of its engine %s is under way; if no command is at it,"
                              + " it was interrupted: give change-engine again, or the way back")
                          .formatted(node, change)));
    }
  }

  private StatusFilter filter(RangeNames ranges, Optional<Long> only, Optional<Bytes> holding)
      throws IOException {
    String named = range;
    return new StatusFilter(
        named == null ? Optional.empty() : Optional.of(ranges.find(named)), only, holding);
  }

  private void show(ClusterCommand command, ClusterLook seen, int copies, StatusFilter filter)
      throws InterruptedException {
    if (json) {
      command.say(ClusterTable.json(seen.nodes(), seen.map(), copies, seen.sequencer()).toString());
    } else {
      ClusterTable.lines(seen.nodes(), seen.map(), copies, filter, Screen.width())
          .forEach(command::say);
      if (seen.map().isPresent() && filter.isAll()) {
        new SharedAddresses(NameLookup.within(LOOKUP_WITHIN))
            .warnings(seen.map().get())
            .forEach(warning -> command.say("  " + warning));
      }
    }
  }
}
