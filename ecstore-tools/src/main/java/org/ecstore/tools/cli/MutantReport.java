package org.ecstore.tools.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.ecstore.sim.mutant.MutantResult;
import org.ecstore.sim.mutant.MutantRuns;
import org.ecstore.sim.mutant.MutantSettings;
import org.ecstore.sim.mutant.Score;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.TerminalProgress;

/** Runs the mutants of {@code ecstore sim --mutants} and prints what became of each. */
final class MutantReport {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final PrintWriter out;
  private final boolean json;

  MutantReport(PrintWriter out, boolean json) {
    this.out = out;
    this.json = json;
  }

  /** Runs and prints: each mutant when it is done, then the score. */
  void run(MutantSettings settings) {
    MutantRuns runs = runs(settings);
    List<MutantResult> results;
    try (TerminalProgress bar = TerminalProgress.start("mutants", runs.drawn().size())) {
      results =
          runs.run(
              result -> {
                bar.step(1);
                if (!json) {
                  print(result);
                }
              });
    }
    if (json) {
      out.println(toJson(settings, runs.population(), results));
    } else {
      print(runs.population(), results);
    }
    out.flush();
  }

  private static MutantRuns runs(MutantSettings settings) {
    try {
      return new MutantRuns(settings);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
  }

  private void print(MutantResult result) {
    out.println(result.draw() + " " + result.mutant());
    String rules = result.rules().stream().map(String::valueOf).collect(Collectors.joining(" "));
    out.println("    " + end(result) + (rules.isEmpty() ? "" : "; rules " + rules));
    if (!result.detail().isEmpty()) {
      out.println("    " + result.detail());
    }
    out.flush();
  }

  private static String end(MutantResult result) {
    String reached = ", reached " + result.reached() + " times";
    return switch (result.state()) {
      case FOUND -> "found at seed " + result.seed() + " (" + result.how().words() + ")" + reached;
      case NOT_FOUND -> "NOT FOUND in " + result.seeds() + " seeds" + reached;
      case NOT_REACHED -> "never reached in " + result.seeds() + " seeds";
      case EQUIVALENT -> "equivalent";
    };
  }

  private void print(int population, List<MutantResult> results) {
    row("", "mutants  found  equivalent  not found  never reached   score");
    row("all", Score.of(results));
    Score.byRule(results).forEach((rule, score) -> row("rule " + rule, score));
    out.println("drawn from " + population + " mutants");
  }

  private void row(String name, Score score) {
    row(
        name,
        String.format(
            Locale.ROOT,
            "%7d  %5d  %10d  %9d  %13d  %5.1f %%",
            score.mutants(),
            score.found(),
            score.equivalent(),
            score.notFound(),
            score.notReached(),
            100 * score.score()));
  }

  private void row(String name, String rest) {
    out.println(String.format(Locale.ROOT, "%-8s %s", name, rest));
  }

  private static ObjectNode toJson(
      MutantSettings settings, int population, List<MutantResult> results) {
    ObjectNode node = toJson(Score.of(results));
    node.put("population", population)
        .put("seed", settings.firstDraw())
        .put("seedsMax", settings.seedsMax());
    ObjectNode rules = node.putObject("rules");
    Score.byRule(results).forEach((rule, score) -> rules.set(rule.toString(), toJson(score)));
    ArrayNode list = node.putArray("list");
    results.forEach(result -> list.add(toJson(result)));
    return node;
  }

  private static ObjectNode toJson(Score score) {
    return JSON.objectNode()
        .put("mutants", score.mutants())
        .put("found", score.found())
        .put("equivalent", score.equivalent())
        .put("notFound", score.notFound())
        .put("notReached", score.notReached())
        .put("score", Math.round(score.score() * 1000) / 1000.0);
  }

  private static ObjectNode toJson(MutantResult result) {
    ObjectNode node =
        JSON.objectNode()
            .put("seed", result.draw())
            .put("mutant", result.mutant().identity())
            .put("line", result.mutant().line())
            .put("changed", result.mutant().what() + ": " + result.mutant().kind().words())
            .put("state", result.state().words())
            .put("reached", result.reached())
            .put("seeds", result.seeds());
    if (result.state() == MutantResult.State.FOUND) {
      node.put("foundAtSeed", result.seed()).put("how", result.how().words());
    }
    node.put("detail", result.detail());
    ArrayNode rules = node.putArray("rules");
    result.rules().forEach(rules::add);
    return node;
  }
}
