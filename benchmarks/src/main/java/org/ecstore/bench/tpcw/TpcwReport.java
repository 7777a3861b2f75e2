package org.ecstore.bench.tpcw;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.ecstore.bench.load.Measured;
import org.ecstore.bench.load.Pace;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bookstore.audit.Books;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.jspecify.annotations.Nullable;

/** What is said of a run: as JSON, for people and for programs. */
public final class TpcwReport {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final double MILLI = 1e6;
  private static final double SECOND = 1e9;

  /** TPC-W 1.8, 5.5.1.1: fewer pages than this for each browser and the shop was too slow. */
  private static final int SECONDS_OF_A_PAGE_MAX = 14;

  /** More, and the browsers did not think as they have to. */
  private static final int SECONDS_OF_A_PAGE_MIN = 7;

  private TpcwReport() {}

  /**
   * How a run was made.
   *
   * @param pace of its browsers: an open loop where it has a rate
   * @param render what a page is: {@code none} for its data only
   */
  public record How(TpcwMix mix, Pace pace, boolean thinks, String render, String isolation) {
    int browsers() {
      return pace.clients();
    }
  }

  /**
   * A run.
   *
   * @param conflicts how often a transaction came to nothing, as another one was in the way
   * @param retries how often a transaction was run again
   */
  public record Run(
      Measured measured, TpcwLoad load, long conflicts, long retries, Books.Verdict books) {}

  /** All of it. */
  public static ObjectNode json(StartedTarget target, How how, TpcwPopulation population, Run run) {
    Measured measured = run.measured();
    ObjectNode json = MAPPER.createObjectNode();
    json.put("benchmark", "tpcw").put("store", target.name());
    ObjectNode settings = json.putObject("settings");
    target.settings().forEach(settings::put);
    settings.put("isolation", how.isolation());
    json.putObject("population")
        .put("items", population.items())
        .put("customers", population.customers())
        .put("orders", population.orders());
    json.put("mix", how.mix().text()).put("browsers", how.browsers());
    json.put("think", how.thinks()).put("render", how.render());
    json.put("loop", how.pace().isOpen() ? "open" : "closed");
    if (how.pace().isOpen()) {
      json.put("rate", how.pace().rate())
          .put("due", measured.due())
          .put("undone", measured.undone().getTotalCount());
    }
    json.put("warmUpSeconds", how.pace().warmUp().toNanos() / SECOND);
    json.put("seconds", measured.nanos() / SECOND);
    double wips = measured.perSecond();
    json.put("wips", rounded(wips));
    if (how.thinks()) {
      json.put("valid", isValid(how.browsers(), wips));
    } else if (!how.pace().isOpen()) {
      json.put("saturation", true);
    }
    json.put("failed", measured.failed())
        .put("conflicts", run.conflicts())
        .put("retries", run.retries());
    new TreeMap<>(measured.errors()).forEach(json.putObject("errors")::put);
    json.put("longestMillis", rounded(measured.latency().getMaxValue() / MILLI));
    books(json, run.books());
    double pages = Math.max(1, wips * measured.nanos() / SECOND);
    json.putObject("cpuMillisPerPage")
        .put("servers", rounded(measured.serversNanos() / MILLI / pages))
        .put("clients", rounded(measured.clientNanos() / MILLI / pages));
    measured
        .othersNanos()
        .ifPresent(nanos -> json.put("coresOfOthers", rounded((double) nanos / measured.nanos())));
    pages(json.putObject("pages"), measured);
    run.load().bySecond().forEach(json.putArray("pagesBySecond")::add);
    return json;
  }

  /** What a run's store is called where there may be others: with its nodes if it has several. */
  static String store(JsonNode run) {
    String name = run.get("store").asText();
    String nodes = run.at("/settings/nodes").asText("1");
    return nodes.isEmpty() || nodes.equals("1") ? name : name + ", " + nodes + " nodes";
  }

  /**
   * What took too long while nodes were killed, a page or a time without any; absent if neither
   * did, or none was killed: pages have limits of their own then.
   *
   * @param run as {@link #json} says it
   * @param seconds for which the shop may stand still
   */
  public static Optional<String> tooLong(JsonNode run, int seconds) {
    if (!run.has("kills")) {
      return Optional.empty();
    }
    long pause = run.get("longestPauseSeconds").asLong();
    double page = run.get("longestMillis").asDouble();
    if (pause > seconds) {
      return Optional.of("for %d s there was no page".formatted(pause));
    }
    return page > seconds * 1e3
        ? Optional.of("a page took %.1f s".formatted(page / 1e3))
        : Optional.empty();
  }

  /** Whether so many browsers that think can have seen so many pages in a second. */
  static boolean isValid(int browsers, double wips) {
    return wips > (double) browsers / SECONDS_OF_A_PAGE_MAX
        && wips < (double) browsers / SECONDS_OF_A_PAGE_MIN;
  }

  private static void books(ObjectNode json, Books.Verdict books) {
    json.put("booksRight", books.right());
    json.putObject("books")
        .put("orders", books.orders())
        .put("sold", books.books())
        .put("faults", books.faults());
    books.first().forEach(json.putArray("bookFaults")::add);
  }

  /** Every page in TPC-W's order, with the limit that nine of ten must keep, in milliseconds. */
  private static void pages(ObjectNode pages, Measured measured) {
    for (Interaction page : Interaction.values()) {
      @Nullable Histogram times = measured.latencies().get(page.abbreviation());
      Duration limit = page.limit();
      ObjectNode one = pages.putObject(page.abbreviation());
      one.put("count", times == null ? 0 : times.getTotalCount());
      if (times != null) {
        one.put("p50", rounded(times.getValueAtPercentile(50) / MILLI));
        one.put("p90", rounded(times.getValueAtPercentile(90) / MILLI));
        one.put("p99", rounded(times.getValueAtPercentile(99) / MILLI));
      }
      one.put("limit", limit.toMillis());
    }
  }

  /** Whether nine of ten of each page came in time. */
  public static boolean isInTime(Measured measured) {
    for (Interaction page : Interaction.values()) {
      @Nullable Histogram times = measured.latencies().get(page.abbreviation());
      if (times != null && times.getValueAtPercentile(90) > page.limit().toNanos()) {
        return false;
      }
    }
    return true;
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
