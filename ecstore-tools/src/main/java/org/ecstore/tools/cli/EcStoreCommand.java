package org.ecstore.tools.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The top of the command line: without a command it shows what there is. */
@Command(
    name = "ecstore",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "A transactional, range-partitioned, elastic store for the JVM.",
      "",
      "Keys are kept in order and cut into ranges; each range lives on a node. A transaction may "
          + "touch keys of any ranges: it commits as a whole or not at all."
    },
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:Done, and every check passed.",
      "1:A check found something: a violation, a lost record.",
      "2:The command line, or a file it names, cannot be used.",
      "3:ecStore itself failed, where --debug shows; or results could not be written."
    })
final class EcStoreCommand implements Runnable {
  /** What a newcomer begins with. */
  static final String[] EXAMPLES = {
    "  ecstore quickstart                         shows what it does, in one process",
    "  ecstore cluster up --dir data --nodes 3    makes a cluster of processes",
    "  ecstore shell --dir data                   reads and writes it",
    "  ecstore cluster down --dir data            ends it; its data stay",
    "  ecstore cluster up --help                  what a command does, and how"
  };

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Log what is done, and show stack traces.")
  private boolean debug;

  @Spec private CommandSpec spec;

  /** Whether the user wants to see where things went wrong. */
  boolean debug() {
    return debug;
  }

  @Override
  public void run() {
    throw new picocli.CommandLine.ParameterException(spec.commandLine(), "which command?");
  }
}
