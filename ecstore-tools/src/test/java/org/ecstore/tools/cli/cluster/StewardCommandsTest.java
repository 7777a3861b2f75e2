package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.junit.jupiter.api.Test;

class StewardCommandsTest {
  private static final Decided DECIDED =
      new Decided(
          new NodeId(2),
          List.of(
              new DecisionLine(
                  1,
                  Optional.empty(),
                  7,
                  "load",
                  List.of(new RangeId(3), new RangeId(4)),
                  "split range 3",
                  "",
                  DecisionLine.DONE,
                  ""),
              new DecisionLine(
                  2,
                  Optional.of(1_500L),
                  0,
                  "objective",
                  List.of(),
                  "add n4",
                  "shop violated in 3 of 6 checks; predicted: 28.5 ms",
                  DecisionLine.DONE,
                  "kept: 33.3 ms, predicted 28.5 ms")));

  private static List<String> said(Decided decided, boolean json) {
    List<String> said = new ArrayList<>();
    StewardCommands.show(decided, json, said::add);
    return said;
  }

  @Test
  void decisionsAreOneObjectOfJson() throws Exception {
    List<String> said = said(DECIDED, true);
    assertEquals(1, said.size());
    JsonNode json = new ObjectMapper().readTree(said.getFirst());
    assertEquals("n2", json.path("steward").asText());
    assertEquals(2, json.path("decisions").size());
    JsonNode split = json.path("decisions").path(0);
    assertTrue(split.path("agoSeconds").isMissingNode());
    assertEquals(7, split.path("map").asLong());
    assertEquals("r4", split.path("ranges").path(1).asText());
    JsonNode added = json.path("decisions").path(1);
    assertEquals(1.5, added.path("agoSeconds").asDouble());
    assertTrue(added.path("map").isMissingNode());
    assertEquals("objective", added.path("cause").asText());
    assertEquals("add n4", added.path("what").asText());
    assertEquals("shop violated in 3 of 6 checks; predicted: 28.5 ms", added.path("why").asText());
    assertEquals("done", added.path("outcome").asText());
    assertEquals("kept: 33.3 ms, predicted 28.5 ms", added.path("detail").asText());
    Decided none = new Decided(new NodeId(2), List.of());
    assertEquals("{\"steward\":\"n2\",\"decisions\":[]}", said(none, true).getFirst());
  }

  @Test
  void forPeopleTheyAreLines() {
    assertEquals(4, said(DECIDED, false).size());
    Decided none = new Decided(new NodeId(2), List.of());
    assertEquals(List.of("the steward, n2, has decided nothing about that"), said(none, false));
  }
}
