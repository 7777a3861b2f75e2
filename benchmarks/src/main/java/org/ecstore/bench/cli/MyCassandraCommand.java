package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.ecstore.bench.cli.ComparisonRun.Entrant;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.cli.options.ResultFiles;
import org.ecstore.bench.compare.Cell;
import org.ecstore.bench.compare.Comparison;
import org.ecstore.bench.compare.ComparisonTable;
import org.ecstore.bench.compare.KeptCells;
import org.ecstore.bench.mycassandra.CopyKinds;
import org.ecstore.bench.mycassandra.Experiment;
import org.ecstore.bench.mycassandra.Mix;
import org.ecstore.bench.mycassandra.MyCassandraResult;
import org.ecstore.bench.store.EcStoreDb;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.Quorum;
import org.ecstore.server.Release;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.tools.cli.interrupt.InterruptWords;
import org.ecstore.tools.terminal.Engines;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import site.ycsb.DBException;

/** {@code ecstore bench mycassandra}. */
@Command(
    name = "mycassandra",
    description = {
      "Runs the experiment of MyCassandra (SYSTOR 2012).",
      "",
      "Clusters of one kind of engine, rocksdb, mysql and redis, one in which each host has a node"
          + " of every kind, and three nodes of Cassandra, in turns: the mixes write-only,"
          + " write-heavy (half reads), read-heavy (95 %% reads) and read-only, of records of 1000"
          + " bytes, throughput with all clients, latency and its distribution at a fixed rate, and"
          + " on which kinds the copies are. Says which claims of the papers hold here. A claim that"
          + " does not is a result, not a failure. It takes five rounds to show one, about an hour;"
          + " 16 GiB of memory, with the heap that nodes have if none is given, and 20 GiB with four"
          + " copies.",
      "",
      "With --out each measurement is kept as soon as it is there: the same command goes on where it"
          + " was interrupted, and with more --rounds, --mixes or --clusters adds to what is there."
          + " What another release has measured is refused; of commits of one release it does not"
          + " know. bench plot draws the pictures again."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench mycassandra --out mycassandra",
      "  ecstore bench mycassandra --quorum 4-3-2 --clusters mixed,cassandra --out four-copies",
      "  ecstore bench mycassandra --quick --quorum 4-3-2 --clusters mixed    a look"
    })
final class MyCassandraCommand implements Callable<Integer> {
  private static final String WRITING = "rocksdb";
  private static final String READING = "mysql";
  private static final String MEMORY = "redis";
  private static final String USUAL = "je";
  private static final String MIXED = "mixed";
  private static final String CASSANDRA = "cassandra";
  private static final String PEER = "cassandra3";
  private static final List<String> CLUSTERS =
      List.of(MIXED, WRITING, READING, MEMORY, USUAL, CASSANDRA);
  private static final String LEVEL = "quorum-";
  private static final String KEPT = "cells.jsonl";
  private static final int RATE_MAX = 1_000_000;
  private static final int HOSTS_MAX = 32;

  /** One copy has no quorum. */
  private static final int COPIES_MIN = 2;

  /** What {@code --quorum} says in their place. */
  private static final List<String> REFUSED = List.of("--level", "--copies");

  /** All clusters are there at once. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "--heap", "512",
          "--cache", "64",
          "--records", "20000",
          "--rounds", "5",
          "--seconds", "8",
          "--warm-up", "6",
          "--prepare", "8");

  @Spec private CommandSpec spec;
  @Mixin private NodeOptions nodes = new NodeOptions();
  @Mixin private ComparisonOptions options = new ComparisonOptions();

  @Option(
      names = "--quorum",
      paramLabel = "N-W-R",
      defaultValue = "3-2-2",
      description = {
        "Copies of each range, how many have a write before it is done, and how many answer a read:"
            + " the paper's 3-2-2, or its 4-3-2, two copies on the engine made for writing and one"
            + " on each other: as many on disk as three that are all there. Cassandra always has"
            + " three copies and QUORUM. ${DEFAULT-VALUE}."
      })
  private String sizes = "";

  @Option(
      names = "--hosts",
      paramLabel = "H",
      defaultValue = "0",
      description = "Hosts of each cluster of ecStore; as many as copies if not given.")
  private int hosts;

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "200",
      description =
          "Operations that begin each second where latency is measured. ${DEFAULT-VALUE}.")
  private int rate;

  @Option(
      names = "--clusters",
      split = ",",
      paramLabel = "CLUSTER",
      defaultValue = "mixed,rocksdb,mysql,redis,cassandra",
      description =
          "Which of them are measured; claims about others are not shown. ${DEFAULT-VALUE} if not"
              + " given; je, the usual engine, may be named too.")
  private List<String> clusters = List.of();

  @Option(
      names = "--mixes",
      split = ",",
      paramLabel = "MIX",
      defaultValue = "write-only,write-heavy,read-heavy,read-only",
      description = "Which of them are measured. All if not given.")
  private List<String> mixes = List.of();

  @Option(names = "--no-cassandra", description = "Leave Cassandra out, and what is said of it.")
  private boolean isWithoutPeer;

  @Option(
      names = "--quick",
      description =
          "One round of two seconds each on 2,000 records, where nothing else is said: to see that"
              + " it works. What it finds says nothing.")
  private boolean quick;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where each measurement is kept, and result.json, result.txt and plots go: empty, made if"
              + " it is not there, or with measurements to go on with.")
  private @Nullable Path directory;

  /** Gives it its own values where none is given; help does not name what is refused. */
  static void adjust(CommandSpec spec) {
    for (String refused : REFUSED) {
      OptionSpec option = Objects.requireNonNull(spec.findOption(refused), refused);
      spec.remove(option);
      spec.addOption(OptionSpec.builder(option).hidden(true).build());
    }
    spec.defaultValueProvider(
        argument ->
            argument instanceof OptionSpec option ? DEFAULTS.get(option.longestName()) : null);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (quick) {
      beQuick();
    }
    Quorum quorum = checked();
    nodes.copies = quorum.n();
    nodes.level = LEVEL + sizes;
    hosts = hosts == 0 ? quorum.n() : hosts;
    Experiment experiment = new Experiment(quorum, hosts, rate, names());
    Path out = directory;
    if (out == null) {
      return run(experiment, KeptCells.none());
    }
    try (DirectoryLock _ = DirectoryLock.acquireForOnce(out)) {
      return run(experiment, KeptCells.in(out.resolve(KEPT), settings(experiment)));
    }
  }

  private int run(Experiment experiment, KeptCells kept) throws IOException, InterruptedException {
    Comparison comparison = compared(kept);
    ObjectNode json = comparison.json();
    experiment.describe(json);
    MyCassandraResult result = MyCassandraResult.of(json);
    result.describe(json);
    StringWriter text = new StringWriter();
    new ComparisonTable(new PrintWriter(text)).print(json);
    result.lines().forEach(line -> text.append(line).append(System.lineSeparator()));
    Path out = directory;
    if (out != null) {
      result.draw(out).forEach(json.putArray("plots")::add);
      Files.writeString(out.resolve(ResultFiles.RESULT), json.toPrettyString() + "\n");
      Files.writeString(out.resolve(ResultFiles.TEXT), text.toString());
    }
    spec.commandLine().getOut().print(options.json ? json + System.lineSeparator() : text);
    spec.commandLine().getOut().flush();
    return comparison.isClean() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private Comparison compared(KeptCells kept) throws IOException, InterruptedException {
    try (InterruptWords _ =
        InterruptWords.of(
            spec.commandLine(),
            directory == null
                ? "there is no result; with --out what was measured would be kept"
                : "what was measured is kept, the same command goes on with the rest")) {
      return new ComparisonRun(spec, nodes, hosts, options)
          .with(kept)
          .with(CopyKinds::look)
          .run(entrants(), cells());
    }
  }

  private boolean isGiven(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  private void beQuick() {
    options.rounds = isGiven("--rounds") ? options.rounds : 1;
    options.records = isGiven("--records") ? options.records : 2_000;
    options.seconds = isGiven("--seconds") ? options.seconds : 2;
    options.warmUp = isGiven("--warm-up") ? options.warmUp : 1;
    options.prepare = isGiven("--prepare") ? options.prepare : 1;
    options.settle = isGiven("--settle") ? options.settle : 1;
    rate = isGiven("--rate") ? rate : 50;
  }

  private Quorum checked() throws IOException {
    OptionFaults faults = new OptionFaults();
    for (String wrong : List.of(options.wrong(), nodes.wrong())) {
      faults.require(wrong.isEmpty(), wrong);
    }
    faults.require(
        REFUSED.stream().noneMatch(this::isGiven),
        "--quorum N-W-R says here what --level and --copies say elsewhere");
    faults.require(
        rate >= 1 && rate <= RATE_MAX,
        "--rate is from 1 to " + RATE_MAX + " a second, not " + rate);
    mustBeOf("--clusters", clusters, CLUSTERS, faults);
    mustBeOf("--mixes", mixes, Arrays.stream(Mix.values()).map(Mix::workload).toList(), faults);
    faults.require(!wanted().isEmpty(), "--clusters and --no-cassandra leave nothing to measure");
    Optional<Quorum> quorum = quorum(faults);
    int least = quorum.map(Quorum::n).orElse(1);
    faults.require(
        hosts == 0 || (hosts >= least && hosts <= HOSTS_MAX),
        "--hosts is from N = %d to %d, as each copy is on a host of its own, not %d"
            .formatted(least, HOSTS_MAX, hosts));
    Path out = directory;
    if (out != null) {
      faults.mustBeFreeOrOwn("--out", out, KEPT, false);
    }
    if (!faults.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), String.valueOf(faults.exception().getMessage()));
    }
    return quorum.orElseThrow();
  }

  private Optional<Quorum> quorum(OptionFaults faults) {
    try {
      Optional<Quorum> quorum = EcStoreDb.quorum(LEVEL + sizes);
      faults.require(
          quorum.isPresent(), "--quorum is N-W-R, as 3-2-2 or 4-3-2, not \"" + sizes + '"');
      quorum.ifPresent(
          given ->
              faults.require(
                  given.n() >= COPIES_MIN && given.n() <= HOSTS_MAX,
                  "--quorum: N is from %d to %d, as each copy is on a host of its own"
                      .formatted(COPIES_MIN, HOSTS_MAX)));
      return quorum;
    } catch (DBException e) {
      faults.add("--quorum: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static void mustBeOf(
      String option, List<String> given, List<String> known, OptionFaults faults) {
    faults.require(
        known.containsAll(given) && given.stream().distinct().count() == given.size(),
        "%s is some of %s, each once, not %s"
            .formatted(option, String.join(",", known), String.join(",", given)));
  }

  private Set<String> wanted() {
    Set<String> wanted = new LinkedHashSet<>(clusters);
    if (isWithoutPeer) {
      wanted.remove(CASSANDRA);
    }
    return wanted;
  }

  private static Experiment.Clusters names() {
    return new Experiment.Clusters(
        nameOf(WRITING), nameOf(READING), nameOf(MEMORY), nameOf(MIXED), PEER);
  }

  private static List<String> kindsOf(String cluster) {
    return cluster.equals(MIXED) ? List.of(WRITING, READING, MEMORY) : List.of(cluster);
  }

  private static String nameOf(String cluster) {
    return EcStoreTarget.nameOn(kindsOf(cluster));
  }

  /** Without which measurements cannot be put beside each other: not how many there are. */
  private ObjectNode settings(Experiment experiment) {
    ObjectNode settings = JsonNodeFactory.instance.objectNode();
    settings.put("build", Release.version());
    options.describe(settings);
    settings.remove("rounds");
    experiment.describe(settings);
    settings.put("clients", options.clients).put("heap", nodes.heap).put("cache", nodes.cache);
    settings.put("collector", nodes.collector).put("isolation", nodes.isolation);
    settings.put(
        "distribution", options.distribution == null ? "as in the mix" : options.distribution);
    return settings;
  }

  /** In the order of {@link #CLUSTERS}. */
  private List<Entrant> entrants() {
    List<Entrant> entrants = new ArrayList<>();
    for (String cluster : CLUSTERS) {
      if (wanted().contains(cluster)) {
        entrants.add(
            cluster.equals(CASSANDRA)
                ? Entrant.of(PEER, Optional.empty())
                : Entrant.of(nameOf(cluster), Engines.of(hosts, kindsOf(cluster), true)));
      }
    }
    return entrants;
  }

  private List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (Mix mix : Mix.values()) {
      if (mixes.contains(mix.workload())) {
        Cell cell = Cell.of(mix.workload(), options.clients);
        cells.add(cell);
        cells.add(cell.at(rate));
      }
    }
    return cells;
  }
}
