package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.ecstore.bench.load.AnswerLog;
import org.ecstore.bench.load.Load;
import org.ecstore.bench.report.EachSecond;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.bench.ycsb.YcsbLoad;
import org.ecstore.bench.ycsb.YcsbWorkload;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.tools.objective.Amount;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench ycsb}. */
@Command(
    name = "ycsb",
    description = {
      "Measures workloads of the Yahoo! Cloud Serving Benchmark.",
      "",
      "Starts nodes, loads records of 10 fields of 100 bytes, then runs one workload after the"
          + " other. A to F are YCSB's own; write-only, write-heavy, read-heavy and read-only those"
          + " of MyCassandra; scan-100 is scans of 100 records."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench ycsb --workload A,C --seconds 30",
      "  ecstore bench ycsb --nodes 3 --workload read-heavy --level bounded-500",
      "  ecstore bench ycsb --store redis --workload C",
      "  ecstore bench ycsb --connect 127.0.0.1:7420 --loaded --rate 200 --application shop"
          + " --report-every 5s"
    })
final class YcsbCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private LoadOptions options = new LoadOptions();

  @Option(
      names = "--workload",
      split = ",",
      paramLabel = "W",
      defaultValue = "C",
      description =
          "A, B, C, D, E, F, write-only, write-heavy, read-heavy, read-only, scan-100. C if not"
              + " given.")
  private List<String> workloads = List.of();

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "200000",
      description = "How many records are loaded. ${DEFAULT-VALUE}.")
  private long records;

  @Option(
      names = "--distribution",
      paramLabel = "D",
      defaultValue = "zipfian",
      description = "Of the keys asked for: zipfian or uniform. ${DEFAULT-VALUE}.")
  private String distribution = "";

  @Option(
      names = "--application",
      paramLabel = "NAME",
      description =
          "The application that clients say that they are, as objectives name it (slo set); ecstore"
              + " only. None if not given.")
  private @Nullable String application;

  @Option(
      names = "--report-every",
      paramLabel = "TIME",
      defaultValue = "30s",
      description = {
        "With --application: how often its clients tell the cluster what they measure, a second at"
            + " least: as qos.check. ${DEFAULT-VALUE}."
      })
  private String reportEvery = "";

  @Option(
      names = "--each-second",
      description = "With --json: also what clients had in each second that counts.")
  private boolean eachSecond;

  @Option(
      names = "--settled",
      paramLabel = "S",
      description = {
        "With --each-second: also what clients had from this second on, counted from the first that"
            + " counts."
      })
  private @Nullable Integer settled;

  /** What clients had in each second, of the workload that runs. */
  private final AnswerLog log = new AnswerLog(0);

  @Override
  public Integer call() throws Exception {
    List<YcsbWorkload> wanted = new ArrayList<>();
    for (String name : workloads) {
      wanted.add(
          YcsbWorkload.of(name)
              .orElseThrow(
                  () ->
                      new ParameterException(
                          spec.commandLine(),
                          "no workload " + name + "; there are " + YcsbWorkload.titles())));
    }
    if (!distribution.equals("zipfian") && !distribution.equals("uniform")) {
      throw new ParameterException(
          spec.commandLine(), "--distribution is zipfian or uniform, not " + distribution);
    }
    if (records < 1) {
      throw new ParameterException(spec.commandLine(), "--records is at least 1");
    }
    checkSeconds();
    Duration every = reports();
    return new Loading(options, spec)
        .run(records, YcsbLoad.splitHints(), target -> plan(told(target, every), wanted));
  }

  private void checkSeconds() {
    Integer from = settled;
    if (eachSecond && !options.json) {
      throw new ParameterException(
          spec.commandLine(), "--each-second is a part of the JSON: give --json too");
    }
    if (eachSecond && options.seconds > AnswerLog.SECONDS_MAX) {
      throw new ParameterException(
          spec.commandLine(),
          "--each-second is for --seconds of %d at most".formatted(AnswerLog.SECONDS_MAX));
    }
    if (from != null && (!eachSecond || from < 0 || from >= options.seconds)) {
      throw new ParameterException(
          spec.commandLine(),
          "--settled is from 0 to less than --seconds, with --each-second, not " + from);
    }
  }

  /** How often clients tell what they measure, if they do. */
  private Duration reports() {
    String name = application;
    if (name == null) {
      if (spec.commandLine().getParseResult().hasMatchedOption("--report-every")) {
        throw new ParameterException(
            spec.commandLine(), "--report-every is for clients of an --application: give that too");
      }
      return Duration.ZERO;
    }
    if (!options.store.equals(Stores.ECSTORE)) {
      throw new ParameterException(
          spec.commandLine(), "--application is for ecstore, not for " + options.store);
    }
    try {
      double millis = Amount.millis("--report-every", reportEvery);
      Duration every = Duration.ofMillis(Math.max(1, Math.round(millis)));
      // They say what is wrong with a name or a time.
      EcStoreOptions.DEFAULT.application(name).reportEvery(every);
      return every;
    } catch (BadInputException | WrongArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private Target told(Target target, Duration every) {
    String name = application;
    if (name != null && target instanceof EcStoreTarget ecstore) {
      ecstore.tellAs(name, every);
    }
    return target;
  }

  private Loading.Measurement plan(Target target, List<YcsbWorkload> wanted) {
    YcsbLoad.Inserts inserts =
        new YcsbLoad(target, wanted.getFirst(), records, distribution).inserts();
    List<Loading.Part> parts =
        wanted.stream()
            .map(
                each ->
                    new Loading.Part(
                        each.title(),
                        noted(new YcsbLoad(target, each, records, distribution)),
                        Map.of("distribution", each.distribution(distribution))))
            .toList();
    return new Loading.Measurement() {
      @Override
      public void insert(Runnable inserted) throws Exception {
        inserts.run(inserted);
      }

      @Override
      public List<Loading.Part> parts() {
        return parts;
      }

      @Override
      public Loading.Found check(ObjectNode result) {
        addSeconds(result);
        return Loading.Measurement.super.check(result);
      }
    };
  }

  private Load noted(Load load) {
    return eachSecond ? log.counted(load) : load;
  }

  private void addSeconds(ObjectNode result) {
    if (!eachSecond) {
      return;
    }
    int seconds = (int) Math.ceil(options.seconds);
    result.set("eachSecond", EachSecond.of(log, seconds).json());
    Integer from = settled;
    if (from != null) {
      AnswerLog.Had had = log.had(from, seconds);
      ObjectNode json = result.putObject("settled");
      json.put("fromSeconds", from).put("due", had.due()).put("answers", had.answers());
      json.put("failed", had.failed()).put("meanMillis", had.meanMillis());
      json.put("p50Millis", had.p50Millis()).put("p99Millis", had.p99Millis());
    }
  }
}
