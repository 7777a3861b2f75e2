package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ecstore.bench.compare.Cell;
import org.ecstore.bench.compare.ClientProcess;
import org.ecstore.bench.compare.Comparison;
import org.ecstore.bench.compare.KeptCells;
import org.ecstore.bench.compare.Rounds;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.OtherBuild;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.ycsb.YcsbLoad;
import org.ecstore.cluster.database.ServerUnavailableException;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.ecstore.tools.terminal.TerminalProgress;
import picocli.CommandLine.Model.CommandSpec;

/** Starts and loads several stores, and measures them in turns. */
final class ComparisonRun {
  private static final Duration LOADED_WITHIN = Duration.ofMinutes(30);
  private static final Duration CLIENT_WITHIN = Duration.ofMinutes(2);

  private final CommandSpec spec;
  private final NodeOptions ofNodes;
  private final int nodes;
  private final ComparisonOptions options;

  private KeptCells kept = KeptCells.none();
  private Look look = (_, _) -> {};

  /** Other builds by the names of stores; one that is not built by why not. */
  private final Map<String, OtherBuild> builds = new TreeMap<>();

  private final Map<String, IOException> unbuilt = new TreeMap<>();

  /** Clients of stores that have some of their own: other builds. */
  private final Map<String, ClientProcess> clientsOfBuilds = new TreeMap<>();

  /**
   * Of a command.
   *
   * @param nodes of ecStore, unless its engines say how many
   */
  ComparisonRun(CommandSpec spec, NodeOptions ofNodes, int nodes, ComparisonOptions options) {
    this.spec = spec;
    this.ofNodes = ofNodes;
    this.nodes = nodes;
    this.options = options;
  }

  /** Looks at a store after each measurement. */
  interface Look {
    /** May add to the result. */
    void at(StartedTarget store, ObjectNode result) throws IOException;
  }

  /** Measures only what is not kept, and keeps it. */
  ComparisonRun with(KeptCells cells) {
    kept = cells;
    return this;
  }

  /** Looks at each store after each measurement. */
  ComparisonRun with(Look after) {
    look = after;
    return this;
  }

  /**
   * One store of the run.
   *
   * @param store its name in results
   * @param durability when it shall sync, where that was said
   * @param checkout of another build of ecStore
   * @param engines of ecStore's nodes, where they are not the usual one
   */
  record Entrant(
      String store,
      Optional<Durability> durability,
      Optional<Path> checkout,
      Optional<EngineMix> engines) {
    /** As it comes, or as it shall sync. */
    static Entrant of(String store, Optional<Durability> durability) {
      return new Entrant(store, durability, Optional.empty(), Optional.empty());
    }

    static Entrant of(String store, Path checkout) {
      return new Entrant(store, Optional.empty(), Optional.of(checkout), Optional.empty());
    }

    static Entrant of(String store, EngineMix engines) {
      return new Entrant(store, Optional.empty(), Optional.empty(), Optional.of(engines));
    }
  }

  /**
   * Measures all of them; what fails is in the result. Other builds are built before anything
   * starts.
   *
   * @throws InterruptedException also if this process is ending: what fails then fails because of
   *     that, and says nothing of the stores
   */
  Comparison run(List<Entrant> entrants, List<Cell> cells)
      throws IOException, InterruptedException {
    Comparison comparison = new Comparison();
    options.describe(comparison.settings());
    Map<String, StartedTarget> started = new LinkedHashMap<>();
    try (TemporaryDirectory temporary = TemporaryDirectory.create("ecstore-compare")) {
      try {
        ClientProcess client = new ClientProcess(temporary.path(), ClientProcess.FLAGS);
        for (Entrant entrant : entrants) {
          build(entrant, client);
        }
        for (Entrant entrant : entrants) {
          if (kept.hasAll(entrant.store(), cells, options.rounds)) {
            take(entrant.store(), cells, comparison);
          } else {
            begin(entrant, temporary.path(), client, cells, started, comparison);
          }
        }
        new Rounds(
                started,
                cells,
                (store, cell) -> measure(client, store, cell),
                () -> Thread.sleep(Duration.ofNanos((long) (options.settle * 1e9))),
                this::say,
                kept)
            .run(options.rounds, options.seed, comparison);
      } finally {
        started.values().forEach(this::end);
      }
    }
    mustNotEnd();
    return comparison;
  }

  private void build(Entrant entrant, ClientProcess client) throws InterruptedException {
    if (entrant.checkout().isEmpty()) {
      return;
    }
    String name = entrant.store();
    say("looking at " + name);
    try {
      OtherBuild build = OtherBuild.in(entrant.checkout().get());
      say(name + " is " + build.says());
      builds.put(name, build);
      clientsOfBuilds.put(name, client.of(build));
    } catch (IOException e) {
      mustNotEnd();
      unbuilt.put(name, e);
    }
  }

  private static void mustNotEnd() throws InterruptedException {
    if (ShutdownHooks.hasBegun()) {
      throw new InterruptedException("this process is ending");
    }
  }

  /** A store of which everything is there. */
  private void take(String store, List<Cell> cells, Comparison comparison) {
    say("all of " + store + " is there");
    kept.said(store).ifPresent(said -> comparison.takesPart(store, said));
    for (int round = 1; round <= options.rounds; round++) {
      for (Cell cell : cells) {
        int at = round;
        kept.of(round, store, cell).ifPresent(result -> comparison.add(at, store, cell, result));
      }
    }
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
      store = started(entrant, temporary);
    } catch (ServerUnavailableException e) {
      mustNotEnd();
      say(name + " is not available: " + e.getMessage());
      comparison.isUnavailable(name, String.valueOf(e.getMessage()));
      return;
    }
    started.put(name, store);
    say("loading " + name);
    try {
      load(store, client, cells);
    } catch (IOException e) {
      mustNotEnd();
      if (name.equals(Stores.ECSTORE)) {
        throw e;
      }
      say(name + " cannot be loaded: " + e.getMessage());
      comparison.isUnavailable(name, "it cannot be loaded: " + e.getMessage());
      started.remove(name);
      end(store);
      return;
    }
    kept.keepSaid(name, comparison.takesPart(name, store));
    store.pause();
  }

  private StartedTarget started(Entrant entrant, Path temporary)
      throws IOException, InterruptedException, ServerUnavailableException {
    String name = entrant.store();
    Path directory = temporary.resolve(name.replace(':', '-'));
    Stores stores = new Stores(ofNodes, nodes, spec);
    if (entrant.engines().isPresent()) {
      try {
        return stores.onEngines(entrant.engines().get(), directory, YcsbLoad.splitHints());
      } catch (IOException e) {
        throw new ServerUnavailableException(String.valueOf(e.getMessage()), e);
      }
    }
    if (entrant.checkout().isEmpty()) {
      return stores.started(name, entrant.durability(), directory, YcsbLoad.splitHints());
    }
    IOException why = unbuilt.get(name);
    if (why != null) {
      throw new ServerUnavailableException(String.valueOf(why.getMessage()), why);
    }
    try {
      return stores.ecStore(
          Optional.ofNullable(builds.get(name)), directory, YcsbLoad.splitHints());
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
                arguments(store, cell, !first, 0, Math.max(options.prepare, 0.1)),
                first ? LOADED_WITHIN : within(options.prepare),
                bar::step);
      }
    }
  }

  /** The others have to be ended too. */
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
        TerminalProgress.start(task, (long) ((options.warmUp + options.seconds + 1) * 1000))) {
      List<ObjectNode> results =
          clientOf(store, client)
              .run(
                  arguments(store, cell, true, options.warmUp, options.seconds),
                  within(options.warmUp + options.seconds),
                  bar::step);
      if (results.size() != 1) {
        throw new IOException("the client printed " + results.size() + " results, not one");
      }
      ObjectNode result = results.getFirst();
      // What the client knows of a store that it did not start is less than what is known here.
      result.remove(List.of("settings", "store"));
      store.bytesOnDisk().ifPresent(bytes -> result.put("bytesOnDisk", bytes));
      look.at(store, result);
      return result;
    }
  }

  private List<String> arguments(
      StartedTarget store, Cell cell, boolean loaded, double warmUp, double seconds) {
    List<String> arguments = new ArrayList<>(List.of("bench", cell.command()));
    String kind = store instanceof EcStoreTarget ? Stores.ECSTORE : store.name();
    arguments.addAll(List.of("--store", kind, "--connect", store.address()));
    arguments.addAll(
        List.of(
            "--pids", String.join(",", store.processes().stream().map(String::valueOf).toList())));
    if (loaded) {
      arguments.add("--loaded");
    }
    if (cell.isOnYcsbRecords()) {
      arguments.addAll(List.of("--records", Long.toString(options.records)));
      if (options.distribution != null) {
        arguments.addAll(List.of("--distribution", options.distribution));
      }
    }
    arguments.addAll(List.of("--workload", cell.workload()));
    arguments.addAll(List.of("--clients", Integer.toString(cell.clients())));
    if (loaded && cell.rate() > 0) {
      arguments.addAll(List.of("--rate", Integer.toString(cell.rate())));
    }
    arguments.addAll(
        List.of("--warm-up", Double.toString(warmUp), "--seconds", Double.toString(seconds)));
    arguments.addAll(List.of("--level", ofNodes.level, "--isolation", ofNodes.isolation));
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
