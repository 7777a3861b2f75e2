package org.ecstore.tools.cli.qos;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore qos}: performance tables, and plans by them. */
@Command(
    name = "qos",
    subcommands = {PlanCommand.class, TableCommand.class},
    description = {
      "Says how many nodes an application needs, by tables of what clusters were measured to do.",
      "",
      "A performance table has a row for each number of clients and a column for each number of"
          + " nodes; docs/qos.md says how its files look."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore qos plan --table FILE --clients 384 --response-time 40ms",
      "  ecstore qos table FILE"
    })
public final class QosCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "qos what: " + String.join(", ", spec.subcommands().keySet()) + "?");
  }
}
