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
    assertFalse(Files.exists(temp.resolve("run")));
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
