package org.ecstore.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.ecstore.bench.cli.ComparisonRun.Entrant;
import org.ecstore.bench.compare.Cell;
import org.ecstore.bench.compare.Comparison;
import org.ecstore.bench.compare.ComparisonTable;
import org.ecstore.bench.peer.Peers;
import org.ecstore.bench.peer.local.Durability;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.OtherBuild;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.print.LogText;
import org.ecstore.tools.cli.interrupt.InterruptWords;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.Engines;
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
          + " @C after it is how many clients it has, @C/R that R operations begin each second. A peer is cassandra, cassandra-ordered,"
          + " cassandra3, mariadb, redis or echo (no store: what threads and sockets take alone); :commit or :periodic after it is when it syncs to disk"
          + " (as it comes if not given: mariadb at each commit, cassandra and redis periodically;"
          + " ecStore at each commit). build:DIR is ecStore as another checkout has it, nodes and"
          + " clients, to compare a change with what was before; it is built if need be."
          + " engines:je+mysql+redis is ecStore on --nodes hosts, each with a node of every kind, of"
          + " those that cluster up --engines takes.",
      "",
      "The exit status is 1 if a measurement failed or had errors, if with R operations were left"
          + " that had not begun, or if a peer is not available."
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
  private static final String ENGINES = "engines:";
  private static final String NONE = "none";

  @Spec private CommandSpec spec;
  @Mixin private NodeOptions.OfOneNumber nodes = new NodeOptions.OfOneNumber();
  @Mixin private ComparisonOptions options = new ComparisonOptions();

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

  @Override
  public Integer call() throws IOException, InterruptedException {
    String wrong = options.wrong().isEmpty() ? nodes.wrong() : options.wrong();
    if (!wrong.isEmpty()) {
      throw wrong(wrong);
    }
    Comparison comparison = compared();
    if (options.json) {
      spec.commandLine().getOut().println(comparison.json());
      spec.commandLine().getOut().flush();
    } else {
      new ComparisonTable(spec.commandLine().getOut()).print(comparison.json());
    }
    return comparison.isClean() ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private Comparison compared() throws IOException, InterruptedException {
    ComparisonRun run = new ComparisonRun(spec, nodes, nodes.nodes, options);
    List<Entrant> entrants = entrants();
    List<Cell> cells = cells();
    try (InterruptWords _ = InterruptWords.of(spec.commandLine(), "there is no result")) {
      return run.run(entrants, cells);
    }
  }

  private ParameterException wrong(String what) {
    return new ParameterException(spec.commandLine(), what);
  }

  private List<Cell> cells() {
    Set<Cell> cells = new LinkedHashSet<>();
    for (String written : workloads) {
      try {
        cells.add(Cell.of(written, options.clients));
      } catch (IllegalArgumentException e) {
        throw wrong("--workload: " + e.getMessage());
      }
    }
    return List.copyOf(cells);
  }

  private List<Entrant> entrants() {
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(Entrant.of(Stores.ECSTORE, Optional.empty()));
    Set<String> named = new TreeSet<>();
    for (String written : peers.equals(List.of(NONE)) ? List.<String>of() : peers) {
      if (written.startsWith(OtherBuild.PREFIX)) {
        entrants.add(build(written, named));
        continue;
      }
      if (written.startsWith(ENGINES)) {
        entrants.add(engines(written, named));
        continue;
      }
      if (written.equals(NONE)) {
        throw wrong("--peers: none is for ecStore alone, and stands alone");
      }
      String[] parts = written.split(":", 2);
      if (Peers.of(parts[0]).isEmpty() || !named.add(parts[0])) {
        throw wrong(
            "--peers takes each of %s once, build:DIR and engines:KIND+KIND, or none alone; not %s"
                .formatted(String.join(", ", Peers.names()), LogText.of(written)));
      }
      try {
        entrants.add(
            Entrant.of(
                parts[0],
                parts.length == 1
                    ? Optional.empty()
                    : Optional.of(Durability.valueOf(parts[1].toUpperCase(Locale.ROOT)))));
      } catch (IllegalArgumentException e) {
        throw new ParameterException(
            spec.commandLine(),
            "--peers " + LogText.of(written) + ": after : is commit or periodic",
            e);
      }
    }
    return entrants;
  }

  private Entrant engines(String written, Set<String> named) {
    List<String> kinds = List.of(written.substring(ENGINES.length()).split("\\+"));
    try {
      EngineMix mix = Engines.of(nodes.nodes, kinds, true);
      String name = EcStoreTarget.nameOn(kinds);
      if (!named.add(name)) {
        throw wrong("--peers has " + written + " twice");
      }
      return Entrant.of(name, mix);
    } catch (BadInputException e) {
      throw new ParameterException(
          spec.commandLine(), "--peers " + written + ": " + e.getMessage(), e);
    }
  }

  private Entrant build(String written, Set<String> named) {
    String directory = written.substring(OtherBuild.PREFIX.length());
    if (directory.isBlank()) {
      throw wrong("--peers build:DIR is without its directory");
    }
    Path checkout = Path.of(directory);
    String name = OtherBuild.nameOf(checkout);
    if (!Files.isDirectory(checkout)) {
      throw wrong("--peers " + LogText.of(written) + ": there is no such directory");
    }
    if (!OtherBuild.isCheckout(checkout)) {
      throw wrong(
          "--peers "
              + LogText.of(written)
              + ": that is no checkout of ecStore, for there is no program bin/ecstore in it");
    }
    if (!named.add(name)) {
      throw wrong("--peers has two builds in folders of one name: " + name);
    }
    return Entrant.of(name, checkout);
  }
}
