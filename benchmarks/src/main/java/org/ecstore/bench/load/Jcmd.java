package org.ecstore.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.server.shutdown.ShutdownHooks;

/** Asks another Java process of this user something, by the program {@code jcmd} of this Java. */
final class Jcmd {
  private static final long SECONDS_MAX = 60;

  private Jcmd() {}

  /** What it says; absent of a process that is not Java's, or gone, or does not answer. */
  static Optional<List<String>> ask(long pid, String... words) throws InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      return Optional.empty();
    }
    List<String> command = new ArrayList<>(List.of(jcmd.toString(), Long.toString(pid)));
    command.addAll(List.of(words));
    try {
      // Into a file: who asks of itself stands still meanwhile, and could not empty a pipe.
      try (TemporaryDirectory directory = TemporaryDirectory.create("ecstore-jcmd")) {
        Path said = directory.path().resolve("said.txt");
        ProcessBuilder builder =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
        try (ShutdownHooks.Child run = ShutdownHooks.child(builder)) {
          Process process = run.process();
          boolean ended = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
          return ended && process.exitValue() == 0
              ? Optional.of(Files.readAllLines(said))
              : Optional.empty();
        }
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
