package org.ecstore.tools.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The judge of histories that shares no code with ecStore finds what it says it looks for. */
@Timeout(60)
class JudgeHistoryTest {
  private static final Path JUDGE = Path.of("../bin/judge-history");

  @TempDir private Path temp;
  private final List<String> lines = new ArrayList<>();

  private record Verdict(int status, String text) {}

  @BeforeAll
  static void findPython() {
    boolean isThere;
    try {
      isThere = new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException | InterruptedException e) {
      isThere = false;
    }
    assumeTrue(isThere, "there is no python3 here");
  }

  private void line(int process, String type, String value, String level) {
    lines.add(
        "{\"index\":%d,\"time\":%d,\"process\":%d,\"type\":\"%s\",\"f\":\"txn\",\"value\":%s%s}"
            .formatted(
                lines.size(),
                lines.size(),
                process,
                type,
                value,
                level.isEmpty() ? "" : ",\"level\":\"" + level + "\""));
  }

  private void begins(int process, String value) {
    line(process, "invoke", value, "strong");
  }

  private void commits(int process, String value) {
    line(process, "ok", value, "");
  }

  /** One transaction after the other, each by another client; what it saw is in its value. */
  private void inTurn(String... values) {
    for (String value : values) {
      int process = lines.size();
      begins(process, value);
      commits(process, value);
    }
  }

  private Verdict judge(String... options) throws Exception {
    Path file = temp.resolve("history.jsonl");
    Files.write(file, lines);
    return judge(file, options);
  }

  private static Verdict judge(Path file, String... options) throws Exception {
    List<String> command = new ArrayList<>(List.of("python3", JUDGE.toString(), file.toString()));
    command.addAll(Arrays.asList(options));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    // Not each terminal shows all letters that a history may have.
    builder.environment().put("PYTHONIOENCODING", "ascii");
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    return new Verdict(process.exitValue(), text);
  }

  private void assertFinds(String what, String... options) throws Exception {
    Verdict verdict = judge(options);
    assertEquals(1, verdict.status, verdict.text);
    assertTrue(verdict.text.contains(what), verdict.text);
  }

  @Test
  void aHistoryInOrderIsClean() throws Exception {
    inTurn(
        "[[\"append\",1,10]]",
        "[[\"r\",1,[10]],[\"append\",1,11],[\"r\",1,[10,11]]]",
        "[[\"r\",1,[10,11]],[\"r\",2,null]]");
    Verdict verdict = judge();
    assertEquals(0, verdict.status, verdict.text);
    assertTrue(verdict.text.contains("3 transactions: 3 committed"), verdict.text);
  }

  /** Reads of a store that takes no writes are right. */
  @Test
  void aHistoryOfReadsThatSawNothingIsNotClean() throws Exception {
    inTurn("[[\"r\",1,[]]]", "[[\"r\",2,null]]");
    assertEquals(2, judge().status);
  }

  @Test
  void anAcknowledgedAppendThatIsLostIsACycle() throws Exception {
    inTurn("[[\"append\",1,10]]", "[[\"append\",1,11]]", "[[\"r\",1,[10]]]");
    assertFinds("a cycle of 2");
  }

  @Test
  void anElementOfAFailedTransactionMayNotBeSeen() throws Exception {
    begins(1, "[[\"append\",1,10]]");
    line(1, "fail", "[[\"append\",1,10]]", "");
    inTurn("[[\"r\",1,[10]]]");
    assertFinds("is of one that failed");
  }

  @Test
  void anElementOfAnUnknownOutcomeMayBeSeen() throws Exception {
    begins(1, "[[\"append\",1,10]]");
    line(1, "info", "[[\"append\",1,10]]", "");
    inTurn("[[\"r\",1,[10]]]");
    assertEquals(0, judge().status);
  }

  @Test
  void listsThatDivergeAreFound() throws Exception {
    begins(1, "[[\"append\",1,10]]");
    begins(2, "[[\"append\",1,11]]");
    commits(1, "[[\"append\",1,10]]");
    commits(2, "[[\"append\",1,11]]");
    inTurn("[[\"r\",1,[10,11]]]", "[[\"r\",1,[11,10]]]");
    assertFinds("elsewhere");
  }

  @Test
  void elementsOfNoTransactionAndTwiceAreFound() throws Exception {
    inTurn("[[\"append\",1,10]]", "[[\"r\",1,[10,10]],[\"r\",2,[5]]]");
    assertFinds("has an element twice");
    assertFinds("is of no transaction");
  }

  /** Halves of letters, letters of other alphabets, and what would write lines of its own. */
  @Test
  void elementsThatCannotBePrintedAreFoundAllTheSame() throws Exception {
    inTurn("[[\"append\",1,10]]", "[[\"r\",1,[\"\\ud800\"]]]");
    assertFinds("'\\ud800' in list 1 is of no transaction");
    inTurn("[[\"append\",2,10]]", "[[\"r\",2,[\"\u00e9\"]]]");
    assertFinds("'\\xe9' in list 2 is of no transaction");
    inTurn("[[\"append\",3,10]]", "[[\"r\",3,[\"\\u001b[31m\\nverdict: clean\"]]]");
    assertFinds("'\\x1b[31m\\nverdict: clean' in list 3 is of no transaction");
  }

  @Test
  void aPartOfWhatOneAppendedMayNotBeSeen() throws Exception {
    begins(1, "[[\"append\",1,10],[\"append\",1,11]]");
    begins(2, "[[\"r\",1,null]]");
    commits(2, "[[\"r\",1,[10]]]");
    commits(1, "[[\"append\",1,10],[\"append\",1,11]]");
    inTurn("[[\"r\",1,[10,11]]]");
    assertFinds("sees a part of what");
  }

  /** Write skew: each reads what the other then changes. Snapshot isolation allows it. */
  @Test
  void writeSkewIsFoundUnlessOnlySnapshotsArePromised() throws Exception {
    begins(1, "[[\"r\",1,null],[\"append\",2,20]]");
    begins(2, "[[\"r\",2,null],[\"append\",1,10]]");
    commits(1, "[[\"r\",1,[]],[\"append\",2,20]]");
    commits(2, "[[\"r\",2,[]],[\"append\",1,10]]");
    inTurn("[[\"r\",1,[10]],[\"r\",2,[20]]]");
    assertFinds("a cycle of 2");
    assertEquals(0, judge("--isolation", "snapshot").status);
  }

  @Test
  void aStrongReadIsOfAllBeforeItAndALocalOneNeedNotBe() throws Exception {
    inTurn("[[\"append\",1,10]]");
    line(7, "invoke", "[[\"r\",1,null]]", "local");
    commits(7, "[[\"r\",1,[]]]");
    inTurn("[[\"r\",1,[10]]]");
    assertEquals(0, judge().status);
    line(8, "invoke", "[[\"r\",1,null]]", "strong");
    commits(8, "[[\"r\",1,[]]]");
    assertFinds("-> time");
  }

  @Test
  void aClientSeesWhatItHasDoneItself() throws Exception {
    line(7, "invoke", "[[\"append\",1,10]]", "session");
    commits(7, "[[\"append\",1,10]]");
    line(7, "invoke", "[[\"r\",1,null]]", "session");
    commits(7, "[[\"r\",1,[]]]");
    inTurn("[[\"r\",1,[10]]]");
    assertFinds("-> session");
  }

  @Test
  void ofABankEachReadHasTheSameSum() throws Exception {
    String form =
        "{\"index\":%d,\"time\":%d,\"process\":%d,\"type\":\"%s\",\"f\":\"%s\",\"value\":%s}";
    lines.add(form.formatted(0, 0, 1, "invoke", "open", "{\"0\":5,\"1\":5}"));
    lines.add(form.formatted(1, 1, 1, "ok", "open", "{\"0\":5,\"1\":5}"));
    lines.add(form.formatted(2, 2, 2, "invoke", "read", "null"));
    lines.add(form.formatted(3, 3, 2, "ok", "read", "{\"0\":5,\"1\":5}"));
    assertEquals(2, judge().status, "one that was only opened is not clean");
    lines.add(form.formatted(2, 2, 2, "invoke", "read", "null"));
    lines.add(form.formatted(3, 3, 2, "ok", "read", "{\"0\":6,\"1\":4}"));
    assertEquals(0, judge().status);
    lines.add(form.formatted(4, 4, 2, "invoke", "read", "null"));
    lines.add(form.formatted(5, 5, 2, "ok", "read", "{\"0\":6,\"1\":5}"));
    assertFinds("the sum of all accounts");
  }

  @Test
  void aBankWhoseOpeningFailedIsEmptyAndNotClean() throws Exception {
    String form =
        "{\"index\":%d,\"time\":%d,\"process\":%d,\"type\":\"%s\",\"f\":\"%s\",\"value\":%s}";
    lines.add(form.formatted(0, 0, 1, "invoke", "open", "{\"0\":5,\"1\":5}"));
    lines.add(form.formatted(1, 1, 1, "fail", "open", "{\"0\":5,\"1\":5}"));
    lines.add(form.formatted(2, 2, 2, "invoke", "read", "null"));
    lines.add(form.formatted(3, 3, 2, "ok", "read", "{\"0\":0,\"1\":0}"));
    Verdict verdict = judge();
    assertEquals(2, verdict.status, verdict.text);
    assertTrue(verdict.text.contains("no write in it committed"), verdict.text);
    lines.add(form.formatted(4, 4, 2, "invoke", "read", "null"));
    lines.add(form.formatted(5, 5, 2, "ok", "read", "{\"0\":5,\"1\":5}"));
    assertFinds("the sum of all accounts");
  }

  @Test
  void whatIsNoHistoryIsRefused() throws Exception {
    lines.add("not a line");
    Verdict verdict = judge();
    assertEquals(2, verdict.status, verdict.text);
    assertTrue(verdict.text.contains("line 1 is no line of a history"), verdict.text);
  }

  private void assertCannotBeUsed(String line, String why) throws Exception {
    lines.clear();
    inTurn("[[\"append\",1,10]]");
    lines.add(line);
    Verdict verdict = judge();
    assertEquals(2, verdict.status, () -> line + ": " + verdict.text);
    assertTrue(verdict.text.startsWith("judge-history: line 3 " + why), verdict.text);
  }

  /** Not 1, which is an anomaly. */
  @Test
  void whatLacksWhatALineHasIsRefused() throws Exception {
    String form = "{\"process\":9,\"type\":\"invoke\",\"f\":\"%s\"%s}";
    for (String value :
        List.of(
            "",
            ",\"value\":null",
            ",\"value\":7",
            ",\"value\":[7]",
            ",\"value\":[[\"append\",1]]",
            ",\"value\":[[\"append\",1,[10]]]",
            ",\"value\":[[\"append\",{},10]]",
            ",\"value\":[[\"r\",1,{}]]",
            ",\"value\":[[\"r\",1,[[10]]]]",
            ",\"value\":[[\"open\",1,10]]")) {
      assertCannotBeUsed(form.formatted("txn", value), "has no steps of a history");
    }
    assertCannotBeUsed(form.formatted("open", ",\"value\":7"), "has no steps of a history");
    assertCannotBeUsed(form.formatted("close", ""), "has no steps of a history");
    assertCannotBeUsed("7", "is no line of a history");
    assertCannotBeUsed("{\"process\":9,\"type\":\"invoke\"}", "is no line of a history");
    assertCannotBeUsed(
        "{\"process\":[9],\"type\":\"invoke\",\"f\":\"txn\",\"value\":[[\"r\",1,null]]}",
        "names no client");
    assertCannotBeUsed(
        "{\"process\":9,\"type\":\"begin\",\"f\":\"txn\",\"value\":[[\"r\",1,null]]}",
        "is of no type of a history");
    assertCannotBeUsed(
        "{\"process\":9,\"type\":\"\\u001b[31mred\",\"f\":\"txn\",\"value\":[[\"r\",1,null]]}",
        "is of no type of a history: '\\x1b[31mred'");
  }

  /** As an editor for another alphabet writes it. */
  @Test
  void whatIsNotUtf8IsRefused() throws Exception {
    inTurn("[[\"append\",1,10]]");
    Path file = temp.resolve("latin.jsonl");
    Files.write(file, List.of(lines.getFirst(), "\"\u00e9\""), StandardCharsets.ISO_8859_1);
    Verdict verdict = judge(file);
    assertEquals(2, verdict.status, verdict.text);
    assertEquals("judge-history: it is no text in UTF-8\n", verdict.text);
  }

  @Test
  void registersAreRefused() throws Exception {
    for (String value : List.of("[[\"w\",1,10]]", "[[\"r\",1,10]]")) {
      lines.clear();
      inTurn(value);
      Verdict verdict = judge();
      assertEquals(2, verdict.status, verdict.text);
      assertTrue(verdict.text.contains("its values are overwritten"), verdict.text);
    }
  }

  /** A run in which nothing was done would be clean. */
  @Test
  void whereNothingCommittedNothingIsClean() throws Exception {
    assertEquals(2, judge().status);
    begins(1, "[[\"append\",1,10]]");
    line(1, "fail", "[[\"append\",1,10]]", "");
    Verdict verdict = judge();
    assertEquals(2, verdict.status, verdict.text);
    assertTrue(verdict.text.contains("no write in it committed"), verdict.text);
  }
}
