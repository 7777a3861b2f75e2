package org.ecstore.bench.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ecstore.bench.load.Pace;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What all measurements of a load can be told. */
final class LoadOptions {
  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Node processes to start; one has its ledger in files, several on bookies. ${DEFAULT-VALUE}.")
  int nodes;

  @Option(
      names = "--copies",
      paramLabel = "K",
      defaultValue = "3",
      description = "Copies of each range, as far as there are nodes. ${DEFAULT-VALUE}.")
  int copies;

  @Option(
      names = "--clients",
      paramLabel = "C",
      defaultValue = "40",
      description = "Threads that each do one operation at a time. ${DEFAULT-VALUE}.")
  int clients;

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "0",
      description = {
        "Open loop: so many operations are to begin each second, done or not, and each is timed"
            + " from then. Closed loop if not given."
      })
  double rate;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "How long to measure. ${DEFAULT-VALUE}.")
  double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "5",
      description = "For how long nothing is counted before. ${DEFAULT-VALUE}.")
  double warmUp;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      defaultValue = "session",
      description =
          "How fresh reads are: session, strong, local or bounded-MILLIS. ${DEFAULT-VALUE}.")
  String level = "";

  @Option(
      names = "--isolation",
      paramLabel = "I",
      defaultValue = "serializable",
      description = "What commits validate: serializable or snapshot. ${DEFAULT-VALUE}.")
  String isolation = "";

  @Option(
      names = "--heap",
      paramLabel = "MIB",
      defaultValue = "2048",
      description = "The heap of each node, in MiB. ${DEFAULT-VALUE}.")
  long heap;

  @Option(
      names = "--cache",
      paramLabel = "MIB",
      defaultValue = "1024",
      description = "The engine's cache of each node, within its heap, in MiB. ${DEFAULT-VALUE}.")
  long cache;

  @Option(
      names = "--collector",
      paramLabel = "GC",
      defaultValue = "ParallelGC",
      description = "The garbage collector of the nodes. ${DEFAULT-VALUE}.")
  String collector = "";

  @Option(
      names = "--connect",
      paramLabel = "HOST:PORT,...",
      description = "Measure a store that runs already, and start none.")
  @Nullable String connect;

  @Option(
      names = "--pids",
      split = ",",
      paramLabel = "PID",
      description = "With --connect: its processes on this machine, to count their processor time.")
  List<Long> pids = List.of();

  @Option(names = "--loaded", description = "With --connect: the records are there already.")
  boolean loaded;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where the nodes keep their data and logs, which then stay; a temporary directory if not given.")
  @Nullable Path directory;

  @Option(names = "--json", description = "Print one JSON object a result instead.")
  boolean json;

  Pace pace() {
    return new Pace(clients, rate, ofSeconds(warmUp), ofSeconds(seconds));
  }

  private static Duration ofSeconds(double value) {
    return Duration.ofNanos((long) (value * 1e9));
  }
}
