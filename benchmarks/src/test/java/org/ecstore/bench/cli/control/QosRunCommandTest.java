package org.ecstore.bench.cli.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.bench.cli.options.ResultCommand;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.validate.Validating;
import org.ecstore.server.Release;
import org.ecstore.tools.cli.EcStoreMain;
import org.ecstore.txn.qos.table.TableWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QosRunCommandTest {
  @TempDir private Path temp;
  private ResultCommand command;

  @BeforeEach
  void begin() {
    command = new ResultCommand("qos", temp.resolve("run"));
  }

  @Test
  void everyFaultIsSaidAtOnce() throws IOException {
    command.mustSay(
        List.of(
            "--nodes is from 1",
            "--nodes-max is from --nodes to 32, not 99",
            "--class is letters",
            "--capacity is from 0.01",
            "--price is from",
            "--copies is from",
            "--heap is from",
            "--cache is from",
            "--records is from",
            "--workload is one of zipf-read,",
            "--p99 must be a time",
            "--promise is from",
            "--check is 1s at least",
            "--window is from",
            "--rate is from",
            "--clients is from",
            "--flood-clients is from",
            "--saturation is 5s at least",
            "--calm is 5s at least",
            "--doubled must be a time",
            "--gone is 5s at least",
            "--kills is from",
            "--rounds is from 1 to 50, not -1"),
        "--nodes 0 --nodes-max 99 --class a/b --capacity 0.001 --price -1 --copies 0 --heap 1"
            + " --cache 1 --records 1 --workload zipf --p99 60 --promise 0 --check 0.5s"
            + " --window 1 --rate -1 --clients 0 --flood-clients 0 --saturation 1s --calm 1s"
            + " --doubled x --gone 1s --kills 99 --rounds -1");
  }

  @Test
  void noKillIsInThePhaseThatIsTooShort() {
    assertEquals(2, command.run("--doubled 25s --gone 20s"));
    assertTrue(command.err().contains("--kills needs a second or last phase"), command::err);
    assertEquals(2, command.run("--saturation 0"));
    assertTrue(command.err().contains("--saturation 0 is for a known --rate"), command::err);
    assertEquals(2, command.run("--rounds 3"));
    assertTrue(command.err().contains("--rounds is for --flood"), command::err);
    assertEquals(2, command.run("--rounds 3 --flood --no-control"));
    assertEquals(2, command.run("--rounds 3 --flood --kills 0 --doubled 30s"));
    assertTrue(
        command.err().contains("--window times --check, which is 30 s: make --doubled longer"),
        command::err);
    assertFalse(Files.exists(temp.resolve("run")));
  }

  @Test
  void whatCouldNotBeJudgedIsRefusedBeforeAnythingStarts() {
    assertEquals(2, command.run("--kills 0 --check 30s --window 2 --doubled 100s"));
    assertTrue(command.err().contains("--check is a quarter of --doubled at most"), command::err);
    assertEquals(2, command.run("--p99 0.0001us"));
    assertTrue(command.err().contains("--p99 is 1us at least"), command::err);
    assertFalse(Files.exists(temp.resolve("run")));
  }

  private Path table(String build) throws IOException {
    MeasuredSubject subject = Validating.subject(build, Runtime.getRuntime().availableProcessors());
    Files.writeString(temp.resolve("je.runs.jsonl"), subject.json() + "\n");
    return Files.writeString(temp.resolve("je.csv"), TableWriter.full(Validating.table(subject)));
  }

  @Test
  void whatContradictsATableIsSaidAtOnce() throws IOException {
    assertEquals(
        2,
        command.run(
            "--table %s --nodes 3 --rate 20 --promise 9 --p99 60ms --saturation 30s --flood"
                    .formatted(table("0.1.0"))
                + " --flood-clients 4 --rounds 1"));
    for (String fault :
        List.of(
            "build is 0.1.0 there, not " + Release.version(),
            "--nodes does not go with --table: the plan says",
            "--rate does not go with --table: a table is of clients",
            "--promise does not go",
            "--p99 does not go with --table: the plan is of the mean",
            "--saturation does not go",
            "--flood does not go",
            "--flood-clients does not go",
            "--rounds does not go",
            "--table needs --clients",
            "--table needs --response-time")) {
      assertTrue(command.err().contains(fault), () -> fault + " in " + command.err());
    }
    assertEquals(2, command.run("--response-time 5ms --settle 5s"));
    assertTrue(command.err().contains("--response-time is for --table"), command::err);
    assertTrue(command.err().contains("--settle is for --table"), command::err);
    assertFalse(Files.exists(temp.resolve("run")));
  }

  @Test
  void aTableOfOtherMachinesOrWithoutAPlanIsRefused() throws IOException {
    String planned = "--table %s --clients 8 --response-time ".formatted(table(Release.version()));
    assertEquals(
        2,
        command.run(
            planned
                + "4.2ms --class medium --capacity 0.3 --price 1 --heap 512 --cache 64 --workload"
                + " zipf-write --records 7"));
    for (String fault :
        List.of(
            "it was measured with --class small, not medium",
            "it was measured with --capacity 0.2, not 0.3",
            "it was measured with --price not known, not 1",
            "it was measured with --heap 384, not 512",
            "it was measured with --cache 48, not 64",
            "it was measured with --workload zipf-read, not zipf-write",
            "it was measured with --records 10000, not 7")) {
      assertTrue(command.err().contains(fault), () -> fault + " in " + command.err());
    }
    assertEquals(2, command.run(planned + "2.5ms"));
    assertTrue(command.err().contains("nearest: 3 nodes: 2.754 ms"), command::err);
    assertEquals(2, command.run(planned + "4.2ms --nodes-max 1 --copies 3"));
    assertTrue(
        command.err().contains("--nodes-max is from the 2 nodes of the plan to 32, not 1"),
        command::err);
    assertTrue(
        command.err().contains("--copies is from 1 to the 2 nodes of the plan, not 3"),
        command::err);
  }

  @Test
  void aPreviewSaysThePlanAndStartsNothing() throws IOException {
    assertEquals(
        0,
        command.run(
            "--table %s --clients 8 --response-time 4.2ms --class small --capacity 0.20 --dry-run"
                .formatted(table(Release.version()))),
        command::err);
    for (String part :
        List.of(
            "2 nodes (je, class small, zipf-read) will do for 8 clients",
            "nodes 2, at most 3, copies 1; calm 120 s of 8 clients, doubled 300 s of 16 clients,"
                + " gone 300 s of 1 client: about 15 min")) {
      assertTrue(command.out().contains(part), () -> part + " in " + command.out());
    }
    for (String note : List.of("twice the clients need 3 nodes", "fewer than 3 nodes have")) {
      assertTrue(command.err().contains(note), () -> note + " in " + command.err());
    }
    assertFalse(Files.exists(temp.resolve("run")));
  }

  /**
   * Measures a table of one node, and runs a cluster by it: 10 s are always kept, so that the
   * controller has nothing to do, which is a fault here.
   */
  @Test
  @Tag("slow")
  void aRunByAPlanLeavesWhatWasPredictedAndMeasured() throws IOException {
    Path tables = temp.resolve("tables");
    int measured =
        EcStoreMain.commandLine()
            .execute(
                ("qos measure --clients 1,4 --nodes 1 --runs 1 --seconds 0.5 --warm-up 0.2 --settle"
                        + " 0 --records 300 --class tiny --capacity 0.8 --heap 256 --cache 32 --out "
                        + tables)
                    .split(" ", -1));
    assertEquals(0, measured);
    int status =
        command.run(
            "--table %s --clients 2 --response-time 10s --settle 0 --calm 5s --doubled 8s --gone 5s"
                    .formatted(tables.resolve("je-tiny-zipf-read.csv"))
                + " --kills 0 --check 1s --window 2 --json");
    assertEquals(1, status, () -> command.err() + " " + command.out());
    JsonNode result = command.result();
    assertEquals(1, result.path("faults").size(), result::toString);
    assertEquals("the controller did nothing", result.at("/faults/0").asText());
    JsonNode plan = result.path("plan");
    assertEquals(1, plan.path("nodes").asInt(), result::toString);
    assertTrue(plan.path("predictedMillis").asDouble() > 0, result::toString);
    assertTrue(plan.path("targetKept").asBoolean(), result::toString);
    assertEquals(
        result.at("/phases/0/shop/millis/mean").asDouble(),
        plan.path("measuredMillis").asDouble(),
        0.01);
    assertTrue(plan.has("millisError"), result::toString);
    assertEquals("tiny", result.at("/settings/class").asText());
    assertEquals("0.8", result.at("/settings/capacity").asText());
    assertEquals(300, result.at("/settings/records").asLong());
    assertEquals(4, result.at("/phases/1/clients").asInt());
    for (JsonNode phase : result.path("phases")) {
      assertEquals(0, phase.at("/shop/failed").asLong(), phase::toString);
      assertTrue(phase.at("/shop/operations").asLong() > 0, phase::toString);
    }
    assertTrue(result.at("/phases/1/kept").asBoolean(), result::toString);
    command.mustLeave("samples.jsonl", "nodes.svg");
  }

  /** Nothing is missed under so little load: the controller does nothing, which is a fault. */
  @Test
  @Tag("slow")
  void aRunOnProcessesLeavesSamplesResultAndPlots() throws IOException {
    int status =
        command.run(
            "--nodes 1 --nodes-max 2 --copies 1 --capacity 0.8 --records 300 --p99 10s --rate 20"
                + " --saturation 0 --clients 4 --calm 5s --doubled 16s --gone 5s --kills 0"
                + " --check 1s --window 2 --heap 256 --cache 32 --json");
    assertEquals(1, status, () -> command.err() + " " + command.out());
    JsonNode result = command.result();
    assertEquals(1, result.path("faults").size(), result::toString);
    assertEquals("the controller did nothing", result.at("/faults/0").asText());
    assertEquals(3, result.path("phases").size());
    for (JsonNode phase : result.path("phases")) {
      assertEquals(0, phase.at("/shop/failed").asLong(), phase::toString);
      assertTrue(phase.at("/cores/nodes").asDouble() > 0, phase::toString);
    }
    assertTrue(result.at("/phases/1/kept").asBoolean(), result::toString);
    assertEquals(80, result.path("promisedPerSecond").asLong());
    assertTrue(
        List.of("node", "kernel").contains(result.at("/capacity/keptBy").asText()),
        result::toString);
    command.mustLeave("samples.jsonl", "nodes.svg");
    assertTrue(Files.exists(temp.resolve("run/work")), "logs stay where something was not kept");
  }

  /** Of one round nothing is shown; each run leaves what it is judged by. */
  @Test
  @Tag("slow")
  void aFloodIsRunWithAndWithoutTheController() throws IOException {
    int status =
        command.run(
            "--flood --rounds 1 --nodes 1 --nodes-max 1 --copies 1 --capacity 0.8 --records 300"
                + " --p99 10s --rate 20 --saturation 0 --clients 4 --flood-clients 2 --calm 5s"
                + " --doubled 8s --gone 5s --kills 0 --check 1s --window 2 --heap 256 --cache 32"
                + " --json");
    assertEquals(1, status, () -> command.err() + " " + command.out());
    JsonNode result = command.result();
    assertEquals(
        "round-1-acts: the controller did nothing",
        result.at("/faults/0").asText(),
        result::toString);
    assertEquals(1, result.path("faults").size(), result::toString);
    assertEquals(2, result.path("rounds").size());
    assertEquals(4, result.path("claims").size());
    for (JsonNode claim : result.path("claims")) {
      assertEquals("not shown", claim.path("verdict").asText(), claim::toString);
    }
    for (JsonNode round : result.path("rounds")) {
      assertTrue(round.path("p99Millis").asDouble() > 0, round::toString);
      assertTrue(round.path("p99MillisAfterWindow").asDouble() > 0, round::toString);
      JsonNode seconds = round.at("/flooded/shop/eachSecond/answers");
      assertEquals(8, seconds.size(), round::toString);
      String own = round.path("directory").asText();
      for (String file : List.of("result.json", "samples.jsonl", "response-time.svg")) {
        assertTrue(Files.exists(temp.resolve("run").resolve(own).resolve(file)), own);
      }
    }
    command.mustLeave("round-1-acts", "round-1-frozen");
  }
}
