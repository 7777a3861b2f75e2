package org.ecstore.tools.cli.interrupt;

import org.ecstore.server.shutdown.ShutdownHooks;
import picocli.CommandLine;

/**
 * What a command says if its user interrupts it while this is open; and what it says else, beside
 * its result.
 */
public final class InterruptWords implements AutoCloseable {
  private final ShutdownHooks.Task task;

  private InterruptWords(ShutdownHooks.Task task) {
    this.task = task;
  }

  /** Says what is there, and what to do next, if it comes to that. */
  public static InterruptWords of(CommandLine command, String words) {
    return new InterruptWords(
        ShutdownHooks.at(ShutdownHooks.Step.FILES, () -> print(command, "interrupted: " + words)));
  }

  /** A line for the user; nothing where what fails fails by an interrupt. */
  public static void say(CommandLine command, String line) {
    if (!ShutdownHooks.hasBegun()) {
      print(command, line);
    }
  }

  private static void print(CommandLine command, String line) {
    command.getErr().println(line);
    command.getErr().flush();
  }

  /** The work is over; but what fails as its nodes were ended is interrupted all the same. */
  @Override
  public void close() {
    if (!ShutdownHooks.hasBegun()) {
      task.close();
    }
  }
}
