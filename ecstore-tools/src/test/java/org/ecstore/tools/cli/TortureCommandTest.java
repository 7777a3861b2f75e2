package org.ecstore.tools.cli;

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
import java.util.ArrayList;
import java.util.List;
import org.ecstore.cluster.node.ExitStatus;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Short runs on a cluster in this process, and what the command says of them. */
@Timeout(300)
class TortureCommandTest {
  @TempDir Path directory;

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

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private JsonNode torture(
      int seconds, Path history, String workload, String isolation, String start)
      throws IOException {
    int status =
        run(
            "torture",
            "--in-process",
            "--nodes=3",
            "--seconds=" + seconds,
            "--interval=600",
            "--clients=8",
            "--faults=kill,restart,join,split,merge,move,move-copy,leave",
            "--forger",
            "--seed=7",
            "--workload=" + workload,
            "--isolation=" + isolation,
            "--start=" + start,
            "--history=" + history,
            "--json");
    assertEquals(ExitStatus.OK, status, () -> out + "\n" + err);
    return lastLine();
  }

  /** Whether all took part that should: on a busy machine three seconds are over before they do. */
  private static boolean hadAll(JsonNode report) {
    return report.get("ok").asLong() > 0
        && report.get("kills").asInt() + report.get("restarts").asInt() > 0
        && !report.get("requests").isEmpty()
        && report.get("quorums").get("writes").asLong() > 0
        && report.get("quorums").get("reads").asLong() > 0
        && report.get("framesOfAttackers").asLong() > 0
        && report.get("longestPauseMillis").asLong() > 0;
  }

  @Test
  void nodesThatCrashHarmNoClient() throws IOException {
    assertUnharmed("append", "serializable", "mixed");
  }

  @ParameterizedTest
  @CsvSource({"register,snapshot,strong", "bank,snapshot,mixed"})
  @Tag("slow")
  void nodesThatCrashHarmNoClientOfOtherWorkloads(String workload, String isolation, String start)
      throws IOException {
    assertUnharmed(workload, isolation, start);
  }

  private void assertUnharmed(String workload, String isolation, String start) throws IOException {
    Path history = directory.resolve("h.jsonl");
    JsonNode report = torture(3, history, workload, isolation, start);
    for (int seconds = 12; seconds < 100 && !hadAll(report); seconds *= 4) {
      Files.delete(history);
      report = torture(seconds, history, workload, isolation, start);
    }
    assertEquals(
        List.of(
            "nodes",
            "copies",
            "seconds",
            "clients",
            "workload",
            "isolation",
            "start",
            "seed",
            "ok",
            "fail",
            "info",
            "errors",
            "readsAnsweredBy",
            "quorums",
            "counters",
            "changes",
            "framesOfAttackers",
            "okPerSecond",
            "p50Millis",
            "p99Millis",
            "kills",
            "sequencerKills",
            "stops",
            "restarts",
            "joins",
            "databaseKills",
            "databaseStops",
            "requests",
            "takeoverMillis",
            "falseTakeovers",
            "longestPauseMillis",
            "history",
            "anomalies",
            "undecided",
            "verdict"),
        names(report));
    assertEquals("clean", report.get("verdict").asText());
    assertTrue(report.get("ok").asLong() > 0, out::toString);
    assertTrue(
        report.get("kills").asInt() + report.get("restarts").asInt() > 0, "some node is hurt");
    assertFalse(report.get("requests").isEmpty(), "the steward is asked for something");
    report.get("requests").forEach(TortureCommandTest::assertEnded);
    assertTrue(report.get("quorums").get("writes").asLong() > 0, "some write by quorums");
    assertTrue(report.get("quorums").get("reads").asLong() > 0, "some read by quorums");
    assertTrue(report.get("counters").get("adds").asLong() > 0, "some additions");
    assertTrue(report.get("counters").get("reads").asLong() > 0, "counters are read");
    assertTrue(report.get("changes").get("applied").asLong() > 0, "commits are followed");
    assertTrue(report.get("framesOfAttackers").asLong() > 0, "a forger is there");
    assertTrue(report.get("longestPauseMillis").asLong() > 0, "a client measures pauses");
    checkAgain(history, workload, isolation, start);
  }

  /** Each request is done, or there is a reason why not. */
  private static void assertEnded(JsonNode adminRequests) {
    assertEquals(
        adminRequests.get("asked").asLong(),
        adminRequests.get("done").asLong()
            + adminRequests.get("refused").asLong()
            + adminRequests.get("putOff").asLong()
            + adminRequests.get("unheard").asLong(),
        adminRequests::toString);
  }

  /** The file says the same to who was not there. */
  private void checkAgain(Path history, String workload, String isolation, String start)
      throws IOException {
    long ok = lastLine().get("ok").asLong();
    assertEquals(
        ExitStatus.OK,
        run(
            "torture",
            "--check=" + history,
            "--isolation=" + isolation,
            "--start=" + start,
            "--json"));
    JsonNode checked = lastLine();
    assertEquals("clean", checked.get("verdict").asText());
    assertEquals(workload, checked.get("workload").asText());
    assertEquals(ok, checked.get("ok").asLong());
  }

  private Path file(String... lines) throws IOException {
    return Files.writeString(directory.resolve("made.jsonl"), String.join("\n", lines));
  }

  @Test
  void violatedHistoryIsShownWithItsTransactions() throws IOException {
    Path file =
        file(
            "{\"index\":0,\"time\":1,\"process\":0,\"type\":\"invoke\",\"f\":\"txn\","
                + "\"value\":[[\"append\",1,1]]}",
            "{\"index\":1,\"time\":2,\"process\":0,\"type\":\"ok\",\"f\":\"txn\","
                + "\"value\":[[\"append\",1,1]],\"sts\":1,\"cts\":2}",
            "{\"index\":2,\"time\":3,\"process\":1,\"type\":\"invoke\",\"f\":\"txn\","
                + "\"value\":[[\"r\",1,null]]}",
            "{\"index\":3,\"time\":4,\"process\":1,\"type\":\"ok\",\"f\":\"txn\","
                + "\"value\":[[\"r\",1,[]]],\"sts\":2}");
    assertEquals(ExitStatus.CHECK_FAILED, run("torture", "--check=" + file));
    assertEquals(
        "history     "
            + file
            + ": 2 transactions, 2 committed\n"
            + "ANOMALY     lost-append: 1 of key 1 by T0 (completed at 1, process 0, ok, sts 1,"
            + " cts 2) [[\"append\",1,1]] is not there for T2 (completed at 3, process 1, ok,"
            + " sts 2) [[\"r\",1,[]]]\n"
            + "verdict     violated\n",
        out.toString());
  }

  /** Else it would be clean, and none would miss them. */
  @Test
  void faultsThatAreNamedAndCannotBeDoneAreRefused() {
    String[][] all = {
      {"--faults=kill,stop-database", "stop-database, which is done with --engines"},
      {"--faults=kill-database", "--engines=je", "kill-database, which is done with"},
      {"--faults=join", "--engines=je,redis", "join, which is done without --engines"},
      {"--faults=stop", "--in-process", "stop, which is done without --in-process"},
    };
    for (String[] each : all) {
      List<String> arguments = new ArrayList<>(List.of("torture"));
      arguments.addAll(List.of(each).subList(0, each.length - 1));
      err.getBuffer().setLength(0);
      assertEquals(ExitStatus.BAD_INPUT, run(arguments.toArray(String[]::new)));
      assertTrue(err.toString().contains("--faults has " + each[each.length - 1]), err::toString);
    }
  }

  @Test
  void aRunWithoutAnyOfItsFaultsIsNotClean() throws IOException {
    int status =
        run(
            "torture",
            "--in-process",
            "--nodes=3",
            "--seconds=1",
            "--interval=600000",
            "--clients=2",
            "--faults=kill,move",
            "--dir=" + directory.resolve("run"),
            "--json");
    assertEquals(ExitStatus.CHECK_FAILED, status, out::toString);
    assertEquals("unknown", lastLine().get("verdict").asText());
    assertTrue(lastLine().get("undecided").toString().contains("no fault was done"));
  }

  /** It may have what an earlier run has found. */
  @Test
  void aHistoryThatIsThereIsNotWrittenOver() throws IOException {
    Path history = file("of an earlier run");
    assertEquals(
        ExitStatus.BAD_INPUT,
        run("torture", "--in-process", "--history=" + history, "--seconds=1"));
    assertTrue(err.toString().contains(history + " is there"), err::toString);
    assertEquals("of an earlier run", Files.readString(history));
  }

  @Test
  void aHistoryThatIsNoTextIsRefused() throws IOException {
    Path file = Files.write(directory.resolve("latin.jsonl"), new byte[] {'{', (byte) 0xe9, '}'});
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--check=" + file));
    assertEquals(
        "ecstore torture: --check " + file + ": it is no text in UTF-8", err.toString().strip());
  }

  /** Such letters talk to the terminal, or turn the words around that follow. */
  @Test
  void whatWasGivenIsSaidWithoutControlCharacters() throws IOException {
    Path file =
        file(
            "{\"index\":0,\"time\":1,\"process\":0,\"f\":\"txn\",\"value\":[],"
                + "\"type\":\"\\u001b[31m\\u202ered\"}");
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--check=" + file));
    assertTrue(err.toString().contains("unknown type \\u001b[31m\\u202ered"), err::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--faults=k\u001b[31mill"));
    assertTrue(err.toString().contains("--faults has \"k\\u001b[31mill\""), err::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--engines=j\u001b[31me"));
    assertTrue(err.toString().contains("\"j\\u001b[31me\""), err::toString);
    assertFalse(err.toString().contains("\u001b"), err::toString);
  }

  @Test
  void whatCannotBeUsedIsRefusedInOneLine() throws IOException {
    Path file = file("{\"index\":0}");
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--check=" + file));
    assertEquals(
        "ecstore torture: --check " + file + ": line 1: no \"time\"", err.toString().strip());
    Path missing = directory.resolve("missing");
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--check=" + missing));
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--faults=kill,fire"));
    assertTrue(err.toString().contains("--faults has \"fire\""), err::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--nodes=0"));
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--dir=" + directory));
    assertTrue(err.toString().contains("is not empty"), err::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--engines=je,fire"));
    assertTrue(err.toString().contains("--engines: "), err::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--engines=je,rocksdb,je"));
    assertTrue(err.toString().contains("--engines names je more than once"), err::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--engines=mysql"));
    assertTrue(err.toString().contains("none is fast at writing"), err::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--engines=je", "--nodes=3"));
    assertTrue(err.toString().contains("--nodes follows from"), err::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--engines=je,redis", "--hosts=17"));
    assertTrue(err.toString().contains("--hosts must be from 1 to 16"), err::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--hosts=3"));
    assertTrue(err.toString().contains("--hosts goes with --engines"), err::toString);
    assertEquals(ExitStatus.BAD_INPUT, run("torture", "--workload=queue"));
    assertFalse(err.toString().contains("Exception"), err::toString);
  }
}
