package org.ecstore.tools.cli;

import java.util.Optional;

/**
 * A command of a module above this one, found by the service loader, so that one command line has
 * them all.
 */
public interface MoreCommands {
  /** The command, as picocli takes it. */
  Object command();

  /** The command here whose subcommand it is; absent if it stands for itself. */
  default Optional<String> group() {
    return Optional.empty();
  }
}
