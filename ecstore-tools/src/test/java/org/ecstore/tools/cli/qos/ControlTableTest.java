package org.ecstore.tools.cli.qos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.ControlCheckLine;
import org.ecstore.protocol.ClientReply.NodeLoadLine;
import org.junit.jupiter.api.Test;

/** What {@code qos status} prints of an answer, for people and for programs. */
class ControlTableTest {
  private static final String WHY =
      "shop violated in 11 of 20 checks: p99 31.2 ms of 20 ms; nodes use 82 % of their capacity";

  private static final ControlAction LIMIT =
      new ControlAction(
          6,
          ActionKind.LIMIT,
          "shop",
          "reports",
          Optional.empty(),
          200,
          "it was violated",
          31_200,
          24_000,
          ActionStage.DONE,
          26_512,
          "violated: 26.512 ms, predicted 24.0 ms");

  private static ControlAction adding(ActionStage stage) {
    return new ControlAction(
        7,
        ActionKind.ADD_NODE,
        "shop",
        "",
        Optional.of(new NodeId(4)),
        0,
        WHY,
        31_200,
        15_000,
        stage,
        0,
        "");
  }

  private static Control control(ControlMode mode, List<ControlAction> actions) {
    return new Control(
        new NodeId(2),
        new ControlSettings(mode, 5, 300),
        "bin/start-node",
        List.of(
            new NodeLoadLine(new NodeId(1), new NodeLoad(824, 1_240, 1_000, 21, 0)),
            new NodeLoadLine(new NodeId(12), new NodeLoad(66, 0, 0, 0, 1_200))),
        List.of(new ControlCheckLine("shop", 12, 20, 3), new ControlCheckLine("x", 20, 20, 11)),
        List.of(
            new ServiceLimit("reports", List.of(), 200, 0),
            new ServiceLimit("shop", List.of("users"), 0, 4_000),
            new ServiceLimit("x", List.of(), 0, 0)),
        actions);
  }

  @Test
  void statusAsText() {
    assertEquals(
        """
        mode: ask, with 5 nodes and 0.3 an hour at most; it does what is approved
        provisioner: bin/start-node
        steward: n2
          node  busy  wait     cache hits  fold lag
          n1    82%   1.24 ms  98%         0
          n12   7%    0 ms     -           1200
        shop: violated in 3 of 12 checks, 20 are needed
        x: violated in 11 of the last 20 checks
        reports: 200/s at most
        shop: 4000/s are owed to it
          number  what                    for   stage     predicted  measured  detail
          6       limit reports to 200/s  shop  done      24 ms      26.51 ms  violated: 26.512 ms, predi...
          7       add n4                  shop  proposed  15 ms      -         -
        action 7, why: WHY
        action 7 waits for an answer: qos approve 7, or qos reject 7
        """
            .replace("WHY", WHY)
            .strip(),
        String.join(
            "\n",
            ControlTable.lines(
                control(ControlMode.ASK, List.of(LIMIT, adding(ActionStage.PROPOSED))))));
  }

  private static ControlAction threshold(ActionKind kind, long perSecond, ActionStage stage) {
    return new ControlAction(
        8, kind, "shop", "", Optional.empty(), perSecond, WHY, 31_200, 15_000, stage, 0, "");
  }

  /** What is proposed is not so yet, and what was raised is not so any more. */
  @Test
  void aLowerThresholdOfHotSpotReplicasIsShownWhileItStands() {
    ControlAction lowered = threshold(ActionKind.LOWER_THRESHOLD, 225, ActionStage.DONE);
    ControlAction raised = threshold(ActionKind.RAISE_THRESHOLD, 0, ActionStage.UNDER_WAY);
    ControlAction proposed = threshold(ActionKind.LOWER_THRESHOLD, 90, ActionStage.PROPOSED);
    Control control = control(ControlMode.ACT, List.of(lowered, LIMIT, proposed));
    String line = "hot-spot replicas: of copies with 225 reads/s on, lowered by the controller";
    assertTrue(ControlTable.lines(control).contains(line), ControlTable.lines(control)::toString);
    JsonNode json = ControlJson.of(control);
    assertEquals(225, json.path("hotReplicasThreshold").asLong());
    assertEquals("lower threshold", json.path("actions").path(0).path("kind").asText());
    assertEquals(225, json.path("actions").path(0).path("perSecond").asLong());
    assertEquals(
        "lower the threshold of hot-spot replicas to 225 reads/s",
        json.path("actions").path(0).path("what").asText());
    Control over = control(ControlMode.ACT, List.of(lowered, raised, LIMIT));
    assertFalse(ControlTable.lines(over).contains(line));
    assertTrue(ControlJson.of(over).path("hotReplicasThreshold").isMissingNode());
  }

  /** It was lowered before the last hundred actions; or these say that it was, and it is not. */
  @Test
  void whatANodeSaysOfTheThresholdGoesBeforeWhatWasDone() {
    String line = "hot-spot replicas: of copies with 225 reads/s on, lowered by the controller";
    Control stands = control(ControlMode.ACT, List.of(LIMIT)).with(1, OptionalLong.of(225));
    assertTrue(ControlTable.lines(stands).contains(line), ControlTable.lines(stands)::toString);
    assertEquals(225, ControlJson.of(stands).path("hotReplicasThreshold").asLong());
    ControlAction lowered = threshold(ActionKind.LOWER_THRESHOLD, 225, ActionStage.DONE);
    Control over = control(ControlMode.ACT, List.of(lowered)).with(1, OptionalLong.of(0));
    assertFalse(ControlTable.lines(over).contains(line));
    assertTrue(ControlJson.of(over).path("hotReplicasThreshold").isMissingNode());
  }

  /** What is under way is not broken off (decision 0077). */
  @Test
  void whoFreezesIsToldWhatGoesOn() {
    assertTrue(
        ControlTable.lines(control(ControlMode.FREEZE, List.of()))
            .getFirst()
            .endsWith(
                "; it begins nothing; what is under way goes on, and so do limits and a threshold"
                    + " that stand"));
  }

  /** One window is as it is without anything said. */
  @Test
  void howPatientItIsIsSaid() {
    Control control = control(ControlMode.ACT, List.of(LIMIT));
    String line = "what is taken back waits for 4 windows, for it was needed again too soon";
    List<String> lines = ControlTable.lines(control.with(4, OptionalLong.empty()));
    assertTrue(lines.contains(line), lines::toString);
    assertEquals(
        4, ControlJson.of(control.with(4, OptionalLong.empty())).path("patienceWindows").asInt());
    assertEquals(
        ControlTable.lines(control), ControlTable.lines(control.with(1, OptionalLong.empty())));
    assertEquals(
        1, ControlJson.of(control.with(1, OptionalLong.empty())).path("patienceWindows").asInt());
  }

  @Test
  void theLastActionIsSaidInFull() {
    List<String> lines =
        ControlTable.lines(
            control(
                ControlMode.ACT,
                List.of(
                    LIMIT,
                    adding(ActionStage.UNDER_WAY)
                        .at(ActionStage.FAILED, "the provisioner does not bring n4: no answer"))));
    assertEquals("action 7, why: " + WHY, lines.get(lines.size() - 2));
    assertEquals("action 7, failed: the provisioner does not bring n4: no answer", lines.getLast());
  }

  /** In another mode than ask none waits, though it may still be shown as proposed. */
  @Test
  void onlyWhatCanBeAnsweredIsSaidToWait() {
    for (ControlMode mode : ControlMode.values()) {
      List<String> lines = ControlTable.lines(control(mode, List.of(adding(ActionStage.PROPOSED))));
      assertEquals(
          mode == ControlMode.ASK,
          lines.stream().anyMatch(line -> line.contains("waits for an answer")),
          mode::word);
    }
  }

  @Test
  void aClusterThatHasDoneNothingSaysWhatToDo() {
    assertEquals(
        """
        mode: observe, with 1000 nodes at most; it only says what it would do
        provisioner: none: it can add and remove no node (provisioner.command)
        steward: n2
        no node has told of its load so far: they do so while an objective stands
        no objective was checked so far: state one by slo set
        it has done nothing so far
        """
            .strip(),
        String.join(
            "\n",
            ControlTable.lines(
                new Control(
                    new NodeId(2),
                    ControlSettings.DEFAULT,
                    "",
                    List.of(),
                    List.of(),
                    List.of(),
                    List.of()))));
  }

  /** The newest are shown, in lines that a terminal has room for. */
  @Test
  void aHundredActionsFitAScreen() {
    List<ControlAction> all =
        IntStream.rangeClosed(1, 100)
            .mapToObj(
                number ->
                    new ControlAction(
                        number,
                        ActionKind.LIMIT,
                        "a".repeat(64),
                        "b".repeat(64),
                        Optional.empty(),
                        1_000_000_000,
                        "why",
                        1,
                        3_600_000_000L,
                        ActionStage.UNDER_WAY,
                        3_600_000_000L,
                        "d".repeat(1_000)))
            .toList();
    List<String> lines = ControlTable.lines(control(ControlMode.ACT, all));
    assertTrue(lines.contains("90 earlier ones: qos status --json"), lines::toString);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("  91 ")), lines::toString);
    assertTrue(lines.stream().noneMatch(line -> line.startsWith("  90 ")), lines::toString);
    assertTrue(
        lines.subList(0, lines.size() - 2).stream().allMatch(line -> line.length() <= 100),
        lines::toString);
  }

  @Test
  void whatOthersSayCannotWriteLinesOfItsOwn() {
    Control control =
        new Control(
            new NodeId(2),
            ControlSettings.DEFAULT,
            "started\nmode: act",
            List.of(new NodeLoadLine(new NodeId(1), new NodeLoad(0, Long.MAX_VALUE, 1, 9, 0))),
            List.of(new ControlCheckLine("a\u001b[2J", 1, 1, 1)),
            List.of(new ServiceLimit("b\nc", List.of(), 1, 0)),
            List.of(adding(ActionStage.PROPOSED).at(ActionStage.DONE, "e\nf")));
    for (String line : ControlTable.lines(control)) {
      assertTrue(line.chars().noneMatch(Character::isISOControl), line);
    }
    assertEquals(0, ControlJson.of(control).at("/nodes/0/cacheHitPercent").asDouble());
  }

  @Test
  void statusAsJson() throws IOException {
    String line =
        ControlJson.of(control(ControlMode.ACT, List.of(LIMIT, adding(ActionStage.UNDER_WAY))))
            .toString();
    assertFalse(line.contains("\n"), line);
    JsonNode json = new ObjectMapper().readTree(line);
    assertEquals(
        new ObjectMapper()
            .readTree(
                """
                {
                  "steward": 2,
                  "mode": "act",
                  "nodesMax": 5,
                  "costMax": 0.300,
                  "provisioner": "bin/start-node",
                  "nodes": [
                    {
                      "node": 1,
                      "busyPercent": 82.4,
                      "waitMillis": 1.24,
                      "cacheHitPercent": 97.9,
                      "foldLag": 0
                    },
                    {"node": 12, "busyPercent": 6.6, "waitMillis": 0.0, "foldLag": 1200}
                  ],
                  "checks": [
                    {"application": "shop", "checks": 12, "needed": 20, "violated": 3},
                    {"application": "x", "checks": 20, "needed": 20, "violated": 11}
                  ],
                  "limits": [
                    {"application": "reports", "tables": [], "perSecond": 200},
                    {"application": "shop", "tables": ["users"], "promisedPerSecond": 4000}
                  ],
                  "actions": [
                    {
                      "number": 6,
                      "kind": "limit",
                      "what": "limit reports to 200/s",
                      "application": "shop",
                      "limited": "reports",
                      "perSecond": 200,
                      "stage": "done",
                      "why": "it was violated",
                      "beforeMillis": 31.2,
                      "predictedMillis": 24.0,
                      "measuredMillis": 26.512,
                      "detail": "violated: 26.512 ms, predicted 24.0 ms"
                    },
                    {
                      "number": 7,
                      "kind": "add node",
                      "what": "add n4",
                      "application": "shop",
                      "node": 4,
                      "stage": "under way",
                      "why": "WHY",
                      "beforeMillis": 31.2,
                      "predictedMillis": 15.0,
                      "detail": ""
                    }
                  ]
                }
                """
                    .replace("WHY", WHY)),
        json);
  }

  @Test
  void boundsThatAreNotThereAreLeftOut() {
    JsonNode json =
        ControlJson.of(
            new Control(
                new NodeId(2),
                ControlSettings.DEFAULT,
                "",
                List.of(),
                List.of(),
                List.of(),
                List.of()));
    assertFalse(json.has("costMax"));
    assertFalse(json.has("provisioner"));
    assertEquals(1_000, json.get("nodesMax").asInt());
  }
}
