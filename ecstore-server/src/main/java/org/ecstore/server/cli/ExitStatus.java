package org.ecstore.server.cli;

/** What the process's exit status tells a script. */
final class ExitStatus {
  /** Everything asked for was done, and every check passed. */
  static final int OK = 0;

  /** A check found something: a violation, a lost record. */
  static final int CHECK_FAILED = 1;

  /** The command line or a file given to it cannot be used. */
  static final int BAD_INPUT = 2;

  /** ecStore itself failed. */
  static final int BROKEN = 3;

  private ExitStatus() {}
}
