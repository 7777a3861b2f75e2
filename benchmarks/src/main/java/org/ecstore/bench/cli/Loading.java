package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.load.GcPauses;
import org.ecstore.bench.load.LiveHeap;
import org.ecstore.bench.load.LoadRun;
import org.ecstore.bench.load.Measured;
import org.ecstore.bench.load.Pace;
import org.ecstore.bench.load.ParallelInserts;
import org.ecstore.bench.report.LoadReport;
import org.ecstore.bench.store.Target;
import org.ecstore.cluster.database.ServerUnavailableException;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.terminal.TerminalProgress;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The course of a measurement: a store, its records, then the load; for all commands that do so.
 */
final class Loading {
  private final LoadOptions options;
  private final CommandSpec spec;

  Loading(LoadOptions options, CommandSpec spec) {
    this.options = options;
    this.spec = spec;
  }

  /** What is measured, one workload after the other on the same records. */
  interface Measurement extends AutoCloseable {
    /** Puts records into the store; called by several threads at once, until all are there. */
    void insert(Runnable inserted) throws Exception;

    /** The workloads. */
    List<Part> parts();

    /** Looks at the store after a workload; may add to its result. */
    default Found check(ObjectNode result) {
      return new Found(true, List.of());
    }

    @Override
    default void close() {}
  }

  /**
   * What was found in a store after a workload.
   *
   * @param good whether all is as it must be
   * @param lines for people
   */
  record Found(boolean good, List<String> lines) {}

  /**
   * A workload with a name.
   *
   * @param details as {@link LoadReport.Work} has them
   */
  record Part(String name, org.ecstore.bench.load.Load load, Map<String, String> details) {}

  /** What to measure on a store. */
  interface Plan {
    Measurement on(Target target) throws Exception;
  }

  /** Measures, and prints each result; returns the exit status. */
  int run(long records, List<Bytes> splitHints, Plan plan) throws Exception {
    check();
    // YCSB says things on standard output, which is for results.
    PrintStream said = System.out;
    System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
    try {
      if (options.connect != null) {
        return run(records, target(Path.of(""), splitHints), plan);
      }
      try (TemporaryDirectory temporary = TemporaryDirectory.create("ecstore-bench")) {
        return run(records, target(temporary.path(), splitHints), plan);
      }
    } finally {
      System.setOut(said);
    }
  }

  private int run(long records, Target store, Plan plan) throws Exception {
    try (store;
        Measurement measurement = plan.on(store)) {
      if (!options.loaded) {
        load(measurement, records);
      }
      boolean good = true;
      for (Part part : measurement.parts()) {
        for (int repetition = 1; repetition <= options.repeat; repetition++) {
          List<String> stops = new ArrayList<>();
          ObjectNode result =
              options.pauses
                  ? measureWithPauses(store, part, records, stops)
                  : measure(store, part, records);
          Found found = measurement.check(result);
          List<String> lines = new ArrayList<>(found.lines());
          lines.addAll(stops);
          if (options.repeat > 1) {
            result.put("repetition", repetition);
            lines.addAll(heaps(store, result));
          }
          print(result, lines);
          good &=
              found.good()
                  && result.path("errors").asLong() == 0
                  && result.path("undone").asLong() == 0;
        }
      }
      return good ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
    }
  }

  /** Adds what the servers' objects take to a result; says it for people too. */
  private static List<String> heaps(Target target, ObjectNode result) throws InterruptedException {
    ArrayNode heaps = result.putArray("liveHeapBytes");
    List<String> texts = new ArrayList<>();
    for (long process : target.processes()) {
      LiveHeap.of(process)
          .ifPresent(
              bytes -> {
                heaps.add(bytes);
                texts.add("%,.1f".formatted(bytes / 1048576.0));
              });
    }
    String disk = "%,d MiB on disk".formatted(result.path("bytesOnDisk").asLong() >> 20);
    return texts.isEmpty()
        ? List.of(disk)
        : List.of("live objects: " + String.join(", ", texts) + " MiB; " + disk);
  }

  private void check() {
    String wrong = options.wrong();
    if (wrong.isEmpty() && (options.connect != null || !options.store.equals(Stores.ECSTORE))) {
      wrong =
          NodeOptions.OF_NODES.stream()
              .filter(option -> spec.commandLine().getParseResult().hasMatchedOption(option))
              .findFirst()
              .map(option -> option + " is for nodes of ecstore that are started here")
              .orElse("");
    }
    if (!wrong.isEmpty()) {
      throw new ParameterException(spec.commandLine(), wrong);
    }
  }

  /** What has to be measured, as it runs. */
  private Target target(Path temporary, List<Bytes> splitHints)
      throws IOException, InterruptedException, ServerUnavailableException {
    try {
      return new Stores(options, options.nodes, spec).target(options, temporary, splitHints);
    } catch (ServerUnavailableException e) {
      if (options.json) {
        spec.commandLine().getOut().println(Stores.unavailable(options.store, e));
        spec.commandLine().getOut().flush();
      }
      if (options.connect != null) {
        throw new ParameterException(
            spec.commandLine(),
            options.store + " is not available: --connect: " + e.getMessage(),
            e);
      }
      throw new ServerUnavailableException(
          options.store + " is not available: " + e.getMessage(), e);
    }
  }

  private static void load(Measurement measurement, long records) throws InterruptedException {
    try (TerminalProgress bar = TerminalProgress.start("loading", records)) {
      ParallelInserts.run(() -> measurement.insert(() -> bar.step(1)));
    }
  }

  private ObjectNode measure(Target target, Part part, long records) throws InterruptedException {
    Pace pace = options.pace();
    long millis = pace.warmUp().plus(pace.measured()).toMillis();
    try (TerminalProgress bar = TerminalProgress.start(part.name(), millis)) {
      Measured measured =
          new LoadRun(part.load(), pace, target.processes(), nanos -> bar.step(nanos / 1_000_000))
              .run();
      LoadReport.Work work = new LoadReport.Work(part.name(), records, part.details());
      return LoadReport.json(target, work, pace, measured).put("benchmark", spec.name());
    }
  }

  /**
   * As above, with the pauses of the servers for collections.
   *
   * @param lines gets them for people
   */
  private ObjectNode measureWithPauses(Target target, Part part, long records, List<String> lines)
      throws IOException, InterruptedException {
    List<GcPauses> logs = new ArrayList<>();
    try {
      for (long process : target.processes()) {
        GcPauses.begin(process).ifPresent(logs::add);
      }
      long from = System.currentTimeMillis() + options.pace().warmUp().toMillis();
      ObjectNode result = measure(target, part, records);
      double seconds = Math.max(1, System.currentTimeMillis() - from) / 1e3;
      ArrayNode all = result.putArray("gcPauses");
      for (GcPauses log : logs) {
        GcPauses.Pauses pauses = log.since(from);
        all.addObject()
            .put("count", pauses.count())
            .put("millis", Math.round(pauses.millis()))
            .put("longestMillis", Math.round(pauses.longestMillis() * 10) / 10.0)
            .put("percent", Math.round(pauses.percent(seconds) * 100) / 100.0);
        lines.add(
            "stopped for collections: %,d times, %,.0f ms, %.2f %% of the time, %.1f ms at most"
                .formatted(
                    pauses.count(),
                    pauses.millis(),
                    pauses.percent(seconds),
                    pauses.longestMillis()));
      }
      return result;
    } finally {
      for (GcPauses log : logs) {
        log.close();
      }
    }
  }

  private void print(ObjectNode result, List<String> found) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json) {
      out.println(result);
    } else {
      JsonNode latency = result.get("latencyMicros");
      out.printf(
          "%-12s %,10.0f per s   p50 %,9.0f us   p95 %,9.0f   p99 %,9.0f   p99.9 %,9.0f   aborts"
              + " %,d   errors %,d   CPU s per 1000: servers %.4f, clients %.4f%n",
          result.get("workload").asText(),
          result.get("throughput").asDouble(),
          latency.get("p50").asDouble(),
          latency.get("p95").asDouble(),
          latency.get("p99").asDouble(),
          latency.get("p99.9").asDouble(),
          result.get("aborts").asLong(),
          result.get("errors").asLong(),
          result.at("/cpuSecondsPer1000/servers").asDouble(),
          result.at("/cpuSecondsPer1000/clients").asDouble());
      if (result.has("errorsByKind")) {
        out.println("  errors: " + result.get("errorsByKind"));
      }
      double others = result.at("/cores/others").asDouble();
      if (others > LoadReport.BUSY_CORES) {
        out.printf(
            "  others used %.1f of the machine's processors meanwhile: measure again when they do"
                + " not%n",
            others);
      }
      if (result.path("undone").asLong() > 0) {
        out.printf(
            "  %,d of %,d that were due had not begun when it was given up%n",
            result.path("undone").asLong(), result.path("due").asLong());
      }
      found.forEach(line -> out.println("  " + line));
    }
    out.flush();
  }
}
