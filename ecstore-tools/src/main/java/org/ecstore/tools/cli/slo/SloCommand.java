package org.ecstore.tools.cli.slo;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore slo}: service-level objectives of a cluster. */
@Command(
    name = "slo",
    subcommands = {
      SetCommand.class,
      RemoveCommand.class,
      ObjectivesCommand.class,
      HistoryCommand.class
    },
    description = {
      "States what applications need of a cluster: service-level objectives.",
      "",
      "An objective is of an application: of some tables, or of clients that say its name"
          + " (EcStoreOptions.application). It states a load and the response time that is needed"
          + " under it. The cluster keeps its objectives, whichever of its nodes are there."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore slo set shop --tables users,orders --p99 20ms --rate 4000 --reads 95%% --dir data",
      "  ecstore slo set --file slo.toml --dir data",
      "  ecstore slo status --dir data",
      "  ecstore slo remove shop --dir data",
      "  ecstore slo history --dir data"
    })
public final class SloCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "slo what: set, status, remove, history?");
  }
}
