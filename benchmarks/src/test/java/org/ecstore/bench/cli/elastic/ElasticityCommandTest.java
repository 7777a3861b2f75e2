package org.ecstore.bench.cli.elastic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ElasticityCommandTest {
  @TempDir private Path temp;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String arguments) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(
            Stream.concat(
                    Stream.of("bench", "elasticity", "--out", temp.resolve("run").toString()),
                    Arrays.stream(arguments.split(" ", -1)))
                .toArray(String[]::new));
  }

  @Test
  void everyFaultIsSaidAtOnce() throws IOException {
    Files.createDirectory(temp.resolve("run"));
    Files.createFile(temp.resolve("run/result.json"));
    int status =
        run(
            "--nodes 1 --copies 0 --heap 1 --cache 1 --records 1 --record-size 15 --workload zipf"
                + " --rate -1 --clients 0 --saturation 1s --calm 1s --within x --still 0.5s");
    assertEquals(2, status);
    for (String fault :
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
            "--still is 1s at least",
            "is not empty")) {
      assertTrue(err.toString().contains(fault), () -> fault + " in " + err);
    }
    assertEquals("", out.toString());
  }

  @Test
  void withoutSaturationTheRateHasToBeGiven() {
    assertEquals(2, run("--saturation 0"));
    assertTrue(err.toString().contains("--saturation 0 is for a known --rate"), err::toString);
    assertFalse(Files.exists(temp.resolve("run")));
  }

  @Test
  @Tag("slow")
  void aNodeComesAndGoesOnProcesses() throws IOException {
    int status =
        run(
            "--records 300 --record-size 100 --rate 20 --saturation 0 --clients 4 --calm 5s"
                + " --within 120s --still 2s --heap 256 --cache 32 --json");
    assertTrue(out.toString().contains("{"), () -> status + ": " + err);
    JsonNode result = new ObjectMapper().readTree(out.toString().lines().toList().getLast());
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
    assertEquals(0, status, err::toString);
    for (String file :
        List.of("result.json", "result.txt", "response-time.svg", "throughput.svg")) {
      assertTrue(Files.size(temp.resolve("run").resolve(file)) > 0, file);
    }
    assertFalse(Files.exists(temp.resolve("run/work")), "data goes where all was good");
  }
}
