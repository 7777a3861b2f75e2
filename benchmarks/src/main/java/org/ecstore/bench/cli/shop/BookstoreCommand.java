package org.ecstore.bench.cli.shop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.ecstore.bench.peer.Peers;
import org.ecstore.bench.peer.local.Peer;
import org.ecstore.bench.shop.ShopProcess;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.tpcw.StartedShop;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.database.ServerUnavailableException;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.node.NodeResources;
import org.ecstore.model.Isolation;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.terminal.TerminalProgress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bookstore}. */
@Command(
    name = "bookstore",
    description = {
      "Starts a shop of books on a store, for a browser.",
      "",
      "Starts nodes, or MariaDB, fills them with the books, customers and orders of TPC-W, starts"
          + " the shop and prints its address. All of it listens on this machine only, and all of"
          + " it is removed when this ends (Ctrl-C). The shop is an application of Spring Boot:"
          + " examples/bookstore. \"ecstore bench tpcw\" measures it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bookstore",
      "  ecstore bookstore --nodes 3 --items 10000 --port 8081",
      "  ecstore bookstore --store mariadb                 the same shop on MariaDB"
    })
final class BookstoreCommand implements Callable<Integer> {
  private static final long MEBI = 1 << 20;
  private static final int NODES_MAX = 9;
  private static final int PORT_MAX = 65_535;
  private static final long ITEMS_MAX = 10_000_000;
  private static final long BROWSERS_MAX = 10_000;
  private static final int CONNECTIONS = 20;
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  @Spec private CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      defaultValue = "ecstore",
      description = "ecstore or mariadb. ${DEFAULT-VALUE} if not given.")
  private String store = "";

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "1",
      description = "Nodes of ecStore. ${DEFAULT-VALUE} if not given.")
  private int nodes;

  @Option(
      names = "--items",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many books the shop has. ${DEFAULT-VALUE} if not given.")
  private long items;

  @Option(
      names = "--population-browsers",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How many browsers the shop is filled for: 2,880 customers and 2,592 orders each."
              + " ${DEFAULT-VALUE} if not given.")
  private long browsers;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "Where the shop listens. ${DEFAULT-VALUE} if not given.")
  private int port;

  @Override
  public Integer call() throws Exception {
    check();
    try (TemporaryDirectory temporary = TemporaryDirectory.create("ecstore-bookstore")) {
      say("starting " + store);
      try (StartedTarget target = started(temporary.path().resolve("store"))) {
        StartedShop shop = new StartedShop(target, Isolation.SERIALIZABLE, CONNECTIONS);
        fill(shop);
        say("starting the shop");
        Path logs = Files.createDirectories(temporary.path().resolve("shop"));
        try (ShopProcess process = ShopProcess.start(port, shop.properties(), logs)) {
          spec.commandLine().getOut().println("http://" + process.address() + "/");
          spec.commandLine().getOut().flush();
          say("a customer of it: user name OG, password og; Ctrl-C ends it and removes all");
          return await(process);
        }
      }
    }
  }

  private void check() {
    String wrong = "";
    if (!StartedShop.STORES.contains(store)) {
      wrong = "--store is ecstore or mariadb, not " + store;
    } else if (nodes < 1 || nodes > NODES_MAX) {
      wrong = "--nodes is from 1 to %d, not %d".formatted(NODES_MAX, nodes);
    } else if (nodes > 1 && !store.equals(EcStoreTarget.NAME)) {
      wrong = "--nodes is of ecstore: leave it out with --store " + store;
    } else if (items < 10 || items > ITEMS_MAX) {
      wrong = "--items is from 10 to %d, not %d".formatted(ITEMS_MAX, items);
    } else if (browsers < 1 || browsers > BROWSERS_MAX) {
      wrong = "--population-browsers is from 1 to %d, not %d".formatted(BROWSERS_MAX, browsers);
    } else if (port < 1 || port > PORT_MAX) {
      wrong = "--port is from 1 to %d, not %d".formatted(PORT_MAX, port);
    }
    if (!wrong.isEmpty()) {
      throw new ParameterException(spec.commandLine(), wrong);
    }
    try (ServerSocket free = new ServerSocket()) {
      free.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(),
          "the shop cannot listen on port %d (%s): give another one by --port"
              .formatted(port, e.getMessage()),
          e);
    }
  }

  private StartedTarget started(Path directory)
      throws IOException, InterruptedException, ServerUnavailableException {
    if (!store.equals(EcStoreTarget.NAME)) {
      Peer peer = Peers.of(store).orElseThrow();
      return peer.start(
          new Peer.Place(directory, MavenArtifacts.usual(this::say), this::say), peer.usual());
    }
    NodeResources resources =
        new NodeResources(256 * MEBI, 768 * MEBI, 256 * MEBI, "ParallelGC", 1);
    return EcStoreTarget.make(
        directory,
        new EcStoreTarget.Shape(nodes, Math.min(3, nodes), resources, List.of()),
        new EcStoreTarget.Reads("session", "serializable"),
        line -> {});
  }

  private void fill(StartedShop shop) throws InterruptedException {
    TpcwPopulation population = TpcwPopulation.ofBrowsers(items, browsers, Instant.now());
    try (TerminalProgress bar = TerminalProgress.start("filling the shop", population.records())) {
      shop.fill(population, bar::step);
    }
  }

  /** Until the shop ends, or this process is interrupted. */
  private int await(ShopProcess process) throws InterruptedException {
    while (process.isAlive()) {
      Thread.sleep(LOOK_EVERY);
    }
    say("the shop has ended");
    return ExitStatus.CHECK_FAILED;
  }

  private void say(String line) {
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }
}
