package org.ecstore.bench.cli.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.tools.cli.interrupt.InterruptWords;
import org.ecstore.tools.terminal.PhaseBars;
import picocli.CommandLine;

/**
 * The directory of a command that measures one thing and leaves its result there: {@value #RESULT},
 * {@value #TEXT} and plots. While it measures, its nodes are in {@value #WORK}, a {@link
 * WorkDirectory}, which stays where something was not as it should be.
 */
public final class ResultFiles {
  /** The result as one JSON object. */
  public static final String RESULT = "result.json";

  /** The same as text. */
  public static final String TEXT = "result.txt";

  /** Where nodes are meanwhile. */
  static final String WORK = "work";

  /** What is measured. */
  public interface Measurement<T> {
    /**
     * Measures it.
     *
     * @param work for its cluster; is there
     */
    T run(Path work, PhaseBars bars) throws IOException, InterruptedException;
  }

  private final CommandLine command;
  private final Path directory;
  private final String next;

  /** Of a command, in a directory that is empty or not there. */
  public ResultFiles(CommandLine command, Path directory) {
    this(command, directory, "another run takes another --out");
  }

  /**
   * Of a command that may find there what it left.
   *
   * @param next what its user does when it was interrupted
   */
  public ResultFiles(CommandLine command, Path directory, String next) {
    this.command = command;
    this.directory = directory;
    this.next = next;
  }

  private WorkDirectory work() {
    return new WorkDirectory(directory.resolve(WORK));
  }

  /** Measures, while no other command has the directory. */
  public <T> T measured(Measurement<T> measurement) throws IOException, InterruptedException {
    try (DirectoryLock _ = DirectoryLock.acquireForOnce(directory);
        InterruptWords _ =
            InterruptWords.of(
                command,
                "there is no result; what is there so far is in %s: %s"
                    .formatted(directory, next));
        PhaseBars bars = new PhaseBars()) {
      WorkDirectory work = work();
      work.make();
      return measurement.run(work.path(), bars);
    }
  }

  /** A line for the user, beside the result; nothing where what fails fails by an interrupt. */
  public void say(String line) {
    InterruptWords.say(command, line);
  }

  /**
   * Writes the result, and prints it.
   *
   * @param plots that were drawn, by their names
   * @param lines the result as text
   * @param json whether it is printed as one line instead
   * @param others what is in the directory beside the result, for people
   * @return the exit status
   */
  public int end(
      ObjectNode result,
      List<String> plots,
      List<String> lines,
      boolean isGood,
      boolean json,
      String others)
      throws IOException {
    plots.forEach(result.putArray("plots")::add);
    Files.writeString(directory.resolve(RESULT), result.toPrettyString() + "\n");
    Files.writeString(directory.resolve(TEXT), String.join("\n", lines) + "\n");
    if (isGood) {
      work().delete();
    }
    PrintWriter out = command.getOut();
    if (json) {
      out.println(result);
    } else {
      lines.forEach(out::println);
      out.println("  in " + directory + ": " + RESULT + ", " + others);
    }
    out.flush();
    return isGood ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }
}
