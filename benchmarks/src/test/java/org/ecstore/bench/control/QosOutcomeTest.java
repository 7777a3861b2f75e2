package org.ecstore.bench.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.ecstore.bench.control.PhaseResult.Figures;
import org.ecstore.bench.control.QosPlots.Stored;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.load.CoreUse;
import org.ecstore.bench.plot.TimeChart;
import org.ecstore.bench.plot.TimeChart.Mark;
import org.ecstore.bench.plot.TimeChart.Period;
import org.ecstore.bench.plot.TimeChart.Periods;
import org.ecstore.bench.report.EachSecond;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.model.objective.Statistic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made of a run that never was. */
class QosOutcomeTest {
  private static final ControlAction ADDED = MadeUpRun.ADD.measured(28_000, "kept: 28 ms");
  private static final String NOT_TAKEN_AWAY = "no node that was added was taken away in gone";

  @Test
  void aPromiseThatWasKeptHasNoFaults() {
    QosOutcome outcome = MadeUpRun.outcome();
    assertEquals(List.of(), outcome.faults());
    JsonNode json = outcome.json();
    assertEquals("small", json.at("/settings/class").asText());
    assertEquals("node", json.at("/capacity/keptBy").asText());
    assertEquals(200, json.path("promisedPerSecond").asLong());
    assertEquals(3, json.path("phases").size());
    assertTrue(json.at("/phases/1/kept").asBoolean(), json::toString);
    assertEquals(28, json.at("/phases/1/p99MillisAtEnd").asDouble());
    assertEquals(4, json.at("/phases/1/nodesAtEnd").asInt());
    assertEquals(0.05, json.at("/phases/1/cores/others").asDouble());
    assertEquals("add n4", json.at("/actions/0/what").asText());
    assertEquals(31, json.at("/actions/0/predictedMillis").asDouble());
    assertEquals(28, json.at("/actions/0/measuredMillis").asDouble());
    assertEquals(75, json.at("/actions/0/seconds").asDouble());
    assertEquals(100, json.at("/actions/0/effectiveSeconds").asDouble());
    assertEquals(131, json.at("/actions/0/overSeconds").asDouble());
    assertEquals(2, json.at("/kills/0/node").asInt());
  }

  @Test
  void whatIsRefusedAsTooMuchIsNoFailure() {
    assertEquals(List.of(), MadeUpRun.outcome(true, MadeUpRun.figures(100, 12, 0, 0)).faults());
    List<String> faults = MadeUpRun.outcome(true, MadeUpRun.figures(100, 12, 3, 2)).faults();
    assertEquals(2, faults.size(), faults::toString);
    assertTrue(faults.get(0).startsWith("3 operations of shop failed in doubled: {"));
    assertTrue(faults.get(1).startsWith("2 operations of shop that were due in doubled"));
  }

  private static QosOutcome never(boolean acts) {
    QosOutcome kept = MadeUpRun.outcome(acts, MadeUpRun.figures(100, 0, 0, 0));
    List<ControlSample> slow =
        kept.samples().stream()
            .map(
                sample ->
                    MadeUpRun.sample(sample.seconds(), sample.phase(), 3, MadeUpRun.had(80, 100)))
            .toList();
    List<PhaseResult> phases =
        kept.phases().stream()
            .map(
                phase ->
                    new PhaseResult(
                        phase.phase(),
                        phase.fromSeconds(),
                        phase.toSeconds(),
                        phase.shop(),
                        phase.reports(),
                        slow.subList((int) phase.fromSeconds(), (int) phase.toSeconds()),
                        25))
            .toList();
    return new QosOutcome(
        kept.settings(),
        kept.start(),
        phases,
        slow,
        List.of(),
        List.of(new LeaderKills.Killed(0, 90, 0, Optional.of("no node says that it leads"))),
        "");
  }

  @Test
  void whatWasNotKeptOrNotDoneIsSaid() {
    assertEquals(
        List.of(
            "a node was not killed and started again: no node says that it leads",
            "the objective was not kept at the end of doubled",
            "the controller did nothing"),
        never(true).faults());
    assertEquals(1, never(false).faults().size(), "a frozen controller keeps nothing");
  }

  @Test
  void noFiguresAreNotKept() {
    PhaseResult of = MadeUpRun.outcome().phases().get(1);
    PhaseResult silent =
        new PhaseResult(of.phase(), 40, 140, of.shop(), Optional.empty(), List.of(), 25);
    assertFalse(silent.isKept());
    assertEquals(OptionalDouble.empty(), silent.endMillis(Statistic.P99));
    assertFalse(silent.json(Statistic.P99).has("keptShareAtEnd"));
    assertEquals(0, silent.cores().nodes());
  }

  @Test
  void clientsSayWhatFailedAndWhatWasRefused() throws Exception {
    ObjectNode said =
        (ObjectNode)
            new ObjectMapper()
                .readTree(
                    "{\"throughput\": 40.5, \"operations\": 810, \"undone\": 1, \"errors\": 9,"
                        + "\"errorsByKind\": {\"read: OVERLOADED\": 7, \"update: UNAVAILABLE\": 2},"
                        + "\"latencyMicros\": {\"mean\": 9000, \"p50\": 8000, \"p99\": 31000},"
                        + "\"settled\": {\"fromSeconds\": 20, \"due\": 400, \"answers\": 390,"
                        + "\"failed\": 4, \"p99Millis\": 12},"
                        + "\"eachSecond\": {\"answers\": [40, 41], \"meanMillis\": [9, 8],"
                        + "\"p50Millis\": [8, 8], \"p99Millis\": [31, 12], \"failed\": [0, 1]}}");
    Figures figures = Figures.of(said);
    assertEquals(40.5, figures.perSecond());
    assertEquals(7, figures.refused());
    assertEquals(2, figures.failed());
    assertEquals(1, figures.undone());
    assertEquals(31, figures.p99Millis());
    assertTrue(figures.why().contains("UNAVAILABLE"));
    assertEquals(OptionalDouble.of(12), figures.settledMillis());
    assertEquals(List.of(31.0, 12.0), figures.seconds().p99Millis());
    JsonNode json = figures.json();
    assertEquals(12, json.path("p99MillisAfterWindow").asDouble());
    assertEquals(figures.seconds(), EachSecond.of(json.path("eachSecond")));
  }

  private static OptionalDouble settled(String said) throws Exception {
    return Figures.of(new ObjectMapper().readTree("{\"settled\": " + said + "}")).settledMillis();
  }

  /** Answers that come in a window may be to what began before it. */
  @Test
  void aTimeIsOfWhatWasToBeginThen() throws Exception {
    assertEquals(OptionalDouble.empty(), settled("{\"due\": 0, \"answers\": 7}"));
    assertEquals(
        OptionalDouble.of(Double.POSITIVE_INFINITY),
        settled("{\"due\": 9, \"failed\": 9, \"answers\": 7, \"p99Millis\": 0}"));
    assertEquals(
        OptionalDouble.of(Double.POSITIVE_INFINITY),
        settled("{\"due\": 200, \"failed\": 3, \"answers\": 190, \"p99Millis\": 5}"));
  }

  @Test
  void aKillThatNeverWasIsAFault() {
    QosOutcome made = MadeUpRun.outcome();
    QosOutcome spared =
        new QosOutcome(
            made.settings(),
            made.start(),
            made.phases(),
            made.samples(),
            made.actions(),
            List.of(),
            "node");
    assertEquals(List.of("only 0 of 1 kills of the node that leads were made"), spared.faults());
  }

  @Test
  void aPhaseInWhichNothingWasDoneIsAFault() {
    Figures nothing =
        new Figures(0, 0, 0, 0, 0, 0, 0, 0, "", OptionalDouble.empty(), EachSecond.NONE);
    assertEquals(
        List.of("no operation of shop was done in doubled"),
        MadeUpRun.outcome(true, nothing).faults());
  }

  @Test
  void peopleSeePhasesAndActions() {
    String text = String.join("\n", QosText.lines(MadeUpRun.outcome(), ZoneOffset.UTC));
    for (String part :
        List.of(
            "3 nodes of 0.22 processors, kept by the node, 5 at most; shop: p99 60.0 ms for 200/s",
            "doubled  shop",
            "08:01:15 add n4: shop violated in 4 of 6 checks: p99 80 ms of 60 ms; nodes use 72 %"
                + " of their capacity; predicted 31.0 ms; measured 28.0 ms",
            "08:01:30 node 2, which led, was killed")) {
      assertTrue(text.contains(part), () -> part + " in\n" + text);
    }
    String bad = String.join("\n", QosText.lines(never(true), ZoneOffset.UTC));
    assertTrue(bad.contains("NOT AS IT SHALL BE: the controller did nothing"), bad);
    assertTrue(bad.contains("no action"), bad);
  }

  @Test
  void anActionThatFailedSaysWhy() {
    assertTrue(
        QosText.of(MadeUpRun.ADD.at(ActionStage.FAILED, "the provisioner does not bring n4"))
            .endsWith("predicted 31.0 ms; failed, the provisioner does not bring n4"));
  }

  @Test
  void aSampleIsALine() {
    JsonNode json = MadeUpRun.samples().get(60).json();
    assertEquals("doubled", json.path("phase").asText());
    assertEquals(80, json.at("/shop/millis/p99").asDouble());
    assertEquals("violated", json.at("/shop/is").asText());
    assertEquals("add n4", json.at("/action/what").asText());
    assertEquals(200, json.at("/limits/0/perSecond").asLong());
    assertEquals(3, json.path("places").asInt());
    assertFalse(json.toString().contains("\n"));
  }

  @Test
  void responseTimesThroughputAndNodesAreDrawn(@TempDir Path directory) throws Exception {
    for (String file : QosPlots.draw(Stored.of(MadeUpRun.outcome()), directory)) {
      String picture = Files.readString(directory.resolve(file));
      assertTrue(picture.contains("<svg"), file);
      assertTrue(picture.contains("stroke-width:7"), "bars where data moved in " + file);
    }
    QosPlots.draw(Stored.of(never(false)), directory);
    QosOutcome empty =
        new QosOutcome(
            MadeUpRun.settings(64, 0, true),
            MadeUpRun.outcome().start(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            "");
    assertEquals(3, QosPlots.draw(Stored.of(empty), directory).size());
  }

  @Test
  void whatIsDrawnLaterIsTheSame(@TempDir Path now, @TempDir Path later) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    QosOutcome outcome = MadeUpRun.outcome();
    List<JsonNode> samples = new ArrayList<>();
    for (ControlSample sample : outcome.samples()) {
      samples.add(mapper.readTree(sample.json().toString()));
    }
    Stored stored = new Stored(mapper.readTree(outcome.json().toPrettyString()), samples);
    List<String> names = QosPlots.draw(Stored.of(outcome), now);
    assertEquals(names, QosPlots.draw(stored, later));
    for (String name : names) {
      assertEquals(Files.readString(now.resolve(name)), Files.readString(later.resolve(name)));
    }
  }

  @Test
  void picturesHaveTheObjectiveAndMarks() {
    TimeChart chart = QosPlots.responseTime(Stored.of(MadeUpRun.outcome()));
    assertEquals(List.of("p99", "mean"), chart.lines().stream().map(Series::name).toList());
    assertEquals(240, chart.lines().getFirst().size());
    assertEquals(60, chart.bounds().getFirst().last());
    assertEquals(List.of(new Mark(75, "add n4")), chart.marks().getFirst().all());
    assertEquals(List.of(new Mark(90, "")), chart.marks().get(1).all());
    assertEquals(3, chart.marks().get(2).all().size());
  }

  /** Paper: Cassandra QoS, figures 3, 4 and 6. */
  @Test
  void picturesHaveTheTimesInWhichDataMoved() {
    List<Periods> moved = List.of(new Periods("data moves", List.of(new Period(90, 100))));
    Stored outcome = Stored.of(MadeUpRun.outcome());
    assertEquals(moved, QosPlots.responseTime(outcome).periods());
    assertEquals(moved, QosPlots.throughput(outcome).periods());
    assertEquals(moved, QosPlots.nodes(outcome).periods());
    assertEquals(2, MadeUpRun.samples().get(90).json().path("copiesBeingMade").asInt());
    assertFalse(MadeUpRun.samples().get(95).json().has("copiesBeingMade"));
  }

  /** Of 8 clients on 2 nodes a mean of 3.131 ms is predicted, and 4.2 ms are allowed. */
  @Test
  void aPlanStandsBesideWhatWasMeasuredInTheCalmPhase() {
    QosOutcome outcome = MadeUpRun.planned(3.5, 75);
    assertEquals(List.of(), outcome.faults());
    JsonNode json = outcome.json();
    assertEquals("qos", json.path("benchmark").asText());
    assertEquals(4.2, json.at("/settings/meanMillis").asDouble());
    assertFalse(json.at("/settings").has("p99Millis"));
    assertFalse(json.has("rate"));
    assertEquals(2, json.at("/plan/nodes").asInt());
    assertEquals(8, json.at("/plan/clients").asInt());
    assertEquals("je.csv", json.at("/plan/table").asText());
    double predicted = json.at("/plan/predictedMillis").asDouble();
    assertEquals(3.131, predicted, 1e-3);
    assertEquals(3.5, json.at("/plan/measuredMillis").asDouble());
    assertEquals(1 - predicted / 3.5, json.at("/plan/millisError").asDouble(), 1e-3);
    assertTrue(json.at("/plan/targetKept").asBoolean());
    assertFalse(json.at("/plan/cells").isEmpty(), json::toString);
    assertEquals(3, json.at("/plan/doubled/nodes").asInt());
    assertEquals(8, json.at("/phases/0/clients").asInt());
    assertEquals(16, json.at("/phases/1/clients").asInt());
    assertEquals(1, json.at("/phases/2/clients").asInt());
    assertTrue(json.at("/phases/1").has("meanMillisAtEnd"), json::toString);
    String text = String.join("\n", QosText.lines(outcome, ZoneOffset.UTC));
    for (String part :
        List.of(
            "2 nodes (je, class small, zipf-read) will do for 8 clients with a mean response time",
            "measured in calm: 3.50 ms, off by 10.5 %",
            "by the table twice the clients need 3 nodes, with 4.13 ms",
            "2 nodes of 0.2 processors, kept by the node, 3 at most; shop: mean 4.20 ms for 8"
                + " clients",
            "16 clients")) {
      assertTrue(text.contains(part), () -> part + " in\n" + text);
    }
  }

  @Test
  void aPlanThatWasNotKeptOrLeftAloneIsAFault() {
    assertEquals(
        List.of("the planned nodes did not keep the objective in calm"),
        MadeUpRun.planned(4.3, 75).faults());
    assertEquals(
        List.of(
            "the planned nodes were not left alone in calm: add n4",
            "by the table doubled calls for 1 node more; begun was nothing"),
        MadeUpRun.planned(3.5, 20).faults());
  }

  /** What is wrong with a planned run in which a node is added at 75 s, and that happens then. */
  private static List<String> faultsWith(ControlAction added, double seconds, ControlAction then) {
    ActionLog actions = new ActionLog();
    MadeUpRun.see(actions, 75, added);
    MadeUpRun.see(actions, seconds, then);
    return MadeUpRun.planned(3.5, actions).faults();
  }

  /** Taking it away has begun at least. */
  @Test
  void whatWasAddedByAPlanGoesWithTheLoad() {
    assertEquals(List.of(), faultsWith(ADDED, 230, MadeUpRun.REMOVE));
    assertEquals(
        List.of(NOT_TAKEN_AWAY),
        faultsWith(ADDED, 180, MadeUpRun.REMOVE.at(ActionStage.FAILED, "a copy is missing")));
    assertEquals(
        List.of(
            "by the table doubled calls for 1 node more; begun was add n4, remove n4",
            NOT_TAKEN_AWAY),
        faultsWith(ADDED, 130, MadeUpRun.REMOVE));
    ActionLog kept = new ActionLog();
    MadeUpRun.see(kept, 75, ADDED);
    assertEquals(List.of(NOT_TAKEN_AWAY), MadeUpRun.planned(3.5, kept).faults());
  }

  /** Also one that came to nothing was begun; one that was proposed only was not. */
  @Test
  void aDoubledLoadCallsForWhatTheTableAsksFor() {
    ControlAction failed =
        MadeUpRun.ADD.at(ActionStage.FAILED, "the provisioner does not bring n4");
    assertEquals(
        List.of(
            "the controller did nothing",
            "by the table doubled calls for 1 node more; begun was add n4, remove n4"),
        faultsWith(failed, 130, MadeUpRun.REMOVE.at(ActionStage.FAILED, "")));
    assertEquals(
        List.of(NOT_TAKEN_AWAY),
        faultsWith(ADDED, 130, MadeUpRun.REMOVE.at(ActionStage.WITHDRAWN, "")));
  }

  @Test
  void ofAPlanEachActionHasItsEffectBesideItsPrediction() {
    ControlAction unknown =
        new ControlAction(
            8,
            ActionKind.REMOVE_NODE,
            QosRunSettings.SHOP,
            "",
            MadeUpRun.REMOVE.node(),
            0,
            "why",
            0,
            0,
            ActionStage.DONE,
            0,
            "");
    assertEquals(
        List.of(
            "of remove n4 nothing was predicted",
            "of remove n4 it was not measured what it has brought"),
        faultsWith(ADDED, 180, unknown));
    assertEquals(
        List.of("of add n4 it was not measured what it has brought"),
        faultsWith(MadeUpRun.ADD.measured(0, "no load"), 180, MadeUpRun.REMOVE));
  }

  private static QosOutcome slowAtTheEnd(QosOutcome made) {
    List<PhaseResult> phases = new ArrayList<>(made.phases());
    PhaseResult gone = phases.get(2);
    phases.set(
        2,
        new PhaseResult(
            gone.phase(),
            gone.fromSeconds(),
            gone.toSeconds(),
            gone.shop(),
            gone.reports(),
            gone.samples().stream()
                .map(
                    sample ->
                        MadeUpRun.sample(sample.seconds(), sample.phase(), 4, MadeUpRun.had(80, 5)))
                .toList(),
            gone.end()));
    return new QosOutcome(
        made.settings(),
        made.start(),
        phases,
        made.samples(),
        made.actions(),
        made.kills(),
        "node");
  }

  /** Of a run without a table it is said, and of one without a controller it is as it is. */
  @Test
  void whatIsNotShownWhenTheLoadHasGoneIsAFaultOfAPlan() {
    String slow = "the objective was not kept at the end of gone";
    assertEquals(List.of(slow), slowAtTheEnd(MadeUpRun.planned(3.5, 75)).faults());
    QosOutcome given = slowAtTheEnd(MadeUpRun.outcome());
    assertEquals(List.of(), given.faults());
    assertEquals(List.of(NOT_TAKEN_AWAY, slow), given.remarks());
    QosOutcome frozen = slowAtTheEnd(MadeUpRun.outcome(false, MadeUpRun.figures(100, 0, 0, 0)));
    assertEquals(List.of(), frozen.remarks());
    QosOutcome flooded =
        new QosOutcome(
            MadeUpRun.settings(64, 1, true),
            given.start(),
            given.phases(),
            given.samples(),
            given.actions(),
            given.kills(),
            "node");
    assertEquals(List.of(), flooded.remarks());
  }

  /**
   * Nodes and clients keep 80 % of two processors busy in a phase, whichever and of whatever run.
   */
  private static QosOutcome busyIn(int phase, QosOutcome made) {
    List<PhaseResult> phases = new ArrayList<>(made.phases());
    PhaseResult busy = phases.get(phase);
    phases.set(
        phase,
        new PhaseResult(
            busy.phase(),
            busy.fromSeconds(),
            busy.toSeconds(),
            busy.shop(),
            busy.reports(),
            busy.samples().stream()
                .map(
                    sample ->
                        new ControlSample(
                            sample.atMillis(),
                            sample.seconds(),
                            sample.phase(),
                            sample.running(),
                            sample.members(),
                            sample.places(),
                            sample.making(),
                            sample.shop(),
                            sample.reports(),
                            sample.steering(),
                            new CoreUse(1, 1.2, 0.4, 0.1, OptionalDouble.of(0))))
                .toList(),
            busy.end()));
    return new QosOutcome(
        made.settings(),
        made.start(),
        phases,
        made.samples(),
        made.actions(),
        made.kills(),
        "node");
  }

  /** Where processors are shared most is seldom in the calm phase, or with a plan. */
  @Test
  void aMachineThatIsTooBusyIsSaidOfEachPhase() {
    for (QosOutcome made : List.of(MadeUpRun.outcome(), MadeUpRun.planned(3.5, 75))) {
      for (int phase = 0; phase < 3; phase++) {
        String said =
            "in %s nodes and clients kept 80 %% of the processors busy: TOO MUCH, they waited for each other"
                .formatted(made.phases().get(phase).phase().name());
        List<String> remarks = busyIn(phase, made).remarks();
        assertTrue(remarks.contains(said), remarks::toString);
        assertEquals(1, remarks.stream().filter(line -> line.contains("TOO MUCH")).count(), said);
      }
      assertTrue(made.remarks().stream().noneMatch(line -> line.contains("TOO MUCH")));
    }
  }

  /** Paper: Cassandra QoS, figure 7. */
  @Test
  void picturesOfAPlanHaveWhatWasPredictedOfTheCalmPhase() {
    Stored run = Stored.of(MadeUpRun.planned(3.5, 75));
    List<Series> bounds = QosPlots.responseTime(run).bounds();
    assertEquals(
        List.of("objective: mean", "predicted mean"), bounds.stream().map(Series::name).toList());
    assertEquals(4.2, bounds.getFirst().last());
    assertEquals(List.of(0.0, 40.0), bounds.getLast().xs());
    assertEquals(3.131, bounds.getLast().last(), 1e-2);
    assertEquals(2, QosPlots.nodes(run).bounds().getFirst().last());
    // A record has 1000 bytes.
    assertEquals(
        1_000 * run.result().at("/plan/predictedMegabytesPerSecond").asDouble(),
        QosPlots.throughput(run).bounds().getFirst().last(),
        1e-6);
    assertEquals(List.of(), QosPlots.nodes(Stored.of(MadeUpRun.outcome())).bounds());
  }

  @Test
  void whatASlotHasWasDoneUntilTheNextOneBegan() {
    QosOutcome kept = MadeUpRun.outcome();
    List<ControlSample> samples = new ArrayList<>();
    for (int second = 0; second < 20; second++) {
      // A slot of 5 s each 8 s, with the 800 operations of those, told 2 s after its end.
      int begun = second / 8 * 8;
      ServiceFigures slot =
          new ServiceFigures(2_000 + 1_000L * (second - begun), 5_000, 800, 0, 0, 1, 1, 1);
      samples.add(
          MadeUpRun.sample(
              second, QosPhase.CALM, 3, new ControlSample.Had(slot, ServiceVerdict.KEPT)));
    }
    QosOutcome outcome =
        new QosOutcome(kept.settings(), kept.start(), List.of(), samples, List.of(), List.of(), "");
    assertEquals(List.of(100.0, 100.0), QosPlots.rates("shop", Stored.of(outcome)).ys());
  }

  @Test
  void throughputIsTheMeanOfFifteenSeconds() {
    Series rough = new Series("shop");
    for (int second = 0; second < 40; second++) {
      rough.add(second, second % 2 == 0 ? 0 : 100);
    }
    Series smooth = QosPlots.smooth(rough);
    assertEquals(0, smooth.ys().getFirst());
    assertEquals(50, smooth.last(), 1e-9);
    assertEquals(40, smooth.size());
  }

  @Test
  void coresAreWeightedByTime() {
    CoreUse mean =
        CoreUse.mean(
            List.of(
                new CoreUse(0, 0, 0, 0, OptionalDouble.empty()),
                new CoreUse(1, 1, 0, 0, OptionalDouble.of(0.5)),
                new CoreUse(3, 0.2, 0.4, 0, OptionalDouble.of(0.1))));
    assertEquals(0.4, mean.nodes(), 1e-9);
    assertEquals(0.3, mean.clients(), 1e-9);
    assertEquals(0.2, mean.others().orElseThrow(), 1e-9);
    assertFalse(
        CoreUse.mean(List.of(new CoreUse(1, 1, 0, 0, OptionalDouble.empty())))
            .json()
            .has("others"));
  }
}
