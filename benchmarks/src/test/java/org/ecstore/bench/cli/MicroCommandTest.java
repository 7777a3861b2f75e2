package org.ecstore.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.ecstore.bench.micro.MicroBenchmarks;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MicroCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Tag("nightly")
  @Test
  void everyBenchmarkRuns() throws IOException {
    assertEquals(0, run("bench", "micro", "--quick", "--json"), err::toString);
    List<String> lines = out.toString().lines().toList();
    for (String name : MicroBenchmarks.names()) {
      assertTrue(lines.stream().anyMatch(line -> line.contains("\"" + name + ".")), out::toString);
    }
    for (String line : lines) {
      JsonNode result = new ObjectMapper().readTree(line);
      assertTrue(result.get("nanos").asDouble() > 0, line);
    }
  }

  @Test
  void aNameThatIsNoneIsSaidWithThoseThereAre() {
    assertNotEquals(0, run("bench", "micro", "Nothing"));
    assertTrue(err.toString().contains("Validation"), err::toString);
  }
}
