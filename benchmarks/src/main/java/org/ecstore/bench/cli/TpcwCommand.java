package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.load.LoadRun;
import org.ecstore.bench.load.Measured;
import org.ecstore.bench.load.Pace;
import org.ecstore.bench.shop.ShopMetrics;
import org.ecstore.bench.shop.ShopProcess;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.tpcw.NodeKills;
import org.ecstore.bench.tpcw.StartedShop;
import org.ecstore.bench.tpcw.TpcwLoad;
import org.ecstore.bench.tpcw.TpcwMix;
import org.ecstore.bench.tpcw.TpcwPlots;
import org.ecstore.bench.tpcw.TpcwReport;
import org.ecstore.bench.tpcw.TpcwTable;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.audit.Books;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.cluster.database.Loopback;
import org.ecstore.cluster.database.ServerUnavailableException;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.Isolation;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.terminal.TerminalProgress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ecstore bench tpcw}. */
@Command(
    name = "tpcw",
    description = {
      "Measures a shop of books under emulated browsers, as TPC-W does (version 1.8).",
      "",
      "Each store is started, filled and measured in turns with the others, which are held still"
          + " meanwhile. Browsers go from page to page by the mix: browsing (95 of 100 pages only"
          + " look), shopping (80) or ordering (50), and think for seven seconds in the mean; with"
          + " --think 0 they do not, to see how much there can be. Pages are what they ask the data"
          + " for, or with --render html those of the shop's application, which is started on each"
          + " store. WIPS are pages a second. After each run the books are checked: stock, orders,"
          + " payments, carts and best sellers against each other, and that no form bought twice.",
      "",
      "With --rate interactions are due at their times whether earlier ones are answered or not,"
          + " and each is timed from then: what waits for a browser counts too. With --out there"
          + " are plots (SVG): interactions a second over time, and the times of pages and their"
          + " limits.",
      "",
      "With think time a run is valid by TPC-W's rule if WIPS are between a fourteenth and a"
          + " seventh of the browsers. The tables of the mixes are as published implementations"
          + " have them. This is no result of TPC-W: it is not audited, and the machine is shared."
          + " Serializable on both stores if nothing else is said.",
      "",
      "The exit status is 1 if a page failed or the books are not right; with --kill-every also if"
          + " a page, or a time without any, took longer than --pause-max."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench tpcw --mix shopping --browsers 1000 --store ecstore,mariadb --json",
      "  ecstore bench tpcw --mix ordering --browsers 96 --think 0 --store ecstore,mariadb",
      "  ecstore bench tpcw --rate 80%% --browsers 64 --store ecstore,mariadb --out plots",
      "  ecstore bench tpcw --nodes 3 --think 0 --browsers 8 --seconds 300 --kill-every 10",
      "  ecstore bench tpcw --nodes 1,3 --think 0 --browsers 32 --store ecstore,mariadb"
    })
final class TpcwCommand implements Callable<Integer> {
  private static final double SECOND = 1e9;
  private static final double MILLI = 1e6;

  /** Before an open loop counts that follows a closed one, which has warmed all up. */
  private static final Duration SETTLE = Duration.ofSeconds(5);

  /** Each run has browsers that choose otherwise. */
  private long runs;

  /** What came of the last round. */
  private final List<ObjectNode> plots = new ArrayList<>();

  @Spec private CommandSpec spec;
  @Mixin private NodeOptions.OfSeveralNumbers nodes = new NodeOptions.OfSeveralNumbers();
  @Mixin private TpcwOptions options = new TpcwOptions();

  /** A shop with what it was filled with. */
  private record Filled(
      StartedShop shop, TpcwPopulation population, Optional<ShopProcess> application) {
    void pause() throws IOException, InterruptedException {
      if (application.isPresent()) {
        application.get().pause();
      }
      shop.target().pause();
    }

    void resume() throws IOException, InterruptedException {
      shop.target().resume();
      if (application.isPresent()) {
        application.get().resume();
      }
    }

    void close() {
      application.ifPresent(ShopProcess::close);
      shop.target().close();
    }
  }

  @Override
  public Integer call() throws Exception {
    String wrong = options.wrong().isEmpty() ? nodes.wrong() : options.wrong();
    if (wrong.isEmpty() && !nodes.level.equals("session")) {
      wrong = "--level is session here: a shop's users see what they wrote";
    }
    if (wrong.isEmpty() && options.killEvery > 0 && nodes.fewest() < 3) {
      wrong = "--kill-every needs --nodes 3 or more: with fewer nothing is left to serve";
    }
    if (!wrong.isEmpty()) {
      throw new ParameterException(spec.commandLine(), wrong);
    }
    Path directory = options.out;
    if (directory == null) {
      return measured();
    }
    OptionFaults faults = new OptionFaults();
    faults.mayBeDirectory("--out", directory);
    faults.mustNotBeThere("--out", directory, TpcwPlots.files(options.mixes()));
    if (!faults.isEmpty()) {
      throw faults.exception();
    }
    try (DirectoryLock _ = DirectoryLock.acquireForOnce(directory)) {
      return measured();
    }
  }

  private int measured() throws Exception {
    List<Filled> shops = new ArrayList<>();
    boolean good = true;
    try (TemporaryDirectory temporary = TemporaryDirectory.create("ecstore-tpcw")) {
      try {
        for (String store : options.stores) {
          for (int count : store.equals(Stores.ECSTORE) ? nodes.counts : List.of(1)) {
            shops.add(filled(store, count, temporary.path().resolve(store + '-' + count)));
          }
        }
        for (int round = 1; round <= options.rounds; round++) {
          for (TpcwMix mix : options.mixes()) {
            for (Filled filled : shops) {
              good &= round(filled, mix, round);
            }
          }
        }
        draw();
      } finally {
        shops.forEach(Filled::close);
      }
    }
    return good ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private void draw() throws IOException {
    Path directory = options.out;
    if (directory != null) {
      TpcwPlots.draw(plots, directory).forEach(file -> say("drew " + directory.resolve(file)));
    }
  }

  private Isolation isolation() {
    return Isolation.valueOf(nodes.isolation.toUpperCase(Locale.ROOT));
  }

  /** Starts and fills a store, of so many nodes if it has some, and holds it still. */
  private Filled filled(String store, int count, Path directory)
      throws IOException, InterruptedException, ServerUnavailableException {
    say("starting " + store + (count == 1 ? "" : " of " + count + " nodes"));
    StartedTarget target =
        new Stores(nodes, count, spec).started(store, Optional.empty(), directory, List.of());
    boolean isFilled = false;
    try {
      StartedShop shop = new StartedShop(target, isolation(), options.connections());
      TpcwPopulation population =
          TpcwPopulation.ofBrowsers(options.items, options.populationBrowsers, Instant.now());
      try (TerminalProgress bar =
          TerminalProgress.start("filling " + store, population.records())) {
        shop.fill(population, bar::step);
      }
      Filled filled = new Filled(shop, population, application(shop, directory));
      filled.pause();
      isFilled = true;
      return filled;
    } finally {
      if (!isFilled) {
        target.close();
      }
    }
  }

  private Optional<ShopProcess> application(StartedShop shop, Path directory)
      throws IOException, InterruptedException, ServerUnavailableException {
    if (!options.isHtml()) {
      return Optional.empty();
    }
    say("starting the shop");
    int port = Loopback.freePorts(1, List.of("127.0.0.1")).getFirst();
    Path logs =
        Files.createDirectories(directory.resolveSibling(directory.getFileName() + "-shop"));
    return Optional.of(ShopProcess.start(port, shop.properties(), logs));
  }

  private boolean round(Filled filled, TpcwMix mix, int round) throws Exception {
    filled.resume();
    try (Bookstore shop = filled.shop().open()) {
      ObjectNode json = measure(filled, shop, mix);
      json.put("round", round);
      print(json);
      if (round == options.rounds) {
        plots.add(json);
      }
      return isGood(json);
    } finally {
      filled.pause();
    }
  }

  /** Whether all is as it shall be: no page failed, the books are right, nothing took too long. */
  private boolean isGood(ObjectNode json) {
    Optional<String> tooLong = TpcwReport.tooLong(json, options.pauseMax);
    tooLong.ifPresent(
        what ->
            say("NOT AS IT SHALL BE: %s; --pause-max is %d s".formatted(what, options.pauseMax)));
    return tooLong.isEmpty()
        && json.get("failed").asLong() == 0
        && json.get("booksRight").asBoolean();
  }

  /** Pages over HTTP, or what they ask the data for. */
  private TpcwLoad load(Filled filled, Bookstore shop, HttpClient client, TpcwMix mix, Pace pace) {
    TpcwLoad.How how = TpcwLoad.How.of(mix, options.thinks(), pace, options.seed + 31L * runs++);
    return filled
        .application()
        .map(page -> TpcwLoad.onPages(how, filled.population(), client, page.root(), filled.shop()))
        .orElseGet(() -> TpcwLoad.onData(how, filled.population(), shop));
  }

  /** What transactions came to that did not commit at once. */
  private record Tried(long conflicts, long retries) {
    static Tried now(Filled filled, Bookstore shop, HttpClient client)
        throws IOException, InterruptedException {
      if (filled.application().isPresent()) {
        URI root = filled.application().get().root();
        return new Tried(ShopMetrics.conflicts(client, root), ShopMetrics.retries(client, root));
      }
      return new Tried(shop.tries().conflicts(), shop.tries().retries());
    }

    Tried since(Tried before) {
      return new Tried(conflicts - before.conflicts, retries - before.retries);
    }
  }

  private ObjectNode measure(Filled filled, Bookstore shop, TpcwMix mix)
      throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      return measure(filled, shop, client, mix);
    }
  }

  private ObjectNode measure(Filled filled, Bookstore shop, HttpClient client, TpcwMix mix)
      throws IOException, InterruptedException {
    StartedTarget target = filled.shop().target();
    double saturation = options.rate().isPart() ? saturation(filled, shop, client, mix) : 0;
    Pace pace =
        new Pace(
            options.browsers,
            options.rate().of(saturation),
            options.rate().isPart() ? SETTLE : seconds(options.warmUp),
            seconds(options.seconds));
    TpcwLoad load = load(filled, shop, client, mix, pace);
    Tried before = Tried.now(filled, shop, client);
    Optional<NodeKills> kills = kills(filled.shop());
    Duration spent = spent(filled);
    Measured result;
    try {
      result = run(target.name() + " " + mix.text(), target, load, pace);
    } finally {
      kills.ifPresent(NodeKills::close);
    }
    Tried tried = Tried.now(filled, shop, client).since(before);
    Books.Verdict books =
        Books.check(shop.ledger(), item -> filled.population().stock(item).onHand(), load.told());
    ObjectNode json =
        TpcwReport.json(
            target,
            new TpcwReport.How(mix, pace, options.thinks(), options.render, nodes.isolation),
            filled.population(),
            new TpcwReport.Run(result, load, tried.conflicts(), tried.retries(), books));
    if (options.rate().isPart()) {
      json.put("saturationWips", Math.round(saturation));
    }
    if (filled.application().isPresent()) {
      double pages = Math.max(1, load.bySecond().stream().mapToLong(Long::longValue).sum());
      json.withObject("/cpuMillisPerPage")
          .put("shop", spent(filled).minus(spent).toNanos() / MILLI / pages);
    }
    kills.ifPresent(
        killed ->
            json.put("kills", killed.kills())
                .put("killsOfSequencers", killed.ofSequencers())
                .put(
                    "longestPauseSeconds",
                    load.longestPause((int) Math.ceil(pace.warmUp().toNanos() / SECOND)))
                // Of processes that are gone nothing is known.
                .remove("cpuMillisPerPage"));
    return json;
  }

  /** Pages a second of a closed loop of the same browsers, which warms all up too. */
  private double saturation(Filled filled, Bookstore shop, HttpClient client, TpcwMix mix)
      throws InterruptedException {
    StartedTarget target = filled.shop().target();
    Pace pace = new Pace(options.browsers, 0, seconds(options.warmUp), seconds(options.seconds));
    String what = target.name() + " " + mix.text() + ", saturation";
    return run(what, target, load(filled, shop, client, mix, pace), pace).perSecond();
  }

  private static Measured run(String what, StartedTarget target, TpcwLoad load, Pace pace)
      throws InterruptedException {
    try (TerminalProgress bar =
        TerminalProgress.start(what, pace.warmUp().plus(pace.measured()).toMillis())) {
      return new LoadRun(load, pace, target.processes(), nanos -> bar.step(nanos / 1_000_000))
          .run();
    }
  }

  /** Processor time of the shop's application so far. */
  private static Duration spent(Filled filled) {
    return filled
        .application()
        .flatMap(application -> ProcessHandle.of(application.pid()))
        .flatMap(process -> process.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  private Optional<NodeKills> kills(StartedShop shop) {
    return options.killEvery > 0
        ? shop.cluster()
            .map(cluster -> NodeKills.begin(cluster, seconds(options.killEvery), this::say))
        : Optional.empty();
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * SECOND));
  }

  private void print(ObjectNode json) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json) {
      out.println(json);
    } else {
      TpcwTable.print(json, out);
    }
    out.flush();
  }

  private void say(String line) {
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }
}
