package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.ecstore.bench.compare.Cell;
import org.ecstore.bench.compare.ClientProcess;
import org.ecstore.bench.compare.Comparison;
import org.ecstore.bench.compare.Rounds;
import org.ecstore.bench.peer.Peers;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.store.OtherBuild;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.cluster.database.ServerUnavailableException;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.ecstore.tools.terminal.TerminalProgress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench compare}. */
@Command(
    name = "compare",
    description = {
      "Measures ecStore and other stores side by side, in one run.",
      "",
      "Starts ecStore and each peer, loads them with the same records, then measures all of them"
          + " in several rounds, in another order each time. One store runs at a time, the others"
          + " are stopped; each measurement has a client process of its own, with the same flags"
          + " for all. Prints medians, and ecStore's by each peer's. A peer that is not"
          + " available is named, with the reason.",
      "",
      "A workload is one of bench ycsb, social or photos, as in read-only, write-only, scan-100,"
          + " befriend or 1-month (only cassandra-ordered of Cassandra scans in the order of keys);"
          + " @C after it is how many clients it has. A peer is cassandra, cassandra-ordered,"
          + " cassandra3, mariadb or redis; :commit or :periodic after it is when it syncs to disk"
          + " (as it comes if not given: mariadb at each commit, cassandra and redis periodically;"
          + " ecStore at each commit). build:DIR is ecStore as another checkout has it, nodes and"
          + " clients, to compare a change with what was before; it is built if need be.",
      "",
      "The exit status is 1 if a measurement failed or had errors, or a peer is not available."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench compare --peers mariadb --workload befriend,write-only",
      "  ecstore bench compare --peers cassandra:commit,redis --workload A,scan-100@16 --json",
      "  ecstore bench compare --nodes 3 --peers cassandra3 --workload read-only,write-heavy"
          + " --level strong",
      "  ecstore bench compare --nodes 3 --peers build:../before --workload write-only,befriend"
    })
final class CompareCommand implements Callable<Integer> {
  private static final Duration LOADED_WITHIN = Duration.ofMinutes(30);
  private static final Duration CLIENT_WITHIN = Duration.ofMinutes(2);

  @Spec private CommandSpec spec;
  @Mixin private NodeOptions options = new NodeOptions();

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      defaultValue = "cassandra,mariadb,redis",
      description = "What ecStore is compared with. ${DEFAULT-VALUE}; none for ecStore alone.")
  private List<String> peers = List.of();

  @Option(
      names = "--workload",
      split = ",",
      paramLabel = "W",
      defaultValue = "read-only,write-only,scan-100@16,befriend",
      description = "What is measured. ${DEFAULT-VALUE}.")
  private List<String> workloads = List.of();

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "How often each store is measured. ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--records",
      paramLabel = "N",
      defaultValue = "200000",
      description = "How many records of 1000 bytes each store holds. ${DEFAULT-VALUE}.")
  private long records;

  @Option(
      names = "--clients",
      paramLabel = "C",
      defaultValue = "40",
      description = "Threads of a client process, where a workload does not say. ${DEFAULT-VALUE}.")
  private int clients;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "10",
      description = "How long each measurement counts. ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "12",
      description = "For how long each measurement runs before. ${DEFAULT-VALUE}.")
  private double warmUp;

  @Option(
      names = "--settle",
      paramLabel = "S",
      defaultValue = "3",
      description = "How long a store runs again before it is measured. ${DEFAULT-VALUE}.")
  private double settle;

  @Option(
      names = "--prepare",
      paramLabel = "S",
      defaultValue = "15",
      description =
          "For how long each workload runs once on a store just loaded. ${DEFAULT-VALUE}.")
  private double prepare;

  @Option(
      names = "--distribution",
      paramLabel = "D",
      description =
          "Of the keys asked for: zipfian or uniform. If not given, zipfian for YCSB's and uniform"
              + " for friends.")
  private @Nullable String distribution;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Of the order in which stores are measured. ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--json",
      description = "Print one JSON object instead: medians, ratios and all results.")
  private boolean json;

  /**
   * One store of the run.
   *
   * @param durability when it shall sync, where that was said
   * @param checkout of another build
   */
  private record Entrant(String store, Optional<Durability> durability, Optional<Path> checkout) {
    Entrant(String store, Optional<Durability> durability) {
      this(store, durability, Optional.empty());
    }
  }

  /** Clients of stores that have some of their own: other builds. */
  private final Map<String, ClientProcess> clientsOfBuilds = new TreeMap<>();

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    List<Cell> cells = cells();
    List<Entrant> entrants = entrants();
    Comparison comparison = new Comparison();
    describe(comparison.settings());
    Map<String, StartedTarget> started = new LinkedHashMap<>();
    try (TemporaryDirectory temporary = TemporaryDirectory.create("ecstore-compare")) {
      try {
        ClientProcess client = new ClientProcess(temporary.path(), ClientProcess.FLAGS);
        for (Entrant entrant : entrants) {
          begin(entrant, temporary.path(), client, cells, started, comparison);
        }
        new Rounds(
                started,
                cells,
                (store, cell) -> measure(client, store, cell),
                () -> Thread.sleep(Duration.ofNanos((long) (settle * 1e9))),
                this::say)
            .run(rounds, seed, comparison);
      } finally {
        started.values().forEach(this::end);
      }
    }
    if (json) {
      spec.commandLine().getOut().println(comparison.json());
      spec.commandLine().getOut().flush();
    } else {
      new ComparisonTable(spec.commandLine().getOut()).print(comparison.json());
    }
    return comparison.isClean() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private void check() {
    String wrong =
        rounds < 1
            ? "--rounds is at least 1"
            : records < 2
                ? "--records is at least 2"
                : clients < 1 || clients > 10_000
                    ? "--clients is from 1 to 10000, not " + clients
                    : !LoadOptions.isSpan(seconds, LoadOptions.SECONDS_MIN)
                            || !LoadOptions.isSpan(warmUp, 0)
                            || !LoadOptions.isSpan(settle, 0)
                            || !LoadOptions.isSpan(prepare, 0)
                        ? LoadOptions.SPANS + "; --settle and --prepare as --warm-up"
                        : options.wrong();
    if (!wrong.isEmpty()) {
      throw wrong(wrong);
    }
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private List<Cell> cells() {
    Set<Cell> cells = new LinkedHashSet<>();
    for (String written : workloads) {
      try {
        cells.add(Cell.of(written, clients));
      } catch (IllegalArgumentException e) {
        throw wrong("--workload: " + e.getMessage());
      }
    }
    return List.copyOf(cells);
  }

  private List<Entrant> entrants() {
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(new Entrant(Stores.ECSTORE, Optional.empty()));
    Set<String> named = new TreeSet<>();
    for (String written : peers.equals(List.of("none")) ? List.<String>of() : peers) {
      if (written.startsWith(OtherBuild.PREFIX)) {
        entrants.add(build(written, named));
        continue;
      }
      String[] parts = written.split(":", 2);
      if (Peers.of(parts[0]).isEmpty() || !named.add(parts[0])) {
        throw wrong(
            "--peers takes each of "
                + Peers.names()
                + " once, and build:DIR, or none; not "
                + written);
      }
      try {
        entrants.add(
            new Entrant(
                parts[0],
                parts.length == 1
                    ? Optional.empty()
                    : Optional.of(Durability.valueOf(parts[1].toUpperCase(Locale.ROOT)))));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(
            spec.commandLine(), "--peers " + written + ": after : is commit or periodic", e);
      }
    }
    return entrants;
  }

  private Entrant build(String written, Set<String> named) {
    Path checkout = Path.of(written.substring(OtherBuild.PREFIX.length()));
    String name = OtherBuild.nameOf(checkout);
    if (!Files.isDirectory(checkout)) {
      throw wrong("--peers " + written + ": there is no directory " + checkout);
    }
    if (!named.add(name)) {
      throw wrong("--peers has two builds in folders of one name: " + name);
    }
    return new Entrant(name, Optional.empty(), Optional.of(checkout));
  }

  private void describe(ObjectNode settings) {
    settings.put("records", records).put("rounds", rounds).put("seed", seed);
    settings.put("seconds", seconds).put("warmUpSeconds", warmUp);
    settings.put("settleSeconds", settle).put("prepareSeconds", prepare);
    ArrayNode flags = settings.putArray("clientFlags");
    ClientProcess.FLAGS.forEach(flags::add);
    settings.put("processors", Runtime.getRuntime().availableProcessors());
    settings.put("java", Runtime.version().toString());
    settings.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
  }

  /** Starts and loads a store, runs each workload on it for a while, and holds it still. */
  private void begin(
      Entrant entrant,
      Path temporary,
      ClientProcess client,
      List<Cell> cells,
      Map<String, StartedTarget> started,
      Comparison comparison)
      throws IOException, InterruptedException {
    String name = entrant.store();
    say("starting " + name);
    StartedTarget store;
    try {
      store = started(entrant, temporary, client);
    } catch (ServerUnavailableException e) {
      say(name + " is not available: " + e.getMessage());
      comparison.isUnavailable(name, String.valueOf(e.getMessage()));
      return;
    }
    started.put(name, store);
    say("loading " + name);
    try {
      load(store, client, cells);
    } catch (IOException e) {
      if (name.equals(Stores.ECSTORE)) {
        throw e;
      }
      say(name + " cannot be loaded: " + e.getMessage());
      comparison.isUnavailable(name, "it cannot be loaded: " + e.getMessage());
      started.remove(name);
      end(store);
      return;
    }
    comparison.takesPart(name, store);
    store.pause();
  }

  private StartedTarget started(Entrant entrant, Path temporary, ClientProcess client)
      throws IOException, InterruptedException, ServerUnavailableException {
    String name = entrant.store();
    Path directory = temporary.resolve(name.replace(':', '-'));
    Stores stores = new Stores(options, spec);
    if (entrant.checkout().isEmpty()) {
      return stores.started(name, entrant.durability(), directory, YcsbCommand.splitHints());
    }
    try {
      OtherBuild build = OtherBuild.in(entrant.checkout().get());
      say(name + " is " + build.says());
      clientsOfBuilds.put(name, client.of(build));
      return stores.ecStore(Optional.of(build), directory, YcsbCommand.splitHints());
    } catch (IOException e) {
      throw new ServerUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** A store's clients are of its own build. */
  private ClientProcess clientOf(StartedTarget store, ClientProcess usual) {
    return clientsOfBuilds.getOrDefault(store.name(), usual);
  }

  private void load(StartedTarget store, ClientProcess client, List<Cell> cells)
      throws IOException, InterruptedException {
    Set<Boolean> loaded = new TreeSet<>();
    try (TerminalProgress bar = TerminalProgress.start("loading " + store.name(), -1)) {
      for (Cell cell : cells) {
        boolean first = loaded.add(cell.isOnYcsbRecords());
        clientOf(store, client)
            .run(
                arguments(store, cell, !first, 0, Math.max(prepare, 0.1)),
                first ? LOADED_WITHIN : within(prepare),
                bar::step);
      }
    }
  }

  /** The others are to be ended too. */
  private void end(StartedTarget store) {
    try {
      store.close();
    } catch (UncheckedIOException e) {
      say(store.name() + " may still run: " + e.getMessage());
    }
  }

  private static Duration within(double planned) {
    return CLIENT_WITHIN.plusNanos((long) (planned * 1e9));
  }

  private ObjectNode measure(ClientProcess client, StartedTarget store, Cell cell)
      throws IOException, InterruptedException {
    for (long process : store.processes()) {
      if (ProcessHandle.of(process).isEmpty()) {
        throw new IOException(store.name() + " has ended: its process " + process + " is gone");
      }
    }
    String task = store.name() + " " + cell.workload();
    try (TerminalProgress bar =
        TerminalProgress.start(task, (long) ((warmUp + seconds + 1) * 1000))) {
      List<ObjectNode> results =
          clientOf(store, client)
              .run(
                  arguments(store, cell, true, warmUp, seconds),
                  within(warmUp + seconds),
                  bar::step);
      if (results.size() != 1) {
        throw new IOException("the client printed " + results.size() + " results, not one");
      }
      ObjectNode result = results.getFirst();
      // What the client knows of a store that it did not start is less than what is known here.
      result.remove(List.of("settings", "store"));
      store.bytesOnDisk().ifPresent(bytes -> result.put("bytesOnDisk", bytes));
      return result;
    }
  }

  private List<String> arguments(
      StartedTarget store, Cell cell, boolean loaded, double warmUp, double seconds) {
    List<String> arguments = new ArrayList<>(List.of("bench", cell.command()));
    String kind = clientsOfBuilds.containsKey(store.name()) ? Stores.ECSTORE : store.name();
    arguments.addAll(List.of("--store", kind, "--connect", store.address()));
    arguments.addAll(
        List.of(
            "--pids", String.join(",", store.processes().stream().map(String::valueOf).toList())));
    if (loaded) {
      arguments.add("--loaded");
    }
    if (cell.isOnYcsbRecords()) {
      arguments.addAll(List.of("--records", Long.toString(records)));
      if (distribution != null) {
        arguments.addAll(List.of("--distribution", distribution));
      }
    }
    arguments.addAll(List.of("--workload", cell.workload()));
    arguments.addAll(List.of("--clients", Integer.toString(cell.clients())));
    arguments.addAll(
        List.of("--warm-up", Double.toString(warmUp), "--seconds", Double.toString(seconds)));
    arguments.addAll(List.of("--level", options.level, "--isolation", options.isolation));
    arguments.add("--json");
    return arguments;
  }

  private void say(String line) {
    if (ShutdownHooks.hasBegun()) {
      // It was interrupted: what fails now says nothing of the stores.
      return;
    }
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }
}
