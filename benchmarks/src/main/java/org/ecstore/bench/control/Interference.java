package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.ecstore.bench.control.ActionLog.Noted;
import org.ecstore.bench.control.PhaseResult.Figures;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.Margin;
import org.ecstore.bench.figure.Repeated;
import org.ecstore.bench.figure.Verdict;
import org.ecstore.model.objective.Statistic;
import org.ecstore.server.Release;
import org.ecstore.server.print.Columns;

/**
 * What came of a flood beside an application with a promise: the same run several times with the
 * controller and as often without it (issue 19.7).
 *
 * @param settings of the runs with it
 * @param rounds in the order in which they were
 */
public record Interference(QosRunSettings settings, List<Round> rounds) {
  /** Of {@link #json}. */
  public static final String BENCHMARK = "qos interference";

  private static final String NONE = "-";

  public Interference {
    rounds = List.copyOf(rounds);
  }

  /**
   * A run.
   *
   * @param number from 1; there are two of each, one with the controller and one without it
   * @param acts whether the controller did
   * @param directory where its own result is, within that of all
   */
  public record Round(int number, boolean acts, String directory, QosOutcome outcome) {
    PhaseResult flooded() {
      return outcome.phases().get(1);
    }

    private OptionalDouble wholeMillis() {
      return flooded().shop().owedMillis();
    }

    private OptionalDouble settledMillis() {
      return flooded().shop().settledMillis();
    }

    private String mode() {
      return acts ? "acts" : "frozen";
    }

    private ObjectNode json() {
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("round", number).put("acts", acts).put("directory", directory);
      wholeMillis().ifPresent(p99 -> PhaseResult.putOwed(json, "p99Millis", p99));
      settledMillis().ifPresent(p99 -> PhaseResult.putOwed(json, "p99MillisAfterWindow", p99));
      flooded().endMillis(Statistic.P99).ifPresent(p99 -> json.put("p99MillisAtEnd", p99));
      json.put("fromSeconds", flooded().fromSeconds());
      json.put("warmUpSeconds", flooded().phase().warmUpSeconds());
      json.set("flooded", flooded().json(Statistic.P99));
      ArrayNode actions = json.putArray("actions");
      outcome.actions().stream()
          .filter(Noted::isDone)
          .forEach(action -> actions.add(action.json()));
      return json;
    }
  }

  private List<Round> of(boolean acts) {
    return rounds.stream().filter(round -> round.acts() == acts).toList();
  }

  /** A p99 of all rounds with the controller, or without it; absent if one of them has none. */
  private Optional<Repeated> millis(boolean acts, Function<Round, OptionalDouble> p99) {
    List<OptionalDouble> all = of(acts).stream().map(p99).toList();
    return all.isEmpty() || all.stream().anyMatch(OptionalDouble::isEmpty)
        ? Optional.empty()
        : Optional.of(new Repeated(all.stream().map(OptionalDouble::getAsDouble).toList()));
  }

  /**
   * What is claimed of the flooded phase, from the controller's first window on, and of the whole
   * of it: the p99 of all operations of the shop is within its promise with the controller, and is
   * not without it.
   */
  public List<Claim> claims() {
    return Stream.concat(afterWindow().stream(), whole().stream()).toList();
  }

  private List<Claim> afterWindow() {
    return claims("after the controller's first window", Round::settledMillis);
  }

  private List<Claim> whole() {
    return claims("in the whole flooded phase", Round::wholeMillis);
  }

  private List<Claim> claims(String when, Function<Round, OptionalDouble> p99) {
    return List.of(
        claim(
            "With the controller the shop keeps its p99 %s.".formatted(when),
            millis(true, p99),
            had -> Margin.above("controller acts", had.map(_ -> target()), had)),
        claim(
            "Without the controller the shop does not keep its p99 %s.".formatted(when),
            millis(false, p99),
            had -> Margin.above("controller frozen", had, had.map(_ -> target()))));
  }

  /** What not every round has is not shown, and said. */
  private Claim claim(String words, Optional<Repeated> had, Function<Repeated, Margin> by) {
    return had.map(one -> Claim.of(words, found(one), List.of(by.apply(one))))
        .orElseGet(
            () ->
                new Claim(
                    words,
                    Verdict.NOT_SHOWN,
                    "not every round has operations of it",
                    "not measured"));
  }

  private double target() {
    return settings.targetMillis();
  }

  private String found(Repeated had) {
    return "p99 %s ms of %s ms"
        .formatted(QosText.number(had.median()), QosText.number(settings.targetMillis()));
  }

  /**
   * All that is not as it shall be, a sentence each: what failed in a run, and what does not hold
   * of the phase after the controller's first window.
   */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    for (Round round : rounds) {
      round
          .outcome()
          .faults()
          .forEach(fault -> faults.add("%s: %s".formatted(round.directory(), fault)));
    }
    for (Claim claim : afterWindow()) {
      if (claim.verdict() == Verdict.DOES_NOT_HOLD) {
        faults.add("does not hold: " + claim.paper());
      }
    }
    return faults;
  }

  /** What else should be known of the figures of each round, a sentence each. */
  private List<String> remarks() {
    return rounds.stream()
        .flatMap(
            round ->
                round.outcome().remarks().stream()
                    .map(remark -> "%s: %s".formatted(round.directory(), remark)))
        .toList();
  }

  /** All of it, but what only the results of single runs have. */
  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("benchmark", BENCHMARK).put("build", Release.version());
    json.set("settings", settings.json());
    ArrayNode all = json.putArray("rounds");
    rounds.forEach(round -> all.add(round.json()));
    ArrayNode claims = json.putArray("claims");
    for (Claim claim : claims()) {
      claims
          .addObject()
          .put("claim", claim.paper())
          .put("verdict", claim.verdict().words())
          .put("found", claim.found())
          .put("decided", claim.decided());
    }
    ArrayNode faults = json.putArray("faults");
    faults().forEach(faults::add);
    ArrayNode remarks = json.putArray("remarks");
    remarks().forEach(remarks::add);
    return json;
  }

  /** For people. */
  public List<String> lines() {
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
          "round",
          "controller",
          "shop",
          "p50 ms",
          "p99 ms",
          "after window",
          "at its end",
          "kept",
          "reports",
          "refused",
          "actions"
        });
    rounds.forEach(round -> rows.add(row(round)));
    List<String> lines = new ArrayList<>();
    lines.add(
        "p99 %s ms is promised to the shop; %d clients of best effort flood"
            .formatted(QosText.number(target()), settings.course().floodClients()));
    lines.addAll(Columns.align(rows));
    for (Claim claim : claims()) {
      lines.add(claim.paper());
      lines.add("  " + claim.verdict().words() + ": " + claim.found() + "; " + claim.decided());
    }
    remarks().forEach(remark -> lines.add("  " + remark));
    faults().forEach(fault -> lines.add("NOT AS IT SHALL BE: " + fault));
    return lines;
  }

  private static String[] row(Round round) {
    Figures shop = round.flooded().shop();
    Optional<Figures> reports = round.flooded().reports();
    return new String[] {
      Integer.toString(round.number()),
      round.mode(),
      QosText.number(shop.perSecond()) + "/s",
      QosText.number(shop.p50Millis()),
      QosText.number(shop.p99Millis()),
      QosText.millis(shop.settledMillis()),
      QosText.millis(round.flooded().endMillis(Statistic.P99)),
      round.flooded().isKept() ? "yes" : "NO",
      reports.map(figures -> QosText.number(figures.perSecond()) + "/s").orElse(NONE),
      reports.map(figures -> Long.toString(figures.refused())).orElse(NONE),
      Long.toString(round.outcome().actions().stream().filter(Noted::isDone).count())
    };
  }
}
