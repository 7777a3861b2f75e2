package org.ecstore.tools.cli;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.cluster.database.Programs;
import org.ecstore.server.shutdown.ShutdownHooks;

/** {@code bin/judge-history}, which shares no code with ecStore and needs Python. */
final class HistoryJudge {
  /** The script that starts this process says where the judge is. */
  private static final String PROPERTY = "ecstore.judge";

  private static final String PYTHON = "python3";

  private final Optional<Path> python;
  private final Optional<Path> program;

  /**
   * A judge.
   *
   * @param python what runs it; absent if there is none
   * @param program where it is; absent if that is not known
   */
  HistoryJudge(Optional<Path> python, Optional<Path> program) {
    this.python = python;
    this.program = program;
  }

  /** That of this checkout, by the Python of this machine. */
  static HistoryJudge here() {
    return new HistoryJudge(
        Programs.find(PYTHON), Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of));
  }

  /** As a user runs it. */
  static String command(Path history) {
    return "bin/judge-history " + history;
  }

  /** Why it cannot look at a history; absent if it can. */
  Optional<String> hindrance(Path history) {
    if (python.isEmpty()) {
      return Optional.of("there is no python3 on the PATH");
    }
    if (program.filter(Files::isRegularFile).isEmpty()) {
      return Optional.of("it is not known where it is: start this by bin/ecstore");
    }
    return Files.exists(history) ? Optional.empty() : Optional.of("there is no history");
  }

  /**
   * Looks at a history that nothing hinders it to look at.
   *
   * @param said hears each line of what it says
   * @return its exit status: 0 if it found nothing
   */
  int judge(Path history, Consumer<String> said) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                python.orElseThrow().toString(),
                program.orElseThrow().toString(),
                history.toString())
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true);
    try (ShutdownHooks.Child child = ShutdownHooks.child(builder);
        BufferedReader lines = child.process().inputReader(StandardCharsets.UTF_8)) {
      lines.lines().forEach(said);
      return child.process().waitFor();
    }
  }
}
