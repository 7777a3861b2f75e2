package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Short measurements of processes that are killed and frozen. */
@Timeout(300)
class MeasureProcessTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  private JsonNode lastLine() throws IOException {
    return new ObjectMapper().readTree(out.toString().lines().toList().getLast());
  }

  @Test
  @Tag("slow")
  void nodeReplaysWhatItLacksAndSaysWhatThatTook() throws IOException {
    int status = run("measure", "replay", "--commits=2000", "--clients=16", "--rounds=1", "--json");
    assertEquals(ExitStatus.OK, status, err::toString);
    JsonNode row = lastLine().get("rows").get(0);
    assertTrue(row.get("records").asLong() >= 2_000, row::toString);
    for (String some : new String[] {"parts", "ledgerMillis", "decodeMillis", "windowMillis"}) {
      assertTrue(row.get(some).asDouble() > 0, row::toString);
    }
    assertTrue(row.get("waitMillis").asLong() <= row.get("replayMillis").asLong(), row::toString);
  }

  /**
   * So short a run is judged by what the machine does beside it: only what it tells is looked at.
   */
  @Test
  @Tag("slow")
  void clusterWithAFrozenMemberIsWatched() throws IOException {
    int status =
        run("measure", "liveness", "--seconds=24", "--long-failure=2", "--clients=8", "--json");
    JsonNode all = lastLine();
    boolean kept = true;
    for (String promise : new String[] {"leaseHeld", "commitsGoOn", "trimMovesOn", "memoryFlat"}) {
      kept &= all.get(promise).booleanValue();
    }
    assertEquals(kept ? ExitStatus.OK : ExitStatus.CHECK_FAILED, status, err::toString);
    assertEquals(24, all.get("rows").size());
    JsonNode first = all.get("rows").get(0);
    JsonNode last = all.get("rows").get(23);
    assertTrue(last.get("durable").asLong() > first.get("durable").asLong(), all::toString);
    assertTrue(last.get("windowBytes").asLong() > 0, all::toString);
    assertTrue(last.get("heapBytes").asLong() > 0, all::toString);
    assertTrue(all.get("frozenNode").asInt() > 0, all::toString);
  }

  /** Of the kinds, the servers of the first have no primaries, those of the second all. */
  @ParameterizedTest
  @CsvSource({
    "'--engines=je,redis --stop-database', false",
    "'--engines=je,redis --kill-database', false",
    "'--engines=mysql --relaxed --stop-database', true"
  })
  @Tag("nightly")
  @Timeout(900)
  void clusterGoesOnWithoutADatabaseAndItsNodeIsThereAgain(String words, boolean serves)
      throws IOException {
    String line = "measure liveness --seconds=75 --long-failure=2 --clients=8 --json " + words;
    int status = run(line.split(" "));
    JsonNode all = lastLine();
    boolean kept = true;
    for (String promise :
        new String[] {
          "leaseHeld", "commitsGoOn", "trimMovesOn", "memoryFlat", "takenOver", "wholeAgain"
        }) {
      kept &= all.get(promise).booleanValue();
    }
    assertEquals(kept ? ExitStatus.OK : ExitStatus.CHECK_FAILED, status, err::toString);
    assertTrue(all.get("databaseOfNode").asInt() > 0, all::toString);
    assertFalse(all.has("frozenNode"), all::toString);
    assertEquals(serves, all.get("rangesOfNode").asInt() > 0, all::toString);
    assertTrue(all.get("takenOver").booleanValue(), all::toString);
    assertTrue(all.has("copiesGivenUpSeconds"), all::toString);
    assertTrue(all.get("wholeAgain").booleanValue(), all::toString);
    // Of three nodes for three copies none can be without; other nodes on Redis may have them all.
    assertTrue(all.get("copiesOfNode").asInt() > 0 || !serves, all::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "replay --nodes=2",
        "replay --copies=1",
        "replay --commits=0",
        "liveness --nodes=2",
        "liveness --copies=1",
        "liveness --seconds=7",
        "liveness --hosts=3",
        "liveness --hosts=2 --engines=je,redis",
        "liveness --engines=fire",
        "liveness --nodes=4 --engines=je,redis",
        "liveness --copies=4 --engines=je,redis",
        "replay --dir=..",
        "restart --dir=.",
        "commits --rounds=0",
        "commits --rounds=1001",
        "commits --seconds=86401",
        "commits --clients=1,10001",
        "recovery --records=0",
        "recovery --records=1,3000000000",
        "recovery --records=7,8,7",
        "takeover --kills=-1",
        "takeover --freezes=10001",
        "failover --copies=1",
        "failover --kills=0",
        "restart --nodes=33",
        "restart --kills=0"
      })
  void whatCannotBeMeasuredIsSaidBeforeAnythingStarts(String words) {
    String[] args = ("measure " + words).split(" ");
    assertEquals(ExitStatus.BAD_INPUT, run(args));
    String option = words.substring(words.indexOf("--"), words.indexOf('='));
    assertTrue(err.toString().contains(option), err::toString);
  }

  /** Of a mixin that all of these have. */
  @ParameterizedTest
  @CsvSource({"takeover,5", "failover,5", "restart,5", "replay,3", "liveness,3"})
  void eachSaysHowManyNodesItMakes(String measurement, int nodes) {
    assertEquals(ExitStatus.OK, run("measure", measurement, "--help"));
    String help = out.toString().replaceAll("\\s+", " ");
    assertTrue(help.contains("Nodes, from 3 on; %d if not given.".formatted(nodes)), out::toString);
    for (String option : new String[] {"--copies", "--dir", "--json"}) {
      assertTrue(help.contains(option), out::toString);
    }
  }
}
