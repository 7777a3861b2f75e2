package org.ecstore.bench.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.bench.report.LoadReport;

/**
 * One page that needs nothing else: no scripts, no fonts, no pictures from elsewhere. Light and
 * dark.
 */
public final class HtmlPage {
  private static final String OURS = "ecstore";
  private static final String TITLE = "<title>ecStore, measured</title>";

  private final List<Result> results;
  private final Map<String, String> unavailable;
  private final Map<String, Integer> failed;
  private final List<String> stores;
  private final Map<Result.Subject, List<Summary>> subjects;
  private final Charts charts;
  private final StringBuilder html = new StringBuilder();

  /** A page of results. */
  public HtmlPage(Results from) {
    List<Result> all = from.all();
    this.results = all;
    this.unavailable = from.unavailable();
    this.failed = from.failed();
    Set<String> names = new LinkedHashSet<>();
    all.stream().map(Result::store).filter(HtmlPage::isOurs).forEach(names::add);
    all.stream().map(Result::store).forEach(names::add);
    this.stores = List.copyOf(names);
    this.charts = new Charts(stores);
    this.subjects =
        Summary.of(all.stream().filter(each -> !HostSection.isSession(each)).toList(), stores);
  }

  /** Whether a text is such a page. */
  public static boolean isPage(String text) {
    return text.startsWith("<!DOCTYPE html>") && text.contains(TITLE);
  }

  private static boolean isOurs(String store) {
    return store.equals(OURS) || store.startsWith(OURS + ",");
  }

  private static String css() {
    try (InputStream in = HtmlPage.class.getResourceAsStream("page.css")) {
      if (in == null) {
        throw new IllegalStateException("no page.css");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The page. */
  public String html() {
    html.setLength(0);
    html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>");
    html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>");
    html.append("<meta name=\"color-scheme\" content=\"light dark\"/>");
    html.append(TITLE).append("<style>").append(css());
    html.append("</style></head><body><main>");
    top();
    overview();
    subjects.forEach(this::card);
    html.append(new HostSection(results).html());
    settings();
    numbers();
    html.append("</main></body></html>\n");
    return html.toString();
  }

  private static String e(String text) {
    return Svg.escaped(text);
  }

  private void top() {
    html.append("<header class=\"top\"><h1>ecStore, measured</h1><p>");
    html.append(counted(subjects.size(), "workload")).append(", ");
    html.append(counted(stores.size(), "store")).append(", ");
    html.append(counted(results.size(), "measurement"));
    html.append(
        ". Bars and dots are medians where there are several rounds.</p><p class=\"keys\">");
    for (String store : stores) {
      html.append("<span class=\"key ").append(charts.colour(store)).append("\">");
      html.append(e(store)).append("</span>");
    }
    html.append("</p>");
    unavailable.forEach(
        (store, why) ->
            html.append("<p class=\"bad\">")
                .append(e(store + " was not available: " + why))
                .append("</p>"));
    failed.forEach(
        (what, times) ->
            html.append("<p class=\"bad\">")
                .append(e((times == 1 ? "Failed: " : "Failed " + times + " times: ") + what))
                .append("</p>"));
    html.append("</header>");
  }

  private static String counted(int count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  /** How many times as much ecStore does as each other store. */
  private void overview() {
    List<String> others = stores.stream().filter(each -> !isOurs(each)).toList();
    List<String> ours = stores.stream().filter(HtmlPage::isOurs).toList();
    if (others.isEmpty() || ours.isEmpty()) {
      return;
    }
    html.append("<section class=\"card\"><header><h2>At a glance</h2><p>ecStore's throughput, and");
    html.append(" how many times that of each other store it is.</p></header>");
    html.append("<div class=\"scroll\"><table class=\"glance\"><thead><tr><th>workload</th>");
    html.append("<th>ecStore</th>");
    others.forEach(other -> html.append("<th>÷ ").append(e(other)).append("</th>"));
    html.append("</tr></thead><tbody>");
    subjects.forEach(
        (subject, all) ->
            all.stream()
                .filter(each -> isOurs(each.store()))
                .filter(_ -> all.stream().anyMatch(each -> !isOurs(each.store())))
                .forEach(each -> glance(subject, each, all, others, ours.size() > 1)));
    html.append("</tbody></table></div></section>");
  }

  private void glance(
      Result.Subject subject,
      Summary mine,
      List<Summary> all,
      List<String> others,
      boolean several) {
    double own = mine.value(Summary.THROUGHPUT);
    html.append("<tr><th>").append(e(subject.title()));
    String more = several ? subject.pace() + "; " + mine.store() : subject.pace();
    html.append(" <span class=\"quiet\">").append(e(more)).append("</span></th><td>");
    html.append(Charts.count(own)).append(" /s</td>");
    for (String other : others) {
      double theirs =
          all.stream()
              .filter(each -> each.store().equals(other))
              .mapToDouble(each -> each.value(Summary.THROUGHPUT))
              .findFirst()
              .orElse(0);
      if (theirs > 0) {
        html.append(own >= theirs ? "<td class=\"ahead\">" : "<td class=\"behind\">");
        html.append(Scale.digits(own / theirs)).append("×</td>");
      } else {
        html.append("<td class=\"quiet\">–</td>");
      }
    }
    html.append("</tr>");
  }

  private void card(Result.Subject subject, List<Summary> all) {
    html.append("<section class=\"card\"><header><h2>").append(e(subject.title()));
    html.append("</h2><p>").append(e(subject.pace())).append("</p></header>");
    html.append("<div class=\"panels\">");
    figure("Throughput, operations per second", charts.throughput(all));
    figure("Processor time per operation: servers + clients", charts.processors(all));
    figure("Latency: p50, p95, p99, p99.9 (p50 · p99 in figures)", charts.percentiles(all));
    charts
        .distributions(all)
        .ifPresent(drawn -> figure("Latency by percentile, each step ten times as rare", drawn));
    html.append("</div>");
    notes(all);
    html.append("</section>");
  }

  private void figure(String title, String svg) {
    html.append("<figure><figcaption>").append(e(title)).append("</figcaption>");
    html.append(svg).append("</figure>");
  }

  private void notes(List<Summary> all) {
    List<String> notes = new ArrayList<>();
    note(
        notes,
        "",
        "Records per second",
        all,
        each -> {
          double perSecond = each.value("/recordsPerSecond");
          boolean other = perSecond > 1.5 * each.value(Summary.THROUGHPUT);
          return other ? Charts.count(perSecond) : "";
        });
    note(
        notes,
        "",
        "Aborts, of all tries",
        all,
        each -> {
          double tries = (double) each.sum("/operations") + each.sum("/aborts");
          return each.sum("/aborts") > 0
              ? Scale.digits(each.sum("/aborts") / tries * 100) + " %"
              : "";
        });
    note(
        notes,
        " class=\"bad\"",
        "Errors",
        all,
        each -> each.sum("/errors") > 0 ? "%,d".formatted(each.sum("/errors")) : "");
    note(
        notes,
        " class=\"bad\"",
        "Due and not begun",
        all,
        each -> each.sum("/undone") > 0 ? "%,d".formatted(each.sum("/undone")) : "");
    note(
        notes,
        " class=\"bad\"",
        "Processors that something else took meanwhile",
        all,
        each ->
            each.value("/cores/others") > LoadReport.BUSY_CORES
                ? Scale.digits(each.value("/cores/others"))
                : "");
    all.forEach(each -> each.rounds().forEach(round -> checked(round, notes)));
    if (!notes.isEmpty()) {
      html.append("<ul class=\"notes\">").append(String.join("", notes)).append("</ul>");
    }
  }

  private static void note(
      List<String> notes,
      String style,
      String title,
      List<Summary> all,
      Function<Summary, String> figure) {
    String said =
        all.stream()
            .filter(each -> !figure.apply(each).isEmpty())
            .map(each -> each.store() + " " + figure.apply(each))
            .collect(Collectors.joining("; "));
    if (!said.isEmpty()) {
      notes.add("<li" + style + ">" + e(title + ": " + said) + "</li>");
    }
  }

  /** The isolation decides what a check may find. */
  private static String named(Result round) {
    String isolation = round.settings().getOrDefault("isolation", "");
    return isolation.isEmpty() || round.store().contains(isolation)
        ? round.store()
        : round.store() + ", " + isolation;
  }

  private static void checked(Result round, List<String> notes) {
    JsonNode checked = round.json().path("checked");
    if (checked.isObject()) {
      JsonNode money = checked.path("moneyConserved");
      boolean conserved = money.asBoolean();
      boolean wrong =
          "serializable".equals(round.settings().get("isolation"))
              && !checked.path("serializable").asBoolean(true);
      String said =
          "%s: %s%s; %,d anomalies among %,d transactions, %,d overdraft penalties missing"
              .formatted(
                  named(round),
                  money.isNull()
                      ? "WHETHER MONEY IS LOST IS NOT KNOWN"
                      : conserved ? "money conserved" : "MONEY LOST",
                  wrong ? ", NOT SERIALIZABLE" : "",
                  checked.path("anomalies").asLong(),
                  checked.path("transactions").asLong(),
                  checked.path("missingPenalties").asLong());
      notes.add((conserved && !wrong ? "<li>" : "<li class=\"bad\">") + e(said) + "</li>");
    }
  }

  private void settings() {
    Map<String, Map<String, Set<String>>> byStore = new LinkedHashMap<>();
    Set<String> keys = new LinkedHashSet<>(List.of("durability"));
    // Sessions on more hosts come last, for stores that are set in no other way.
    Stream.concat(
            results.stream().filter(each -> !HostSection.isSession(each)),
            results.stream()
                .filter(HostSection::isSession)
                .filter(
                    each ->
                        subjects.values().stream()
                            .flatMap(List::stream)
                            .noneMatch(other -> other.store().equals(each.store()))))
        .forEach(
            each -> {
              Map<String, Set<String>> its =
                  byStore.computeIfAbsent(each.store(), absent -> new LinkedHashMap<>());
              each.settings()
                  .forEach(
                      (key, value) ->
                          its.computeIfAbsent(key, absent -> new LinkedHashSet<>()).add(value));
              keys.addAll(each.settings().keySet());
            });
    html.append("<section class=\"card\"><header><h2>How each store was set</h2></header>");
    html.append("<div class=\"scroll\"><table class=\"settings\"><thead><tr><th></th>");
    stores.forEach(store -> html.append("<th>").append(e(store)).append("</th>"));
    html.append("</tr></thead><tbody>");
    for (String key : keys) {
      html.append(key.equals("durability") ? "<tr class=\"main\"><th>" : "<tr><th>");
      html.append(e(key)).append("</th>");
      for (String store : stores) {
        String value =
            String.join(" / ", byStore.getOrDefault(store, Map.of()).getOrDefault(key, Set.of()));
        html.append("<td>").append(e(value)).append("</td>");
      }
      html.append("</tr>");
    }
    html.append("</tbody></table></div></section>");
  }

  private void numbers() {
    html.append("<section class=\"card\"><details><summary>All figures</summary>");
    html.append("<div class=\"scroll\"><table><thead><tr><th>workload</th><th>store</th>");
    for (String column :
        List.of(
            "load",
            "rounds",
            "per second",
            "mean",
            "p50",
            "p95",
            "p99",
            "p99.9",
            "aborts",
            "errors",
            "not begun",
            "servers, µs",
            "clients, µs",
            "disk, MiB")) {
      html.append("<th>").append(column).append("</th>");
    }
    html.append("</tr></thead><tbody>");
    subjects.values().forEach(all -> all.forEach(this::numbers));
    html.append("</tbody></table></div></details></section>");
  }

  private void numbers(Summary each) {
    html.append("<tr><th>").append(e(each.subject().title())).append("</th><th>");
    html.append(e(each.store())).append("</th>");
    cell(each.subject().pace());
    cell(Integer.toString(each.rounds().size()));
    cell(Charts.count(each.value(Summary.THROUGHPUT)));
    for (String latency : List.of("mean", "p50", "p95", "p99", "p99.9")) {
      cell(Scale.time(each.value("/latencyMicros/" + latency)));
    }
    cell("%,d".formatted(each.sum("/aborts")));
    cell("%,d".formatted(each.sum("/errors")));
    cell("%,d".formatted(each.sum("/undone")));
    cell(each.median(Summary.SERVERS).map(s -> Scale.digits(s * 1e3)).orElse("?"));
    cell(each.median(Summary.CLIENTS).map(s -> Scale.digits(s * 1e3)).orElse("?"));
    cell(each.median("/bytesOnDisk").map(b -> "%,.0f".formatted(b / (1 << 20))).orElse("?"));
    html.append("</tr>");
  }

  private void cell(String text) {
    html.append("<td>").append(e(text)).append("</td>");
  }
}
