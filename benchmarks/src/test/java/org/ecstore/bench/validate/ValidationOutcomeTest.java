package org.ecstore.bench.validate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.bench.plot.TimeChart;
import org.ecstore.bench.plot.TimeChart.Mark;
import org.ecstore.bench.report.EachSecond;
import org.ecstore.bench.validate.ValidationOutcome.Goal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidationOutcomeTest {
  @TempDir private Path directory;

  /** A plan for each share by which its prediction is off. */
  private static ValidationOutcome outcome(double... errors) {
    ValidationSettings settings = Validating.settings(errors.length, 1, 1);
    List<DrawnObjective> drawn = settings.drawn();
    List<ValidatedPlan> plans = new ArrayList<>();
    for (int i = 0; i < errors.length; i++) {
      DrawnObjective of = drawn.get(i);
      ValidationRun run =
          new ValidationRun(i + 1, Validating.run(of, 1, errors[i]), List.of(), EachSecond.NONE);
      plans.add(new ValidatedPlan(i + 1, of, List.of(run)));
    }
    return new ValidationOutcome(settings, plans, List.of());
  }

  private static ValidationOutcome with(DrawnObjective of, ValidationRun... runs) {
    return new ValidationOutcome(
        Validating.settings(1, runs.length, 1),
        List.of(new ValidatedPlan(1, of, List.of(runs))),
        List.of());
  }

  private static DrawnObjective first() {
    return Validating.settings(1, 1, 1).drawn().getFirst();
  }

  private static boolean says(ValidationOutcome outcome, String part) {
    return ValidationText.lines(outcome).stream().anyMatch(line -> line.contains(part));
  }

  @Test
  void theGoalIsTheMedianErrorOfFivePlansOrMore() {
    ValidationOutcome held = outcome(0.1, -0.2, 0.3, 0.05, 0.26);
    assertEquals(0.2, held.medianError(ValidatedPlan::millisError).getAsDouble(), 1e-9);
    assertEquals(Goal.HELD, held.goal());
    assertEquals(List.of(), held.faults());
    ValidationOutcome missed = outcome(0.1, -0.3, 0.3, 0.05, 0.26);
    assertEquals(Goal.NOT_HELD, missed.goal());
    assertEquals(1, missed.faults().size());
    assertEquals(Goal.NOT_SHOWN, outcome(0.1, 0.2, 0.3, 0.05).goal());
    assertEquals(List.of(), outcome(0.1).faults(), "too few are no fault");
    assertEquals(Goal.NOT_HELD, outcome(0.3).goal());
    assertEquals(Goal.NOT_SHOWN, outcome().goal());
  }

  @Test
  void theMedianOfAnEvenNumberIsBetweenTheMiddleTwo() {
    assertEquals(
        0.15,
        outcome(0.1, 0.2, 0.3, 0.05).medianError(ValidatedPlan::millisError).getAsDouble(),
        1e-9);
  }

  @Test
  void anActionIsAFaultAndAMissedTargetIsNone() {
    DrawnObjective of = first();
    ValidationOutcome acted =
        with(
            of,
            new ValidationRun(
                1, Validating.run(of, 1, 0.01), List.of("add n2: slow"), EachSecond.NONE));
    assertEquals(List.of("plan 1, an action: add n2: slow"), acted.faults());
    assertFalse(says(acted, "no action"));
    ValidationOutcome slow =
        with(of, new ValidationRun(1, Validating.run(of, 1, -0.5), List.of(), EachSecond.NONE));
    assertFalse(slow.plans().getFirst().isKept(), "it took twice as long");
    assertTrue(says(slow, "target kept by 0 of 1"));
    assertTrue(says(slow, "no action"));
    assertTrue(outcome(0).plans().getFirst().isKept());
  }

  @Test
  void aPlanIsTheMeanOfItsRunsAndHasAnInterval() {
    DrawnObjective of = first();
    double predicted = of.prediction().millis();
    ValidatedPlan plan =
        with(
                of,
                new ValidationRun(1, Validating.run(of, 1, 1), List.of(), EachSecond.NONE),
                new ValidationRun(1, Validating.run(of, 2, -0.5), List.of(), EachSecond.NONE))
            .plans()
            .getFirst();
    assertEquals(1.25 * predicted, plan.tried().millis(), 1e-9, "of a half and twice as long");
    assertEquals(0.2, plan.millisError(), 1e-9);
    double share = of.prediction().millisError().orElseThrow();
    assertTrue(share > 0.001 && share < 0.9, "the table is not as a formula has it");
    assertTrue(outcome(share / 3).plans().getFirst().tried().isMillisWithin());
    assertFalse(outcome(-2 * share / (1 + 2 * share)).plans().getFirst().tried().isMillisWithin());
  }

  @Test
  void theTextHasWhatAReaderShouldKnow() {
    ValidationOutcome outcome = outcome(0.1, 0.2, 0.3, 0.05, 0.26);
    assertTrue(says(outcome, "5 plans by seed 1, 1 run of 10 s each"));
    assertTrue(says(outcome, "capacity kept by the node"));
    assertTrue(says(outcome, "median error of response times 20.0 %, of throughput "));
    assertTrue(says(outcome, "at most 25.0 % over 5 plans or more: held"));
    DrawnObjective of = first();
    ValidationOutcome doubtful =
        with(
            of,
            new ValidationRun(
                1, Validating.run(of, 1, 0.1, 1.6, false), List.of(), EachSecond.NONE));
    assertTrue(says(doubtful, "plan 1: NOT STEADY"));
    assertTrue(says(doubtful, "kept 80.0 % of the processors busy: TOO MUCH"));
    assertTrue(says(doubtful, ": not shown"));
  }

  @Test
  void theResultHasEachPlanWithWhatWasPredictedAndMeasured() throws Exception {
    ValidationOutcome outcome = outcome(0.1, 0.2, 0.3, 0.05, 0.26);
    ObjectNode json = outcome.json();
    assertEquals("held", json.path("goal").asText());
    assertEquals(0.2, json.path("medianMillisError").asDouble(), 1e-9);
    assertEquals(5, json.path("plans").size());
    assertEquals(0.1, json.at("/plans/0/millisError").asDouble(), 1e-4);
    assertTrue(json.at("/plans/0/predictedMillis").asDouble() > 0);
    assertTrue(json.at("/plans/0/millisInterval").isArray());
    assertTrue(json.at("/plans/0/targetKept").isBoolean());
    assertEquals(1, json.at("/plans/0/runs").size());
    for (String plot : ValidationPlots.draw(outcome.json(), directory)) {
      assertTrue(Files.readString(directory.resolve(plot)).contains("</svg>"), plot);
    }
    assertEquals(List.of(), ValidationPlots.draw(outcome().json(), directory));
  }

  /** Paper: Cassandra QoS, figure 7. */
  @Test
  void ofEachPlanThereIsWhatItsClientsHadOverTime() throws Exception {
    EachSecond seconds =
        new EachSecond(
            List.of(1_000L, 900L),
            List.of(4.0, 5.0),
            List.of(3.0, 3.0),
            List.of(9.0, 9.0),
            List.of(0L, 0L));
    DrawnObjective of = first();
    ValidationRun acted =
        new ValidationRun(1, Validating.run(of, 2, 0.1), List.of("add n2: slow"), seconds);
    assertEquals(acted, ValidationRun.of(acted.json()).orElseThrow());
    JsonNode json =
        with(of, new ValidationRun(1, Validating.run(of, 1, 0.1), List.of(), seconds), acted)
            .json();
    JsonNode plan = json.at("/plans/0");
    TimeChart chart = ValidationPlots.responseTime(plan);
    assertEquals(List.of(4.0, 5.0, 4.0, 5.0), chart.lines().getFirst().ys());
    assertEquals(plan.path("targetMillis").asDouble(), chart.bounds().getFirst().last());
    assertEquals(plan.path("predictedMillis").asDouble(), chart.bounds().getLast().last());
    assertEquals(
        List.of(new Mark(0, "run 1"), new Mark(2, "run 2")), chart.marks().getFirst().all());
    assertEquals(List.of(new Mark(4, "action")), chart.marks().getLast().all());
    assertEquals(
        List.of(1.0, 0.9, 1.0, 0.9), ValidationPlots.throughput(plan).lines().getFirst().ys());
    List<String> names = ValidationPlots.draw(json, directory);
    assertEquals(4, names.size());
    for (String name : names) {
      assertTrue(Files.readString(directory.resolve(name)).contains("</svg>"), name);
    }
  }
}
