package org.ecstore.engines;

import java.nio.file.Path;

/** The engine's directory is in use: by another process, or by another engine of this one. */
public final class EngineLockedException extends EngineOpenException {
  private EngineLockedException(Path directory, String message) {
    super(directory, message);
  }

  private EngineLockedException(Path directory, String message, Throwable cause) {
    super(directory, message, cause);
  }

  /** Another process has it open. */
  public static EngineLockedException byAnotherProcess(Path directory, Throwable cause) {
    return new EngineLockedException(
        directory,
        "directory "
            + directory
            + " is in use by another process; stop that one, or give this one a directory of its"
            + " own",
        cause);
  }

  /** This process has it open already. */
  public static EngineLockedException byThisProcess(Path directory) {
    return new EngineLockedException(
        directory,
        "directory "
            + directory
            + " is in use by this process; close that engine, or give this one a directory of its"
            + " own");
  }
}
