package org.ecstore.bench.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.ecstore.bench.control.Interference.Round;
import org.ecstore.bench.control.PhaseResult.Figures;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.plot.TimeChart;
import org.ecstore.bench.report.EachSecond;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Floods that never were: 60 ms are promised. */
class InterferenceTest {
  private static final int SECONDS = 10;

  private static Figures figures(double whole, OptionalDouble settled) {
    return new Figures(
        50,
        1_000,
        12,
        10,
        whole,
        0,
        0,
        0,
        "",
        settled,
        new EachSecond(
            Collections.nCopies(SECONDS, 50L),
            Collections.nCopies(SECONDS, 12.0),
            Collections.nCopies(SECONDS, 10.0),
            Collections.nCopies(SECONDS, whole),
            Collections.nCopies(SECONDS, 0L)));
  }

  private static Round round(int number, boolean acts, double whole, OptionalDouble settled) {
    QosOutcome made = MadeUpRun.outcome(acts, MadeUpRun.figures(100, 0, 0, 0));
    PhaseResult second = made.phases().get(1);
    List<PhaseResult> phases = new ArrayList<>(made.phases());
    phases.set(
        1,
        new PhaseResult(
            made.settings().withActs(acts).phases(MadeUpRun.RATE).get(1),
            second.fromSeconds(),
            second.toSeconds(),
            figures(whole, settled),
            Optional.of(MadeUpRun.figures(900, 70, 0, 0)),
            second.samples(),
            25));
    QosOutcome outcome =
        new QosOutcome(
            made.settings(),
            made.start(),
            phases,
            made.samples(),
            acts ? made.actions() : List.of(),
            List.of(),
            "node");
    return new Round(number, acts, "round-" + number + (acts ? "-acts" : "-frozen"), outcome);
  }

  /** Rounds with these p99 after the window; those of the whole phase are 50 ms longer. */
  private static Interference of(int rounds, double acting, double frozen) {
    List<Round> all = new ArrayList<>();
    for (int i = 1; i <= rounds; i++) {
      all.add(round(i, true, acting + 50 + i, OptionalDouble.of(acting + i)));
      all.add(round(i, false, frozen + 50 + i, OptionalDouble.of(frozen + i)));
    }
    return new Interference(MadeUpRun.settings(64, 0, true), all);
  }

  private static List<String> verdicts(Interference of) {
    return of.claims().stream().map(Claim::verdict).map(Enum::name).toList();
  }

  @Test
  void fiveRoundsThatAgreeShowBothWays() {
    Interference kept = of(5, 40, 100);
    assertEquals(List.of("HOLDS", "HOLDS", "DOES_NOT_HOLD", "HOLDS"), verdicts(kept));
    assertEquals(List.of(), kept.faults(), "of the whole phase it is only said");
    assertEquals(
        List.of("NOT_SHOWN", "NOT_SHOWN", "NOT_SHOWN", "NOT_SHOWN"), verdicts(of(3, 40, 100)));
  }

  @Test
  void whatDoesNotHoldAfterTheWindowIsAFault() {
    List<String> missed = of(5, 80, 20).faults();
    assertEquals(2, missed.size(), missed::toString);
    assertTrue(missed.get(0).startsWith("does not hold: With the controller the shop keeps"));
    assertTrue(missed.get(1).startsWith("does not hold: Without the controller"));
    // 58 to 62 ms of 60 ms: rounds disagree.
    assertEquals("NOT_SHOWN", verdicts(of(5, 57, 100)).getFirst());
    assertEquals(List.of(), of(5, 57, 100).faults());
  }

  @Test
  void aPhaseThatIsOverBeforeTheWindowHasNoClaimOfIt() {
    Interference shorter =
        new Interference(
            MadeUpRun.settings(64, 0, true),
            List.of(
                round(1, true, 40, OptionalDouble.empty()),
                round(1, false, 90, OptionalDouble.empty())));
    assertEquals(2, shorter.claims().size());
    assertTrue(String.join("\n", shorter.lines()).contains("acts"), shorter.lines()::toString);
  }

  @Test
  void eachRoundIsInTheResultAndInThePictures(@TempDir Path directory) throws Exception {
    Interference found = of(2, 40, 100);
    JsonNode json = found.json();
    assertEquals(4, json.path("rounds").size());
    JsonNode first = json.path("rounds").path(0);
    assertTrue(first.path("acts").asBoolean());
    assertEquals("round-1-acts", first.path("directory").asText());
    assertEquals(41, first.path("p99MillisAfterWindow").asDouble());
    assertEquals(91, first.path("p99Millis").asDouble());
    assertEquals("add n4", first.at("/actions/0/what").asText());
    TimeChart chart = InterferencePlots.responseTime(json);
    assertEquals(SECONDS, chart.lines().getFirst().size());
    assertEquals(91, chart.lines().getFirst().last(), "the lower of two");
    assertEquals(151, chart.lines().getLast().last());
    assertEquals(60, chart.bounds().getFirst().last());
    assertEquals(35, chart.marks().getFirst().all().getFirst().seconds(), "75 s of a run");
    for (String file : InterferencePlots.draw(json, directory)) {
      assertTrue(Files.readString(directory.resolve(file)).contains("<svg"), file);
    }
    String text = String.join("\n", found.lines());
    assertTrue(text.contains("not shown: p99 41.0 ms of 60.0 ms"), text);
  }

  @Test
  void theWindowCountsFromTheBeginningOfThePhase() {
    QosRunSettings settings = MadeUpRun.settings(64, 0, true);
    QosPhase flooded = settings.phases(MadeUpRun.RATE).get(1);
    // Six checks of 5 s, of which the first 5 s do not count anyway.
    assertEquals(25, settings.settledSeconds(flooded));
    assertEquals(
        0,
        settings.settledSeconds(new QosPhase("short", Duration.ofSeconds(30), flooded.load(), 0)));
  }
}
