package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** What {@code ecstore cluster} does with ranges. */
final class RangeCommands {
  private RangeCommands() {}

  /** {@code ecstore cluster split}. */
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
  static final class Split implements Callable<Integer> {
    @Parameters(
        paramLabel = "RANGE",
        description = "As in status: r7; or a key in it, as in the shell: \"(users, m)\".")
    private String range = "";

    @Option(
        names = "--at",
        paramLabel = "KEY",
        description =
            "The first key of the upper range, as in the shell: (users, m), text, or x'0aff'.")
    private @Nullable String at;

    @ParentCommand private @Nullable ClusterCommand parent;

    @Override
    public Integer call() throws IOException, InterruptedException {
      Optional<Bytes> key = Optional.ofNullable(at).map(text -> StewardCommands.key("--at", text));
      return ClusterCommand.of(parent)
          .adminRequest(ranges -> new AdminRequest.Split(ranges.find(range), key));
    }
  }

  /** {@code ecstore cluster merge}. */
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
  static final class Merge implements Callable<Integer> {
    @Parameters(
        index = "0",
        paramLabel = "RANGE",
        description = "As in status: r7; or a key in it.")
    private String one = "";

    @Parameters(
        index = "1",
        paramLabel = "RANGE",
        description = "The one before or after it, or a key in it.")
    private String other = "";

    @ParentCommand private @Nullable ClusterCommand parent;

    @Override
    public Integer call() throws IOException, InterruptedException {
      return ClusterCommand.of(parent)
          .adminRequest(ranges -> new AdminRequest.Merge(ranges.find(one), ranges.find(other)));
    }
  }

  /** {@code ecstore cluster move}. */
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
  static final class Move implements Callable<Integer> {
    @Parameters(
        index = "0",
        paramLabel = "RANGE",
        description = "As in status: r7; or a key in it, as in the shell: \"(users, m)\".")
    private String range = "";

    @Parameters(index = "1", paramLabel = "NODE", description = "The node to move it to: 3 or n3.")
    private String node = "";

    @Option(
        names = "--secondary",
        paramLabel = "NODE",
        description = "Move the secondary copy that is on this node, not the primary one.")
    private @Nullable String from;

    @ParentCommand private @Nullable ClusterCommand parent;

    @Override
    public Integer call() throws IOException, InterruptedException {
      NodeId to = StewardCommands.node(node);
      Optional<NodeId> source = Optional.ofNullable(from).map(StewardCommands::node);
      return ClusterCommand.of(parent)
          .adminRequest(ranges -> new AdminRequest.Move(ranges.find(range), to, source));
    }
  }
}
