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
import org.junit.jupiter.api.Test;

class OverlayCommandTest {
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
    assertEquals(ExitStatus.OK, run("overlay", "--nodes", "200", "--json"));
    List<String> lines = out.toString().lines().toList();
    JsonNode report = new ObjectMapper().readTree(lines.getLast());
    List<String> names = new ArrayList<>();
    report.fieldNames().forEachRemaining(names::add);
    assertEquals(
        List.of(
            "nodes",
            "height",
            "maxHops",
            "meanHops",
            "bound",
            "joinMessagesMean",
            "leaveMessagesMean"),
        names);
    assertEquals(200, report.get("nodes").asInt());
    assertTrue(report.get("maxHops").asInt() <= report.get("bound").asDouble(), out::toString);
    assertEquals(13.007, report.get("bound").asDouble());
  }

  @Test
  void aTableIsPrintedForReaders() {
    assertEquals(ExitStatus.OK, run("overlay", "--nodes", "1"));
    assertTrue(out.toString().contains("within the bound of 2.0"), out::toString);
    assertEquals(6, out.toString().lines().count());
  }

  @Test
  void theSeedDecidesWhatComesOut() {
    run("overlay", "--nodes", "60", "--seed", "5", "--json");
    run("overlay", "--nodes", "60", "--seed", "5", "--json");
    run("overlay", "--nodes", "60", "--seed", "6", "--json");
    List<String> lines = out.toString().lines().toList();
    assertEquals(lines.get(0), lines.get(1));
    assertTrue(!lines.get(0).equals(lines.get(2)), out::toString);
  }

  @Test
  void aTreeWithoutNodesIsRefusedInOneLine() {
    assertEquals(ExitStatus.BAD_INPUT, run("overlay", "--nodes", "0"));
    assertEquals(ExitStatus.BAD_INPUT, run("overlay", "--nodes=-3"));
    assertEquals(ExitStatus.BAD_INPUT, run("overlay", "--nodes", "many"));
    List<String> lines = err.toString().lines().toList();
    assertEquals("ecstore overlay: --nodes must be from 1 to 100000, not 0", lines.get(0));
    assertEquals("ecstore overlay: --nodes must be from 1 to 100000, not -3", lines.get(1));
    assertEquals(3, lines.size(), err::toString);
    assertEquals("", out.toString());
  }
}
