package org.ecstore.tools.cli;

/**
 * A command of a module above this one, found by the service loader, so that one command line has
 * them all.
 */
public interface MoreCommands {
  /** The command, as picocli takes it. */
  Object command();
}
