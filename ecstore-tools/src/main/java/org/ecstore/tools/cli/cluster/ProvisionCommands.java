package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code ecstore cluster provision}: nodes that the controller adds and removes. */
@Command(
    name = "provision",
    description = {
      "Adds and removes nodes for the controller of the cluster.",
      "",
      "This is the command that up --slo gives to its nodes as provisioner.command; people use add,"
          + " and drain with kill. Given again it does nothing more, and several at once wait for"
          + " each other."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore cluster provision add 4 --dir data",
      "  ecstore cluster provision remove 4 --dir data"
    })
final class ProvisionCommands implements Runnable {
  /** What fits into the name of a directory. */
  private static final int NODE_MAX = 999_999;

  @ParentCommand private @Nullable ClusterCommand parent;
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "cluster provision what: add, remove?");
  }

  private static void check(int node) {
    if (node < 1 || node > NODE_MAX) {
      throw new BadInputException("a node's number is from 1 to " + NODE_MAX + ", not " + node);
    }
  }

  @Command(
      name = "add",
      description = {
        "Sees to it that a node runs, and returns when it answers.",
        "",
        "It is made like the first node of the cluster, with the engine that all have, or je where"
            + " they have several kinds. If it is there already this says so, and the exit status"
            + " is 0. A node that was removed does not come back, and a cluster of which no node"
            + " runs gets none."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore cluster provision add 4 --dir data"})
  int add(@Parameters(paramLabel = "N", description = "Its number.") int node)
      throws IOException, InterruptedException {
    check(node);
    ClusterCommand command = ClusterCommand.of(parent);
    command.with(
        cluster ->
            command.say(
                cluster.provide(node, command::say)
                    ? "node " + node + " runs on " + cluster.address(node)
                    : "node " + node + " is there already"));
    return ExitStatus.OK;
  }

  @Command(
      name = "remove",
      description = {
        "Ends a node that has nothing any more, and returns when it has gone.",
        "",
        "One that has ranges or copies of them is refused, and one without which ZooKeeper or the"
            + " ledger would lack something. Its directory stays; up leaves the node out."
      },
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore cluster provision remove 4 --dir data"})
  int remove(@Parameters(paramLabel = "N", description = "Its number.") int node)
      throws IOException, InterruptedException {
    check(node);
    ClusterCommand command = ClusterCommand.of(parent);
    command.with(
        cluster ->
            command.say(
                cluster.dismiss(node, command::say)
                    ? "node " + node + " has gone"
                    : "node " + node + " had gone already"));
    return ExitStatus.OK;
  }
}
