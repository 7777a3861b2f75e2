package org.ecstore.tools.cli.qos;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore qos}: performance tables, plans by them, and what the controller does. */
@Command(
    name = "qos",
    subcommands = {
      PlanCommand.class,
      TableCommand.class,
      ModeCommand.class,
      ControlStatusCommand.class,
      AnswerCommands.Approve.class,
      AnswerCommands.Reject.class
    },
    description = {
      "Says how many nodes an application needs, by tables of what clusters were measured to do,"
          + " and what a cluster does to keep what applications are promised.",
      "",
      "A performance table has a row for each number of clients and a column for each number of"
          + " nodes; docs/planning.md says how its files look.",
      "",
      "The controller is the part of the leading node that looks whether guarantees (slo set) are"
          + " kept. Where one is violated in half of the checks of a window it limits applications"
          + " of best effort, moves primaries, makes hot-spot replicas from fewer reads on, or adds a"
          + " node: the first that is predicted to do. Where all are kept it takes that back. How far"
          + " it may go is its mode."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore qos plan --table FILE --clients 384 --response-time 40ms",
      "  ecstore qos table FILE",
      "  ecstore qos table use FILE --dir data",
      "  ecstore qos mode ask --nodes-max 5 --dir data",
      "  ecstore qos status --dir data",
      "  ecstore qos approve 7 --dir data"
    })
public final class QosCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "qos what: " + String.join(", ", spec.subcommands().keySet()) + "?");
  }
}
