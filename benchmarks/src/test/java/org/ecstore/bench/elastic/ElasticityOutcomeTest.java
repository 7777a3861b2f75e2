package org.ecstore.bench.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.ecstore.bench.elastic.ElasticityOutcome.Change;
import org.ecstore.bench.elastic.ElasticityOutcome.Phase;
import org.ecstore.bench.load.AnswerLog.Had;
import org.ecstore.bench.load.CoreUse;
import org.ecstore.bench.plot.TimeChart.Mark;
import org.ecstore.bench.plot.TimeChart.Marks;
import org.ecstore.bench.plot.TimeChart.Period;
import org.ecstore.bench.plot.TimeChart.Periods;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.cluster.node.NodeResources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElasticityOutcomeTest {
  private static final CoreUse CORES = new CoreUse(10, 0.8, 0.4, 0, OptionalDouble.of(0.1));
  private static final CoreUse BUSY = new CoreUse(10, 1.5, 0.3, 0, OptionalDouble.of(0.1));

  private static Phase calm(String name, int from, double p99) {
    return new Phase(name, from, from + 10, had(p99, 0), Optional.empty(), CORES);
  }

  private static Had had(double p99, long failed) {
    return new Had(10, 1_000, 1_000 - failed, p99 / 3, p99 / 2, p99, failed, 0.25);
  }

  private static Phase changed(
      String name, int from, double p99, long failed, OptionalDouble balanced) {
    return new Phase(
        name,
        from,
        from + 10,
        had(p99, failed),
        Optional.of(
            new Change(
                from, balanced, balanced.isPresent() ? "" : "r1 lacks a copy", 3, 90_000_000L)),
        BUSY);
  }

  private static ElasticityOutcome outcome(
      long records, double p99, long failed, OptionalDouble drained) {
    return new ElasticityOutcome(
        new ElasticitySettings(
            new ElasticitySettings.Machines(3, 3, NodeResources.SMALL, NodeClass.STANDARD),
            new ElasticitySettings.Store(
                TableWorkload.of("zipf-read-heavy").orElseThrow(), records, 1_000),
            new ElasticitySettings.Course(
                0,
                8,
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(300),
                Duration.ofSeconds(5)),
            2),
        OptionalDouble.of(200),
        100,
        List.of(
            calm("calm", 0, 4),
            changed("adding", 10, p99, failed, OptionalDouble.of(70)),
            calm("after adding", 20, 5),
            changed("draining", 30, 5, 0, drained),
            calm("after draining", 40, 4)),
        List.of(had(4, 0), had(8, 0)),
        List.of(new Period(11, 14.5), new Period(31, 33)),
        failed == 0 ? Map.of() : Map.of("read: ERROR", failed));
  }

  private static List<String> goals(ElasticityOutcome outcome) {
    return outcome.goals().stream().map(goal -> goal.is().words()).toList();
  }

  @Test
  void allThatIsAimedAtIsHeld() {
    ElasticityOutcome outcome = outcome(1_000_000, 8, 0, OptionalDouble.of(40));
    assertEquals(List.of("held", "held", "held", "held", "held", "held", "held"), goals(outcome));
    assertTrue(outcome.isGood());
    JsonNode json = outcome.json();
    assertEquals(60, json.at("/phases/1/secondsUntilBalanced").asDouble());
    assertEquals(2, json.at("/phases/1/p99Times").asDouble());
    assertEquals(1.25, json.at("/phases/2/p99Times").asDouble());
    assertTrue(json.at("/phases/0/p99Times").isMissingNode());
    assertEquals(90_000_000, json.at("/phases/1/bytesMoved").asLong());
    assertEquals(2, json.path("seconds").size());
  }

  @Test
  void whatIsMissedIsSaid() {
    ElasticityOutcome outcome = outcome(500_000, 8.1, 2, OptionalDouble.empty());
    assertEquals(
        List.of("not held", "held", "held", "held", "not held", "not shown", "not held"),
        goals(outcome));
    assertFalse(outcome.isGood());
    List<String> lines = ElasticityText.lines(outcome);
    assertTrue(
        lines.stream().anyMatch(line -> line.contains("not balanced in time: r1 lacks a copy")),
        lines::toString);
    assertTrue(lines.stream().anyMatch(line -> line.contains("{read: ERROR=2}")), lines::toString);
    assertEquals(
        "not held",
        outcome(999, 8, 0, OptionalDouble.of(91)).goals().getLast().is().words(),
        "a minute is missed with less than 1 GB too");
  }

  /** Else it is not known whether a slow phase is that of the cluster, or of a full machine. */
  @Test
  void howBusyTheMachineWasIsSaidOfEachPhase() {
    ElasticityOutcome outcome = outcome(1_000, 8, 0, OptionalDouble.of(40));
    assertEquals(
        List.of(
            "in adding nodes and clients kept 90 % of the processors busy: TOO MUCH, they waited"
                + " for each other",
            "in draining nodes and clients kept 90 % of the processors busy: TOO MUCH, they waited"
                + " for each other"),
        outcome.remarks());
    List<String> lines = ElasticityText.lines(outcome);
    assertTrue(
        lines.getFirst().startsWith("3 nodes without a capacity on 2 processors, 3 copies, "),
        lines::getFirst);
    assertTrue(lines.contains("  " + outcome.remarks().getFirst()), lines::toString);
    assertTrue(
        lines.stream().anyMatch(line -> line.startsWith("  calm") && line.contains("  60 %  ")),
        lines::toString);
    JsonNode json = outcome.json();
    assertEquals(0.6, json.at("/phases/0/busyShare").asDouble());
    assertEquals(1.5, json.at("/phases/1/cores/nodes").asDouble());
    assertTrue(json.at("/settings/capacity").isNull());
    assertEquals(2, json.path("remarks").size());
  }

  /** Clients of these runs are threads of the process that looks on. */
  @Test
  void clientsInThisProcessAreClients() {
    CoreUse here = new CoreUse(1, 0.5, 0, 0.7, OptionalDouble.empty()).ofClientsHere();
    assertEquals(new CoreUse(1, 0.5, 0.7, 0, OptionalDouble.empty()), here);
    assertEquals(0.6, here.share(2), 1e-9);
  }

  /** As those of {@code qos validate} and {@code bench qos} are. */
  @Test
  void eachGoalThatIsMissedIsNotGood() {
    assertTrue(outcome(1_000, 8, 0, OptionalDouble.of(40)).isGood(), "a minute is not shown");
    assertFalse(outcome(1_000, 30.4, 0, OptionalDouble.of(40)).isGood(), "7.6 times the p99");
    assertFalse(outcome(1_000, 8, 1, OptionalDouble.of(40)).isGood(), "one failed");
    assertFalse(outcome(1_000, 8, 0, OptionalDouble.of(91)).isGood(), "61 s");
    assertFalse(outcome(1_000, 8, 0, OptionalDouble.empty()).isGood(), "not in time");
    assertFalse(outcome(1_000, 30.4, 0, OptionalDouble.of(40)).json().path("good").asBoolean());
  }

  @Test
  void plotsAreDrawn(@TempDir Path directory) throws IOException {
    ElasticityOutcome outcome = outcome(1_000, 8, 0, OptionalDouble.of(40));
    for (String file : ElasticityPlots.draw(outcome.json(), directory)) {
      String svg = Files.readString(directory.resolve(file));
      assertTrue(svg.contains("<svg") && svg.contains("</svg>"), file);
    }
    assertEquals(
        List.of(
            new Marks("change begins", List.of(new Mark(10, "adding"), new Mark(30, "draining"))),
            new Marks("balanced", List.of(new Mark(70, "balanced"), new Mark(40, "balanced")))),
        ElasticityPlots.throughput(outcome.json()).marks());
  }

  /** Paper: Cassandra QoS, figures 3, 4 and 6. */
  @Test
  void picturesHaveTheTimesInWhichDataMoved(@TempDir Path directory) throws IOException {
    ElasticityOutcome outcome = outcome(1_000, 8, 0, OptionalDouble.of(40));
    List<Periods> moved =
        List.of(new Periods("data moves", List.of(new Period(11, 14.5), new Period(31, 33))));
    assertEquals(moved, ElasticityPlots.responseTime(outcome.json()).periods());
    assertEquals(moved, ElasticityPlots.throughput(outcome.json()).periods());
    assertEquals(14.5, outcome.json().at("/dataMoves/0/to").asDouble());
    for (String file : ElasticityPlots.draw(outcome.json(), directory)) {
      assertTrue(Files.readString(directory.resolve(file)).contains("stroke-width:7"), file);
    }
  }
}
