package org.ecstore.bench.cli;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ecstore.bench.load.DueRate;
import org.ecstore.bench.tpcw.StartedShop;
import org.ecstore.bench.tpcw.TpcwMix;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code ecstore bench tpcw} takes beside what nodes get. */
final class TpcwOptions {
  private static final int BROWSERS_MAX = 20_000;
  private static final long ITEMS_MAX = 10_000_000;
  private static final int CONNECTIONS_MAX = 64;
  private static final int RATE_MAX = 1_000_000;
  private static final String NONE = "none";
  private static final String THINKS = "tpcw";

  @Option(
      names = "--mix",
      split = ",",
      paramLabel = "MIX",
      defaultValue = "shopping",
      description = "browsing, shopping or ordering; several in turns. ${DEFAULT-VALUE}.")
  List<String> mix = List.of();

  @Option(
      names = "--browsers",
      paramLabel = "N",
      defaultValue = "100",
      description = "Emulated browsers. ${DEFAULT-VALUE}.")
  int browsers;

  @Option(
      names = "--think",
      paramLabel = "T",
      defaultValue = THINKS,
      description =
          "tpcw: seven seconds in the mean, at most 70; 0: none, to see how much there can be."
              + " ${DEFAULT-VALUE}.")
  String think = "";

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "0",
      description = {
        "Open loop: so many interactions are due each second, answered or not, each is taken by the"
            + " next browser that is free, and timed from when it was due. Browsers do not think"
            + " then. As 80%%: of what a closed loop of the same browsers has, which is measured"
            + " first, each time, and without the kills of --kill-every. Closed loop if not given."
      })
  String rate = "";

  @Option(
      names = "--items",
      paramLabel = "N",
      defaultValue = "10000",
      description = "Books of the shop. ${DEFAULT-VALUE}.")
  long items;

  @Option(
      names = "--population-browsers",
      paramLabel = "N",
      defaultValue = "30",
      description =
          "How many browsers the shop is filled for: 2,880 customers and 2,592 orders each."
              + " ${DEFAULT-VALUE}.")
  long populationBrowsers;

  @Option(
      names = "--store",
      split = ",",
      paramLabel = "STORE",
      defaultValue = "ecstore",
      description = "ecstore or mariadb; several in turns. ${DEFAULT-VALUE}.")
  List<String> stores = List.of();

  @Option(
      names = "--render",
      paramLabel = "R",
      defaultValue = NONE,
      description =
          "none: what pages ask the data for, without pages; html: the pages of the shop, over"
              + " HTTP. ${DEFAULT-VALUE}.")
  String render = "";

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description = "How often all of it is measured, in turns. ${DEFAULT-VALUE}.")
  int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "60",
      description = "How long each is measured. ${DEFAULT-VALUE}.")
  double seconds;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "20",
      description = "How long the browsers run before that. ${DEFAULT-VALUE}.")
  double warmUp;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of what browsers choose. ${DEFAULT-VALUE}.")
  long seed;

  @Option(
      names = "--kill-every",
      paramLabel = "S",
      defaultValue = "0",
      description =
          "Kill a node of ecStore (SIGKILL) after so many seconds, the one that gives out commit"
              + " numbers and another in turns, and start it again before the next; needs --nodes 3"
              + " or more. 0 for none. ${DEFAULT-VALUE}.")
  double killEvery;

  @Option(
      names = "--pause-max",
      paramLabel = "S",
      defaultValue = "10",
      description =
          "With --kill-every: for so many seconds the shop may stand still. A page that took longer"
              + " is a fault, and so is a longer time without any. ${DEFAULT-VALUE}.")
  int pauseMax;

  @Option(names = "--json", description = "Print JSON: an object for each run.")
  boolean json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Where plots (SVG) of the last round go: interactions a second over time, and the time of"
              + " each page against its limit, none of which may be there; made if it is not there.")
  @Nullable Path out;

  boolean isHtml() {
    return render.equals("html");
  }

  boolean thinks() {
    return !rate().isOpen() && think.equals(THINKS);
  }

  /** What is due; none if what was given is no rate. */
  DueRate rate() {
    return DueRate.parse(rate, RATE_MAX).orElse(DueRate.NONE);
  }

  /** Connections to a database: a browser that waits for one waits as for the database. */
  int connections() {
    return Math.min(browsers, CONNECTIONS_MAX);
  }

  List<TpcwMix> mixes() {
    return mix.stream().flatMap(name -> mix(name).stream()).toList();
  }

  private static Optional<TpcwMix> mix(String name) {
    return Arrays.stream(TpcwMix.values()).filter(one -> one.text().equals(name)).findFirst();
  }

  /** What is wrong with them; empty if nothing is. */
  String wrong() {
    for (String name : mix) {
      if (mix(name).isEmpty()) {
        return "--mix is browsing, shopping or ordering, not " + name;
      }
    }
    if (mix.stream().distinct().count() < mix.size()) {
      return "--mix names one of them twice";
    }
    for (String store : stores) {
      if (!StartedShop.STORES.contains(store)) {
        return "--store is one of " + StartedShop.STORES + ", not " + store;
      }
    }
    if (stores.stream().distinct().count() < stores.size()) {
      return "--store names one of them twice";
    }
    if (!think.equals(THINKS) && !think.equals("0")) {
      return "--think is tpcw or 0, not " + think;
    }
    if (!render.equals(NONE) && !isHtml()) {
      return "--render is none or html, not " + render;
    }
    return wrongNumbers();
  }

  private String wrongNumbers() {
    if (browsers < 1 || browsers > BROWSERS_MAX) {
      return "--browsers is from 1 to " + BROWSERS_MAX + ", not " + browsers;
    }
    if (items < 10 || items > ITEMS_MAX) {
      return "--items is from 10 to " + ITEMS_MAX + ", not " + items;
    }
    if (populationBrowsers < 1 || populationBrowsers > BROWSERS_MAX) {
      return "--population-browsers is from 1 to " + BROWSERS_MAX + ", not " + populationBrowsers;
    }
    if (DueRate.parse(rate, RATE_MAX).isEmpty()) {
      return "--rate is from 0, for none, to %d a second, or as 80%%, not %s"
          .formatted(RATE_MAX, rate);
    }
    if (rounds < 1 || rounds > 1_000) {
      return "--rounds is from 1 to 1000, not " + rounds;
    }
    if (!(seconds > 0 && seconds <= 86_400) || !(warmUp >= 0 && warmUp <= 86_400)) {
      return "--seconds is above 0 and --warm-up 0 or more, a day at most";
    }
    if (!(killEvery >= 0 && killEvery <= 86_400)) {
      return "--kill-every is 0 or more seconds, a day at most";
    }
    if (pauseMax < 1 || pauseMax > 3_600) {
      return "--pause-max is from 1 to 3600 seconds, not " + pauseMax;
    }
    if (killEvery > 0 && !stores.equals(List.of("ecstore"))) {
      return "--kill-every is for nodes of ecstore: give --store ecstore alone";
    }
    return "";
  }
}
