package org.ecstore.cluster.node;

/** What the process's exit status tells a script. */
public final class ExitStatus {
  /** Everything asked for was done, and every check passed. */
  public static final int OK = 0;

  /** A check found something: a violation, a lost record. */
  public static final int CHECK_FAILED = 1;

  /** The command line or a file given to it cannot be used. */
  public static final int BAD_INPUT = 2;

  /** ecStore itself failed. */
  public static final int BROKEN = 3;

  /** The node was started again elsewhere, and this process of it gave way. */
  public static final int GIVEN_WAY = 4;

  private ExitStatus() {}
}
