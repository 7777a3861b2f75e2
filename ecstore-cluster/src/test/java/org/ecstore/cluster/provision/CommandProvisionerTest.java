package org.ecstore.cluster.provision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.testing.Await;
import org.ecstore.core.testing.Pause;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that do what they should, and others; each writes down that it ran. */
@Timeout(120)
class CommandProvisionerTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final NodeId FOUR = new NodeId(4);
  private static final NodeId FIVE = new NodeId(5);

  @TempDir private Path temp;
  private volatile boolean isOutOfMemory;
  private final List<String> logged = new CopyOnWriteArrayList<>();
  private final List<CommandProvisioner> made = new ArrayList<>();

  private final OperatorLog log =
      new OperatorLog() {
        @Override
        public void info(String text) {
          logged.add(text);
          if (isOutOfMemory) {
            isOutOfMemory = false;
            throw new OutOfMemoryError("for this test");
          }
        }

        @Override
        public void warn(String text) {
          logged.add("WARN " + text);
        }
      };

  @AfterEach
  void closeAll() {
    made.forEach(CommandProvisioner::close);
  }

  /** What it runs says first what it was told, in the file {@code runs}. */
  private CommandProvisioner running(String body, Duration killAfter, Duration quiet)
      throws IOException {
    Path script = temp.resolve("a script.sh");
    Files.writeString(
        script,
        "cd '%s'\necho \"$* $ECSTORE_ACTION $ECSTORE_NODE $ECSTORE_CLUSTER\" >>runs\n%s\n"
            .formatted(temp, body));
    return of(CommandWords.of(List.of("sh", script.toString())), killAfter, quiet);
  }

  private CommandProvisioner of(CommandWords command, Duration killAfter, Duration quiet) {
    CommandProvisioner provisioner =
        new CommandProvisioner(
            command, "shop", log, new CommandProvisioner.Bounds(killAfter, quiet, 4));
    made.add(provisioner);
    return provisioner;
  }

  private List<String> runs() throws IOException {
    Path file = temp.resolve("runs");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private void awaitRuns(int count) {
    Await.until(count + " runs", () -> runs().size() == count);
  }

  private void awaitLogged(String part) {
    Await.until(
        "the log says: " + part, () -> logged.stream().anyMatch(line -> line.contains(part)));
  }

  /** What a thread ends with takes no place for ever, and is no success. */
  @Test
  void anErrorKeepsNoOrderFromBeingFollowed() throws Exception {
    CommandProvisioner provisioner = running("", LONG, LONG);
    isOutOfMemory = true;
    provisioner.add(7, FOUR);
    Await.until("it has failed", () -> provisioner.words().endsWith("; add 4 failed"));
    assertEquals(List.of(), runs());
    provisioner.add(7, FOUR);
    awaitRuns(1);
  }

  /** The process that a script has noted by {@code echo $$ >pid}, or of a child of its. */
  private ProcessHandle noted() {
    return Await.present(
        "a process",
        () -> {
          Path file = temp.resolve("pid");
          String text = Files.exists(file) ? Files.readString(file).strip() : "";
          return text.isEmpty() ? Optional.empty() : ProcessHandle.of(Long.parseLong(text));
        });
  }

  @Test
  void theProgramIsToldWhatToDo() throws Exception {
    CommandProvisioner provisioner = running("echo it is up", LONG, Duration.ZERO);
    assertTrue(provisioner.isThere());
    assertEquals("sh \"" + temp + "/a script.sh\"", provisioner.words());
    provisioner.add(7, FOUR);
    awaitLogged("add 4: it is up");
    provisioner.remove(8, FIVE);
    awaitLogged("remove 5: it is up");
    assertEquals(List.of("add 4 7 4 shop", "remove 5 8 5 shop"), runs());
    assertTrue(logged.getFirst().startsWith("add 4 is run for action 7: sh "), logged::toString);
    assertFalse(provisioner.words().contains("; "), provisioner.words());
  }

  @Test
  void whatIsSetForThisNodeIsNotToldToAnother() throws Exception {
    CommandProvisioner provisioner = running("env | grep -c ^ECSTORE_", LONG, Duration.ZERO);
    provisioner.add(1, FOUR);
    awaitLogged("add 4: 3");
  }

  @Test
  void aFailureIsSaidWithItsLastLineUntilARunSucceeds() throws Exception {
    CommandProvisioner provisioner =
        running("echo begins; echo >&2 'no room'; [ -e better ]", LONG, LONG);
    provisioner.add(1, FOUR);
    awaitLogged("WARN add 4 ended with 1: no room");
    assertTrue(provisioner.words().endsWith("; add 4 ended with 1: no room"), provisioner::words);
    awaitLogged("add 4: begins");
    Files.createFile(temp.resolve("better"));
    // Told again at once: what failed need not rest.
    Await.until(
        "a second run",
        () -> {
          provisioner.add(1, FOUR);
          return runs().size() == 2;
        });
    Await.until("it is well", () -> !provisioner.words().contains("; "));
  }

  @Test
  void aProgramThatHangsIsKilledWithItsChildren() throws Exception {
    CommandProvisioner provisioner =
        running(
            "echo waits; sh -c 'echo $$ >pid.new; mv pid.new pid; sleep 1000; true'; true",
            Duration.ofSeconds(3),
            Duration.ZERO);
    provisioner.add(1, FOUR);
    ProcessHandle child = noted();
    List<ProcessHandle> sleeping = new ArrayList<>();
    Await.until(
        "a grandchild",
        () -> {
          sleeping.addAll(child.descendants().toList());
          return !sleeping.isEmpty() || !child.isAlive();
        });
    awaitLogged("WARN add 4 was killed after 3.0 s: waits");
    assertFalse(sleeping.isEmpty(), "the program was not killed before it slept");
    Await.until("the child has ended", () -> !child.isAlive());
    Await.until("what it ran has ended", () -> sleeping.stream().noneMatch(ProcessHandle::isAlive));
    provisioner.add(1, FOUR);
    awaitRuns(2);
  }

  @Test
  void anOrderThatIsFollowedIsNotFollowedTwice() throws Exception {
    CommandProvisioner provisioner = running("while [ ! -e go ]; do sleep 0.02; done", LONG, LONG);
    provisioner.add(1, FOUR);
    awaitRuns(1);
    provisioner.add(1, FOUR);
    // That the same node is to go waits, while one is.
    provisioner.remove(2, FOUR);
    // Another node does not wait.
    provisioner.add(1, FIVE);
    awaitRuns(2);
    Files.createFile(temp.resolve("go"));
    awaitRuns(3);
    // It has just been followed.
    provisioner.add(1, FOUR);
    provisioner.add(1, FIVE);
    Pause.of(Duration.ofMillis(200));
    assertEquals(List.of("add 4 1 4 shop", "add 5 1 5 shop", "remove 4 2 4 shop"), runs());
  }

  @Test
  void anOrderIsFollowedAgainAfterAWhile() throws Exception {
    CommandProvisioner provisioner = running("", LONG, Duration.ofMillis(50));
    provisioner.add(1, FOUR);
    awaitRuns(1);
    Await.until(
        "it is followed again",
        () -> {
          provisioner.add(1, FOUR);
          return runs().size() > 1;
        });
  }

  @Test
  void fewRunAtATime() throws Exception {
    CommandProvisioner provisioner = running("while [ ! -e go ]; do sleep 0.02; done", LONG, LONG);
    for (int node = 1; node <= 9; node++) {
      provisioner.add(1, new NodeId(node));
    }
    awaitRuns(4);
    Pause.of(Duration.ofMillis(200));
    assertEquals(4, runs().size());
    // That is not told again, while "add" is.
    provisioner.remove(2, new NodeId(10));
    Files.createFile(temp.resolve("go"));
    awaitRuns(5);
    assertEquals("remove 10 2 10 shop", runs().getLast());
    Await.until(
        "the others are told again",
        () -> {
          for (int node = 1; node <= 9; node++) {
            provisioner.add(1, new NodeId(node));
          }
          return runs().size() == 10;
        });
  }

  /** What has hung may have begun what costs money: it is told to go, though no member came. */
  @Test
  void aNodeWhoseProgramHangsIsOrderedAwayOnceThatIsKilled() throws Exception {
    CommandProvisioner provisioner =
        running("[ $1 = remove ] || sleep 1000", Duration.ofSeconds(2), Duration.ZERO);
    provisioner.add(1, FOUR);
    awaitRuns(1);
    provisioner.remove(2, FOUR);
    awaitRuns(2);
    assertEquals(List.of("add 4 1 4 shop", "remove 4 2 4 shop"), runs());
    assertTrue(logged.contains("WARN add 4 was killed after 2.0 s"), logged::toString);
  }

  @Test
  void ofAFloodOnlyTheEndIsKept() throws Exception {
    CommandProvisioner provisioner =
        running(
            "head -c 3000000 /dev/zero | tr '\\0' x | fold -w 100; echo; echo end; exit 3",
            LONG,
            Duration.ZERO);
    provisioner.add(1, FOUR);
    awaitLogged("WARN add 4 ended with 3: end");
    assertTrue(logged.contains("add 4 has printed more than what follows"), logged::toString);
    long letters = logged.stream().mapToLong(String::length).sum();
    assertTrue(letters < 6_000, letters + " letters");
    assertTrue(provisioner.words().length() < 400, provisioner::words);
  }

  /** A program that leaves a node running is what this looks like. */
  @Test
  void whatItLeavesRunningIsNotWaitedFor() throws Exception {
    CommandProvisioner provisioner =
        running("sleep 1000 & echo $! >pid.new; mv pid.new pid; echo left", LONG, LONG);
    provisioner.add(1, FOUR);
    awaitLogged("add 4: left");
    ProcessHandle left = noted();
    assertTrue(left.isAlive());
    provisioner.close();
    assertTrue(left.isAlive(), "it is a node by now");
    left.destroyForcibly();
  }

  @Test
  void aProgramThatIsMissingIsSaid() throws Exception {
    CommandProvisioner provisioner =
        of(CommandWords.of(List.of(temp.resolve("typo").toString())), LONG, LONG);
    provisioner.add(1, FOUR);
    awaitLogged("WARN add 4 did not start: ");
    assertTrue(provisioner.words().contains("typo; add 4 did not start: "), provisioner::words);
    provisioner.add(1, FOUR);
    Await.until(
        "a second try", () -> logged.stream().filter(line -> line.startsWith("WARN")).count() >= 2);
  }

  @Test
  void atTheEndWhatRunsIsKilledAndNothingFollows() throws Exception {
    CommandProvisioner provisioner =
        running("echo $$ >pid.new; mv pid.new pid; sleep 1000; true", LONG, Duration.ZERO);
    provisioner.add(1, FOUR);
    ProcessHandle process = noted();
    provisioner.close();
    Await.until("it has ended", () -> !process.isAlive());
    provisioner.add(1, FIVE);
    Pause.of(Duration.ofMillis(100));
    assertEquals(1, runs().size());
  }
}
