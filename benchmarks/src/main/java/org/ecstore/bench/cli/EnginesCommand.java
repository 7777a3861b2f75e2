package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.ecstore.bench.engines.EngineLoad;
import org.ecstore.bench.engines.EngineTurn.Phase;
import org.ecstore.bench.engines.EngineTurns;
import org.ecstore.engines.kind.EngineKind;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.server.print.LogText;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.EngineNames;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.tools.terminal.TerminalProgress;
import org.ecstore.wire.Limits;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench engines}. */
@Command(
    name = "engines",
    description = {
      "Measures engines side by side, in turns, without nodes.",
      "",
      "Kinds of engines that need no server: updates with folds beside them, scans of 100 rows"
          + " right after updates, and reads. Printed is the processor time of an operation,"
          + " everything that the engine does in the background included: the median of the"
          + " rounds, and the ratio to the first kind."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  ecstore bench engines --records 600000 --value 100 --cache 16"})
final class EnginesCommand implements Callable<Integer> {
  private static final long MEBI = 1 << 20;
  private static final long CACHE_MEBIBYTES_MAX = 1 << 20;
  private static final String JE = "je";
  private static final long RETENTION_NANOS = 2_000_000_000L;
  private static final double MICRO = 1e3;
  private static final int OPERATIONS_MAX = 1_000_000_000;
  private static final int ROUNDS_MAX = 1_000;
  private static final double PERCENT = 100;

  @Spec private CommandSpec spec;

  @Option(
      names = "--kinds",
      split = ",",
      defaultValue = "je,rocksdb",
      paramLabel = "KIND",
      completionCandidates = EngineNames.class,
      description =
          "Kinds of engines, those without a server of ${COMPLETION-CANDIDATES}"
              + " (${DEFAULT-VALUE}).")
  private List<String> kinds = List.of();

  @Option(names = "--records", defaultValue = "60000", description = "Keys (${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--value",
      defaultValue = "100",
      description = "Bytes of a value, 1 MiB at most (${DEFAULT-VALUE}).")
  private int valueBytes;

  @Option(
      names = "--cache",
      defaultValue = "16",
      description =
          "The cache of an engine in MiB, of je as much as this process's heap at most"
              + " (${DEFAULT-VALUE}).")
  private long cacheMebibytes;

  @Option(
      names = "--operations",
      defaultValue = "250000",
      description = "Operations of a phase (${DEFAULT-VALUE}).")
  private int operations;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      description = "Rounds after one that warms up (${DEFAULT-VALUE}).")
  private int rounds;

  @Option(names = "--json", description = "Print one JSON object a phase instead.")
  private boolean json;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionBounds.checkAtLeast("--records", records, 1);
    OptionBounds.checkBetween("--value", valueBytes, 1, Limits.VALUE_BYTES_MAX);
    OptionBounds.checkBetween("--operations", operations, 100, OPERATIONS_MAX);
    OptionBounds.checkBetween("--rounds", rounds, 1, ROUNDS_MAX);
    checkCache(kinds, cacheMebibytes, Runtime.getRuntime().maxMemory() / MEBI);
    EngineLoad load =
        new EngineLoad(records, valueBytes, cacheMebibytes * MEBI, operations, RETENTION_NANOS);
    List<EngineKind> engines = kinds.stream().distinct().map(this::kind).toList();
    EngineTurns turns;
    int steps = (rounds + 1) * engines.size();
    try (TemporaryDirectory directory = TemporaryDirectory.create("ecstore-engines");
        TerminalProgress bar = TerminalProgress.start("turns", steps)) {
      turns = EngineTurns.run(engines, directory.path(), load, rounds, () -> bar.step(1));
    }
    PrintWriter out = spec.commandLine().getOut();
    for (Phase phase : Phase.values()) {
      if (json) {
        out.println(toJson(turns, engines, phase));
      } else {
        print(out, turns, engines, phase);
      }
    }
    out.flush();
    return 0;
  }

  /** The cache of je is in the heap of this process, that of others is outside of it. */
  static void checkCache(List<String> kinds, long mebibytes, long heap) {
    boolean isWithin = kinds.contains(JE);
    long most = isWithin ? heap : CACHE_MEBIBYTES_MAX;
    if (mebibytes < 1 || mebibytes > most) {
      throw new BadInputException(
          "--cache must be from 1 to %d MiB%s, not %d"
              .formatted(most, isWithin ? ", the heap of this process" : "", mebibytes));
    }
  }

  private EngineKind kind(String name) {
    try {
      EngineKind kind = EngineKinds.named(name);
      if (kind.hasServer()) {
        throw new ParameterException(
            spec.commandLine(),
            "--kinds: \"" + name + "\" needs a server, and is not measured here");
      }
      return kind;
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(), "--kinds: " + LogText.of(String.valueOf(e.getMessage())), e);
    }
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static ObjectNode toJson(EngineTurns turns, List<EngineKind> engines, Phase phase) {
    ObjectNode node = new ObjectMapper().createObjectNode().put("phase", name(phase));
    for (EngineKind engine : engines) {
      node.put(engine.name() + " nanos", Math.round(turns.cpuNanos(engine, phase)));
      node.put(engine.name() + " collecting", turns.collecting(engine, phase));
    }
    return node;
  }

  private static void print(
      PrintWriter out, EngineTurns turns, List<EngineKind> engines, Phase phase) {
    out.printf(Locale.ROOT, "%-28s", name(phase));
    for (EngineKind engine : engines) {
      out.printf(
          Locale.ROOT,
          "  %s %7.1f us, gc %4.1f %%",
          engine.name(),
          turns.cpuNanos(engine, phase) / MICRO,
          turns.collecting(engine, phase) * PERCENT);
    }
    double first = turns.cpuNanos(engines.getFirst(), phase);
    for (EngineKind engine : engines.subList(1, engines.size())) {
      out.print("  ratio " + ratio(turns.cpuNanos(engine, phase), first));
    }
    out.println();
  }

  /** A phase of few operations may be over before the processor's clock has moved. */
  static String ratio(double nanos, double first) {
    return first > 0 && nanos > 0
        ? String.format(Locale.ROOT, "%.2f", nanos / first)
        : "unknown (too few operations)";
  }
}
