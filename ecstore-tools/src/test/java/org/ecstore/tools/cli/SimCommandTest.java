package org.ecstore.tools.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.sim.Adapters;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SimCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  @Test
  void jsonIsOneObjectWithTheAgreedFields() throws JsonProcessingException {
    assertEquals(ExitStatus.OK, run("sim", "--seeds", "3", "--json"), err::toString);
    JsonNode report = new ObjectMapper().readTree(out.toString().lines().toList().getLast());
    List<String> names = new ArrayList<>();
    report.fieldNames().forEachRemaining(names::add);
    assertEquals(
        List.of(
            "seeds", "violations", "virtualHours", "commits", "events", "traceHash", "seedsWith"),
        names);
    assertEquals(3, report.get("seeds").asInt());
    assertEquals(0, report.get("violations").asInt());
    assertTrue(report.get("commits").asInt() > 0, out::toString);
  }

  @Test
  void theNumberOfThreadsChangesNothing() {
    run("sim", "--seeds", "2", "--first-seed", "9", "--threads", "1", "--json");
    run("sim", "--seeds", "2", "--first-seed", "9", "--threads", "3", "--json");
    List<String> lines = out.toString().lines().toList();
    assertEquals(lines.get(0), lines.get(1));
  }

  @Test
  void verbosePrintsTheEventsOfOneSeed() {
    assertEquals(ExitStatus.OK, run("sim", "--seeds", "1", "--first-seed", "2", "--verbose"));
    assertTrue(out.toString().contains("all faults are healed"), out::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("sim", "--seeds", "2", "--verbose"));
  }

  @Test
  void plantedBugsWithoutTheTestSideAreRefusedInOneLine() {
    assertEquals(ExitStatus.BAD_INPUT, run("sim", "--plant", "ack-before-durable"));
    assertEquals(
        "ecstore sim: --plant ack-before-durable: planted bugs are compiled on the test side only, "
            + "which is not on the class path",
        err.toString().strip());
  }

  @Test
  @Tag("slow")
  void halfOfTheSeedsDrawEachRealAdapterAndEachIsReplayedByItsNumber() {
    String[] two = {"sim", "--adapters", "--seeds", "2", "--first-seed", "7"};
    assertEquals(ExitStatus.OK, run(two), () -> out + "\n" + err);
    String first = out.toString();
    assertTrue(first.contains(Adapters.LEDGER_DRAWN), first);
    assertTrue(first.contains(Adapters.COORDINATION_DRAWN), first);
    run(two);
    assertEquals(first + first, out.toString());
    assertEquals(ExitStatus.BAD_INPUT, run("sim", "--adapters", "--mutants"));
  }

  @Test
  void mutantsAreOneObjectWithTheScoreOfEachRule() throws JsonProcessingException {
    String within = "org.ecstore.replication.copy.CopyTable#closed(";
    int status =
        run(
            "sim",
            "--mutants",
            "--within",
            within,
            "--rule",
            "11",
            "--seed",
            "2",
            "--count",
            "1",
            "--seeds-max",
            "1",
            "--json");
    assertEquals(ExitStatus.OK, status, err::toString);
    JsonNode report = new ObjectMapper().readTree(out.toString().lines().toList().getLast());
    for (String name : List.of("mutants", "found", "equivalent", "notFound", "notReached")) {
      assertTrue(report.get(name).isInt(), name);
    }
    assertEquals(1, report.get("mutants").asInt());
    assertEquals(1, report.get("rules").get("11").get("mutants").asInt());
    JsonNode one = report.get("list").get(0);
    assertTrue(one.get("mutant").asText().startsWith(within), one::toString);
    assertTrue(one.get("reached").asLong() > 0, one::toString);
  }

  @Test
  void mutantThatIsNamedIsRunAndNoneIsDrawn() throws JsonProcessingException {
    String name = "replication.copy.CopyTable#closed ifeq NEVER_JUMPS";
    assertEquals(
        ExitStatus.OK,
        run("sim", "--mutants", "--only", name, "--seeds-max", "1", "--json"),
        err::toString);
    JsonNode report = new ObjectMapper().readTree(out.toString().lines().toList().getLast());
    assertEquals(report.get("population"), report.get("mutants"));
    for (JsonNode one : report.get("list")) {
      String mutant = one.get("mutant").asText();
      assertTrue(mutant.startsWith("org.ecstore.replication.copy.CopyTable#closed("), mutant);
      assertTrue(mutant.endsWith(":NEVER_JUMPS"), mutant);
    }
    assertEquals(ExitStatus.BAD_INPUT, run("sim", "--mutants", "--only", name, "--count", "2"));
    assertEquals(
        ExitStatus.BAD_INPUT, run("sim", "--mutants", "--only", "CopyTable ifeq NEVER_JUMPS"));
    assertEquals(ExitStatus.BAD_INPUT, run("sim", "--only", name));
  }

  @Test
  void whatIsOnlyForMutantsIsRefusedWithoutThem() {
    assertEquals(ExitStatus.BAD_INPUT, run("sim", "--rule", "11"));
    assertEquals("ecstore sim: --rule is about mutants: add --mutants", err.toString().strip());
  }

  @Test
  void aRuleThatThereIsNotIsRefused() {
    assertEquals(ExitStatus.BAD_INPUT, run("sim", "--mutants", "--rule", "27"));
    assertEquals("ecstore sim: --rule must be from 1 to 26, not 27", err.toString().strip());
  }

  @Test
  void helpTeachesWhatMutantsAreFor() {
    assertEquals(ExitStatus.OK, run("sim", "--help"));
    for (String said :
        List.of("--mutants", "--rule", "--within", "--only", "--seeds-max", "drawn by seeds")) {
      assertTrue(out.toString().contains(said), said);
    }
  }
}
