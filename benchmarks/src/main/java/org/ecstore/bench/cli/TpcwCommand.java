package org.ecstore.bench.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.bench.load.LoadRun;
import org.ecstore.bench.load.Measured;
import org.ecstore.bench.load.Pace;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.tpcw.StartedShop;
import org.ecstore.bench.tpcw.TpcwLoad;
import org.ecstore.bench.tpcw.TpcwMix;
import org.ecstore.bench.tpcw.TpcwReport;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.audit.Books;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.cluster.database.ServerUnavailableException;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.Isolation;
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
          + " for. WIPS are pages a second. After each run the books are checked: stock, orders,"
          + " payments, carts and best sellers against each other, and that no form bought twice.",
      "",
      "With think time a run is valid by TPC-W's rule if WIPS are between a fourteenth and a"
          + " seventh of the browsers. The tables of the mixes are as published implementations"
          + " have them. This is no result of TPC-W: it is not audited, and the machine is shared."
          + " Serializable on both stores if nothing else is said.",
      "",
      "The exit status is 1 if a page failed or the books are not right."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore bench tpcw --mix shopping --browsers 1000 --store ecstore,mariadb --json",
      "  ecstore bench tpcw --mix ordering --browsers 32 --think 0 --store ecstore,mariadb --rounds"
          + " 3"
    })
final class TpcwCommand implements Callable<Integer> {
  private static final double SECOND = 1e9;

  @Spec private CommandSpec spec;
  @Mixin private NodeOptions nodes = new NodeOptions();
  @Mixin private TpcwOptions options = new TpcwOptions();

  /** A shop with what it was filled with. */
  private record Filled(StartedShop shop, TpcwPopulation population) {}

  @Override
  public Integer call() throws Exception {
    String wrong = options.wrong().isEmpty() ? nodes.wrong() : options.wrong();
    if (!wrong.isEmpty()) {
      throw new ParameterException(spec.commandLine(), wrong);
    }
    List<Filled> shops = new ArrayList<>();
    boolean good = true;
    try (TemporaryDirectory temporary = TemporaryDirectory.create("ecstore-tpcw")) {
      try {
        for (String store : options.stores) {
          shops.add(filled(store, temporary.path().resolve(store.replace(':', '-'))));
        }
        for (int round = 1; round <= options.rounds; round++) {
          for (TpcwMix mix : options.mixes()) {
            for (Filled filled : shops) {
              good &= round(filled, mix, round);
            }
          }
        }
      } finally {
        shops.forEach(filled -> filled.shop().target().close());
      }
    }
    return good ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
  }

  private Isolation isolation() {
    return Isolation.valueOf(nodes.isolation.toUpperCase(Locale.ROOT));
  }

  /** Starts and fills a store, and holds it still. */
  private Filled filled(String store, Path directory)
      throws IOException, InterruptedException, ServerUnavailableException {
    say("starting " + store);
    StartedTarget target =
        new Stores(nodes, spec).started(store, Optional.empty(), directory, List.of());
    boolean isFilled = false;
    try {
      StartedShop shop = new StartedShop(target, isolation(), options.connections());
      TpcwPopulation population =
          TpcwPopulation.ofBrowsers(options.items, options.populationBrowsers, Instant.now());
      try (TerminalProgress bar =
          TerminalProgress.start("filling " + store, shop.records(population))) {
        shop.fill(population, bar::step);
      }
      isFilled = true;
      target.pause();
      return new Filled(shop, population);
    } finally {
      if (!isFilled) {
        target.close();
      }
    }
  }

  private boolean round(Filled filled, TpcwMix mix, int round) throws Exception {
    StartedTarget target = filled.shop().target();
    target.resume();
    try (Bookstore shop = filled.shop().open()) {
      ObjectNode json = measure(filled, shop, mix);
      json.put("round", round);
      print(json);
      return json.get("failed").asLong() == 0 && json.get("booksRight").asBoolean();
    } finally {
      target.pause();
    }
  }

  private ObjectNode measure(Filled filled, Bookstore shop, TpcwMix mix)
      throws InterruptedException {
    StartedTarget target = filled.shop().target();
    Duration warmUp = seconds(options.warmUp);
    Duration measured = seconds(options.seconds);
    Pace pace = new Pace(options.browsers, 0, warmUp, measured);
    TpcwLoad load =
        TpcwLoad.onData(
            new TpcwLoad.How(
                mix,
                options.thinks(),
                (int) Math.ceil(options.warmUp + options.seconds),
                options.seed),
            filled.population(),
            shop);
    long before = shop.tries().conflicts();
    Measured result;
    try (TerminalProgress bar =
        TerminalProgress.start(
            target.name() + " " + mix.text(), warmUp.plus(measured).toMillis())) {
      result =
          new LoadRun(load, pace, target.processes(), nanos -> bar.step(nanos / 1_000_000)).run();
    }
    long conflicts = shop.tries().conflicts() - before;
    Books.Verdict books =
        Books.check(shop.ledger(), item -> filled.population().stock(item).onHand(), load.told());
    return TpcwReport.json(
        target,
        new TpcwReport.How(
            mix, options.browsers, options.thinks(), options.render, nodes.isolation),
        filled.population(),
        new TpcwReport.Run(result, load, conflicts, books));
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * SECOND));
  }

  private void print(ObjectNode json) {
    PrintWriter out = spec.commandLine().getOut();
    if (options.json) {
      out.println(json);
      out.flush();
      return;
    }
    out.printf(
        "%-10s %-9s round %d  %,.0f WIPS%s   failed %,d   conflicts %,d   CPU ms per page: servers"
            + " %.3f, clients %.3f%n",
        json.get("store").asText(),
        json.get("mix").asText(),
        json.get("round").asInt(),
        json.get("wips").asDouble(),
        how(json),
        json.get("failed").asLong(),
        json.get("conflicts").asLong(),
        json.at("/cpuMillisPerPage/servers").asDouble(),
        json.at("/cpuMillisPerPage/clients").asDouble());
    for (Map.Entry<String, JsonNode> page : json.get("pages").properties()) {
      JsonNode times = page.getValue();
      if (times.has("p90")) {
        out.printf(
            "  %s  %,8d   p50 %,9.2f ms   p90 %,9.2f   p99 %,9.2f   limit %,7d%n",
            page.getKey(),
            times.get("count").asLong(),
            times.get("p50").asDouble(),
            times.get("p90").asDouble(),
            times.get("p99").asDouble(),
            times.get("limit").asLong());
      }
    }
    out.printf(
        "  books: %s, %,d orders of %,d books%n",
        json.get("booksRight").asBoolean() ? "right" : "WRONG " + json.get("bookFaults"),
        json.at("/books/orders").asLong(),
        json.at("/books/sold").asLong());
    json.get("errors")
        .properties()
        .forEach(
            error -> out.printf("  failed: %s: %,d%n", error.getKey(), error.getValue().asLong()));
    out.flush();
  }

  private static String how(JsonNode json) {
    if (json.has("saturation")) {
      return " (saturation)";
    }
    return json.path("valid").asBoolean() ? "" : " (not valid: the browsers were held up)";
  }

  private void say(String line) {
    spec.commandLine().getErr().println(line);
    spec.commandLine().getErr().flush();
  }
}
