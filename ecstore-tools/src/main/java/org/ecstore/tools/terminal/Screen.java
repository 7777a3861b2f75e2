package org.ecstore.tools.terminal;

import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** How much room there is for a line of a table. */
public final class Screen {
  private static final int ANSWER_SECONDS = 1;

  private Screen() {}

  /**
   * The characters of a line of the terminal; no limit where the output goes elsewhere. The
   * system's own command is asked: a terminal library would ask the terminal, whose answers are
   * typed into what comes after a command that ends at once.
   */
  public static int width() throws InterruptedException {
    if (!Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false)) {
      return Integer.MAX_VALUE;
    }
    try {
      Process asked =
          new ProcessBuilder("stty", "size")
              .redirectInput(ProcessBuilder.Redirect.INHERIT)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!asked.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) {
        asked.destroyForcibly();
        return Integer.MAX_VALUE;
      }
      return columns(new String(asked.getInputStream().readAllBytes(), StandardCharsets.US_ASCII));
    } catch (IOException _) {
      // There is no such command: lines are as long as they are.
      return Integer.MAX_VALUE;
    }
  }

  /** Of the answer, rows and columns; no limit if it is none. */
  public static int columns(String size) {
    String[] parts = size.strip().split(" ", -1);
    boolean isSize = parts.length == 2 && parts[1].matches("[1-9][0-9]{0,4}");
    return isSize ? Integer.parseInt(parts[1]) : Integer.MAX_VALUE;
  }
}
