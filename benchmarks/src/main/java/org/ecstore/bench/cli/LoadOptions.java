package org.ecstore.bench.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ecstore.bench.load.Pace;
import org.ecstore.bench.peer.local.Durability;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What all measurements of a load can be told. */
final class LoadOptions extends NodeOptions.OfOneNumber {
  /** For a command that measures ecStore only. */
  static final List<String> OF_OTHER_STORES = List.of("--store", "--durability", "--peers-dir");

  static final double SECONDS_MIN = 0.01;
  static final String SPANS = "--seconds is from 0.01 to 604800, a week, and --warm-up from 0";
  private static final double SECONDS_MAX = 604_800;
  private static final double RATE_MAX = 10_000_000;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = Stores.ECSTORE,
      description = {
        "What to measure: ecstore, cassandra (one node), cassandra-ordered (one node, keys in their"
            + " own order), cassandra3 (three nodes, QUORUM), mariadb, redis or echo (no store). Others than ecstore"
            + " are started from the PATH or from Maven artifacts, and say so where they cannot be."
            + " ${DEFAULT-VALUE}."
      })
  String store = Stores.ECSTORE;

  @Option(
      names = "--durability",
      paramLabel = "D",
      description = {
        "When a store other than ecstore, which syncs every commit, syncs to disk: commit"
            + " or periodic. As it comes if not given: commit of mariadb, periodic of cassandra and"
            + " redis."
      })
  @Nullable Durability durability;

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
      names = "--repeat",
      paramLabel = "N",
      defaultValue = "1",
      description = {
        "Measure each workload so often, a result each time. If more than once, each says too what"
            + " the objects of each server take after a full collection: a soak test is, say,"
            + " --seconds 60 --repeat 20. ${DEFAULT-VALUE}."
      })
  int repeat;

  @Option(
      names = "--pauses",
      description =
          "Say too how often and for how long each server that is Java's was stopped for"
              + " collections of garbage, from the end of the warm-up on.")
  boolean pauses;

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
          "Where the nodes keep their data and logs, which then stay; a temporary directory if not"
              + " given.")
  @Nullable Path directory;

  @Option(names = "--json", description = "Print one JSON object a result instead.")
  boolean json;

  static boolean isSpan(double seconds, double least) {
    return seconds >= least && seconds <= SECONDS_MAX;
  }

  /** What is wrong with them; empty if nothing is. */
  @Override
  String wrong() {
    if (!Stores.names().contains(store)) {
      return "no store " + store + "; there are " + Stores.names();
    }
    if (clients < 1 || clients > 10_000) {
      return "--clients is from 1 to 10000, not " + clients;
    }
    if (!isSpan(seconds, SECONDS_MIN) || !isSpan(warmUp, 0)) {
      return SPANS;
    }
    if (!(rate >= 0 && rate <= RATE_MAX)) {
      return "--rate is from 0, for none, to 10000000 a second";
    }
    if (repeat < 1) {
      return "--repeat is at least 1";
    }
    if (connect == null && (loaded || !pids.isEmpty())) {
      return (loaded ? "--loaded" : "--pids") + " is for a store that runs: give --connect too";
    }
    List<Long> gone = pids.stream().filter(pid -> ProcessHandle.of(pid).isEmpty()).toList();
    if (!gone.isEmpty()) {
      return "--pids: no process " + gone + " runs on this machine";
    }
    return super.wrong();
  }

  Pace pace() {
    return new Pace(clients, rate, ofSeconds(warmUp), ofSeconds(seconds));
  }

  private static Duration ofSeconds(double value) {
    return Duration.ofNanos((long) (value * 1e9));
  }
}
