package org.ecstore.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
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
        List.of("seeds", "violations", "virtualHours", "commits", "events", "traceHash"), names);
    assertEquals(3, report.get("seeds").asInt());
    assertEquals(0, report.get("violations").asInt());
    assertTrue(report.get("commits").asInt() > 0, out::toString);
  }

  @Test
  void theNumberOfThreadsChangesNothing() {
    run("sim", "--seeds", "4", "--first-seed", "9", "--threads", "1", "--json");
    run("sim", "--seeds", "4", "--first-seed", "9", "--threads", "3", "--json");
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
}
