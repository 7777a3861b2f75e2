package org.ecstore.bench.cli;

import org.ecstore.tools.cli.MoreCommands;

/** Adds {@code bench} to the command line. */
public final class BenchCommands implements MoreCommands {
  /** Called by the service loader. */
  public BenchCommands() {}

  @Override
  public Object command() {
    return BenchCommand.commandLine();
  }
}
