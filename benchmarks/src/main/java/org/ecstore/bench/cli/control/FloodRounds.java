package org.ecstore.bench.cli.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ecstore.bench.cli.options.ResultFiles;
import org.ecstore.bench.control.Interference;
import org.ecstore.bench.control.QosOutcome;
import org.ecstore.bench.control.QosPlots;
import org.ecstore.bench.control.QosPlots.Stored;
import org.ecstore.bench.control.QosRun;
import org.ecstore.bench.control.QosRunSettings;
import org.ecstore.tools.quickstart.Progress;

/**
 * Runs a flood with the controller and without it, in turns: each of both begins every other round.
 * Each run leaves its result, samples and plots in a directory of its own.
 */
final class FloodRounds {
  private final QosRunSettings settings;
  private final Path directory;
  private final Consumer<String> say;

  /**
   * Of runs of some settings.
   *
   * @param directory for their directories
   * @param say hears what happens
   */
  FloodRounds(QosRunSettings settings, Path directory, Consumer<String> say) {
    this.settings = settings;
    this.directory = directory;
    this.say = say;
  }

  /** Runs so many with the controller and as many without it. */
  Interference run(int rounds, Path work, Progress progress)
      throws IOException, InterruptedException {
    List<Interference.Round> all = new ArrayList<>();
    for (int round = 1; round <= rounds; round++) {
      boolean actsFirst = round % 2 == 1;
      all.add(run(round, actsFirst, work, progress));
      all.add(run(round, !actsFirst, work, progress));
    }
    return new Interference(settings, all);
  }

  private Interference.Round run(int round, boolean acts, Path work, Progress progress)
      throws IOException, InterruptedException {
    String name = "round-%d-%s".formatted(round, acts ? "acts" : "frozen");
    say.accept(name);
    Path own = Files.createDirectories(directory.resolve(name));
    QosOutcome outcome =
        new QosRun(settings.withActs(acts), own, progress, say)
            .run(Files.createDirectories(work.resolve(name)));
    Files.writeString(own.resolve(ResultFiles.RESULT), outcome.json().toPrettyString() + "\n");
    QosPlots.draw(Stored.of(outcome), own);
    return new Interference.Round(round, acts, name, outcome);
  }
}
