package org.ecstore.bench.cli.elastic;

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

class ElasticityCommandTest {
  @TempDir private Path temp;
  private ResultCommand command;

  @BeforeEach
  void begin() {
    command = new ResultCommand("elasticity", temp.resolve("run"));
  }

  @Test
  void everyFaultIsSaidAtOnce() throws IOException {
    command.mustSay(
        List.of(
            "--nodes is from 2 to 31, not 1",
            "--copies is from",
            "--heap is from",
            "--cache is from",
            "--records is from",
            "--record-size is from 10 to 1000000 bytes, in tens, not 15",
            "--workload is one of zipf-read,",
            "--rate is from",
            "--clients is from",
            "--saturation is 5s at least",
            "--calm is 5s at least",
            "--within must be a time",
            "--still is 1s at least"),
        "--nodes 1 --copies 0 --heap 1 --cache 1 --records 1 --record-size 15 --workload zipf"
            + " --rate -1 --clients 0 --saturation 1s --calm 1s --within x --still 0.5s");
  }

  @Test
  void withoutSaturationTheRateHasToBeGiven() {
    assertEquals(2, command.run("--saturation 0"));
    assertTrue(command.err().contains("--saturation 0 is for a known --rate"), command::err);
    assertFalse(Files.exists(temp.resolve("run")));
  }

  @Test
  @Tag("slow")
  void aNodeComesAndGoesOnProcesses() throws IOException {
    int status =
        command.run(
            "--records 300 --record-size 100 --rate 20 --saturation 0 --clients 4 --calm 5s"
                + " --within 120s --still 2s --heap 256 --cache 32 --json");
    JsonNode result = command.result();
    assertEquals(
        List.of("calm", "adding", "after adding", "draining", "after draining"),
        result.path("phases").findValuesAsText("name"));
    for (JsonNode phase : result.path("phases")) {
      assertTrue(phase.path("answers").asLong() > 0, phase::toString);
      assertEquals(0, phase.path("failed").asLong(), phase::toString);
    }
    for (int changed : new int[] {1, 3}) {
      JsonNode phase = result.path("phases").path(changed);
      assertTrue(phase.path("secondsUntilBalanced").asDouble() > 0, phase::toString);
      assertTrue(phase.path("bytesMoved").asLong() > 0, phase::toString);
    }
    assertEquals(7, result.path("goals").size());
    // How many times as long the p99 was is up to the machine.
    boolean isMissed = result.path("goals").findValuesAsText("is").contains("not held");
    assertEquals(isMissed ? 1 : 0, status, command::err);
    command.mustLeave();
    assertEquals(isMissed, Files.exists(temp.resolve("run/work")), "data goes where all was good");
  }
}
