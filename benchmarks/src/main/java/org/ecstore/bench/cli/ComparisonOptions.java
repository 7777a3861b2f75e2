package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.ecstore.bench.compare.ClientProcess;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How stores are measured side by side. */
final class ComparisonOptions {
  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often each store is measured. ${DEFAULT-VALUE}.")
  int rounds;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "200000",
      description = "How many records of 1000 bytes each store holds. ${DEFAULT-VALUE}.")
  long records;

  @Option(
      names = "--clients",
      paramLabel = "C",
      defaultValue = "40",
      description = "Threads of a client process, where a workload does not say. ${DEFAULT-VALUE}.")
  int clients;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "How long each measurement counts. ${DEFAULT-VALUE}.")
  double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "12",
      description = "For how long each measurement runs before. ${DEFAULT-VALUE}.")
  double warmUp;

  @Option(
      names = "--settle",
      paramLabel = "S",
      defaultValue = "3",
      description = "How long a store runs again before it is measured. ${DEFAULT-VALUE}.")
  double settle;

  @Option(
      names = "--prepare",
      paramLabel = "S",
      defaultValue = "15",
      description =
          "For how long each workload runs once on a store just loaded. ${DEFAULT-VALUE}.")
  double prepare;

  @Option(
      names = "--distribution",
      paramLabel = "D",
      description =
          "Of the keys asked for: zipfian or uniform. If not given, zipfian for YCSB's and uniform"
              + " for friends.")
  @Nullable String distribution;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Of the order in which stores are measured. ${DEFAULT-VALUE}.")
  long seed;

  @Option(
      names = "--json",
      description = "Print one JSON object instead: medians, ratios and all results.")
  boolean json;

  /** What is wrong with them; empty if nothing is. */
  String wrong() {
    if (rounds < 1) {
      return "--rounds is at least 1";
    }
    if (records < 2) {
      return "--records is at least 2";
    }
    if (clients < 1 || clients > 10_000) {
      return "--clients is from 1 to 10000, not " + clients;
    }
    boolean areSpans =
        LoadOptions.isSpan(seconds, LoadOptions.SECONDS_MIN)
            && LoadOptions.isSpan(warmUp, 0)
            && LoadOptions.isSpan(settle, 0)
            && LoadOptions.isSpan(prepare, 0);
    return areSpans ? "" : LoadOptions.SPANS + "; --settle and --prepare as --warm-up";
  }

  /** Says them in a result. */
  void describe(ObjectNode settings) {
    settings.put("records", records).put("rounds", rounds).put("seed", seed);
    settings.put("seconds", seconds).put("warmUpSeconds", warmUp);
    settings.put("settleSeconds", settle).put("prepareSeconds", prepare);
    ArrayNode flags = settings.putArray("clientFlags");
    ClientProcess.FLAGS.forEach(flags::add);
    settings.put("processors", Runtime.getRuntime().availableProcessors());
    settings.put("java", Runtime.version().toString());
    settings.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
  }
}
