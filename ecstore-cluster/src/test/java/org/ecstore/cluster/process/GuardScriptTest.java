package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.ecstore.cluster.node.ExitStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A guard whose node is a script that follows a plan, one line for each of its lives, and whose
 * time is a file that only sleeping and living move on.
 */
@Timeout(120)
class GuardScriptTest {
  private static final Pattern PAUSE = Pattern.compile("started again in (\\d+) s");
  private static final Pattern DATED =
      Pattern.compile("2026-01-31 10:00:00 node 7 .*", Pattern.DOTALL);

  @TempDir private Path temp;
  private Path home;
  private Path tools;

  @BeforeEach
  void makeHome() throws IOException {
    home = Files.createDirectories(temp.resolve("a node's home"));
    tools = Files.createDirectories(temp.resolve("tools"));
    Files.writeString(home.resolve("ecstore.toml"), "");
    Files.writeString(home.resolve("clock"), "1000");
    script(
        tools.resolve("date"),
        "case $1 in +%s) cat clock ;; *) echo '2026-01-31 10:00:00' ;; esac\n");
    script(tools.resolve("sleep"), "echo $(($(cat clock) + $1)) >clock\n");
    // "120 exit 3": lives for so long, and then does so. Once the plan is over it is wanted down.
    script(
        home.resolve("life"),
        """
        echo "$$ is $(cut -d ' ' -f 1 server.pid) with $*" >>lives
        read -r seconds end <plan
        sed 1d plan >rest
        mv rest plan
        [ -s plan ] || touch down
        echo $(($(cat clock) + seconds)) >clock
        eval "$end"
        """);
  }

  private static void script(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Runs the guard until it ends; returns what its log has. */
  private List<String> guard(String... plan) throws IOException, InterruptedException {
    Files.writeString(home.resolve("plan"), String.join("\n", plan) + "\n");
    return guard();
  }

  private List<String> guard() throws IOException, InterruptedException {
    Files.createDirectories(temp.resolve("node-7"));
    List<String> start =
        new Guards(new ClusterFiles(temp, NewCluster.DEFAULT))
            .command(7).stream().map(String::valueOf).toList();
    ProcessBuilder builder =
        new ProcessBuilder(
                start.get(0), start.get(1), start.get(2), "./life", "two words", "--config", "x")
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("PATH", tools + ":/usr/bin:/bin");
    assertEquals(0, builder.start().waitFor());
    return ClusterFiles.lastLines(home.resolve("guard.log"), Integer.MAX_VALUE);
  }

  private static List<Integer> pauses(List<String> log) {
    return log.stream()
        .map(PAUSE::matcher)
        .flatMap(line -> line.results().findFirst().map(MatchResult.class::cast).stream())
        .map(found -> Integer.valueOf(found.group(1)))
        .toList();
  }

  private List<String> lives() throws IOException {
    return ClusterFiles.lastLines(home.resolve("lives"), Integer.MAX_VALUE);
  }

  @Test
  void pausesDoubleUpToAMinuteAndBeginAnewAfterAMinuteOfLife() throws Exception {
    String[] plan =
        IntStream.range(0, 13)
            .mapToObj(life -> life == 8 ? "60 exit 3" : life == 9 ? "59 exit 3" : "0 exit 3")
            .toArray(String[]::new);
    List<String> log = guard(plan);
    // The last life of the plan is ended by command.
    assertEquals(List.of(1, 2, 4, 8, 16, 32, 60, 60, 1, 2, 4, 8), pauses(log));
    assertEquals(13, lives().size());
    assertTrue(log.stream().allMatch(line -> DATED.matcher(line).matches()), log::toString);
  }

  @Test
  void everyEndThatIsNoAnswerIsFollowedByAStartAndSaid() throws Exception {
    List<String> log = guard("5 exit 1", "6 exit 3", "7 kill -9 $$", "0 exit 3");
    assertEquals(
        List.of("ended with status 1 after 5 s", "ended with status 3 after 6 s", "by signal 9"),
        List.of(
            log.get(0).substring(27, 56),
            log.get(1).substring(27, 56),
            log.get(2).substring(33, 44)),
        log::toString);
    assertEquals(4, lives().size());
  }

  @Test
  void nodeThatWasToldToEndOrRefusesOrGaveWayStaysDown() throws Exception {
    for (int status : List.of(ExitStatus.OK, ExitStatus.BAD_INPUT, ExitStatus.GIVEN_WAY)) {
      Files.deleteIfExists(home.resolve("lives"));
      Files.deleteIfExists(home.resolve("guard.log"));
      List<String> log = guard("0 exit " + status, "0 exit 3");
      assertEquals(1, lives().size(), log::toString);
      assertEquals(1, log.size(), log::toString);
      assertTrue(log.getFirst().contains("stays down"), log::toString);
    }
  }

  @Test
  void nodeThatIsWantedDownOrDrainedIsNotStartedAndNotStartedAgain() throws Exception {
    for (String mark : List.of("down", "drained")) {
      Files.writeString(home.resolve(mark), "");
      assertEquals(List.of(), guard("0 exit 3"));
      assertEquals(List.of(), lives());
      Files.delete(home.resolve(mark));
    }
    // Marked while it lives: the plan's last line does so.
    assertEquals(List.of(), guard("0 kill -9 $$"));
    assertEquals(1, lives().size());
  }

  @Test
  void pauseEndsAtOnceWhenTheNodeIsNotWantedAnyMore() throws Exception {
    script(tools.resolve("sleep"), "touch down\n");
    List<String> log = guard("0 exit 3", "0 exit 3");
    assertEquals(List.of(1), pauses(log));
    assertEquals(1, lives().size());
  }

  @Test
  void guardEndsWhenTheDirectoryOfItsNodeIsTakenAway() throws Exception {
    assertEquals(List.of(), guard("0 rm ecstore.toml; exit 3", "0 exit 3"));
    assertEquals(1, lives().size());
  }

  @Test
  void nodesProcessIsTheOneThatWasNoted() throws Exception {
    guard("0 exit 3", "0 exit 3");
    List<String> lives = lives();
    for (String life : lives) {
      String[] words = life.split(" ", -1);
      assertEquals(words[0], words[2], lives::toString);
      assertTrue(life.endsWith(" with two words --config x"), life);
    }
  }

  /** The wall clock may be set; by it alone the process would be taken for another then. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void nodesProcessIsNotedWithWhenItBeganSinceTheMachineWasStarted() throws Exception {
    guard("0 cp server.pid noted; cat /proc/$$/stat >stat");
    String[] noted = Files.readString(home.resolve("noted")).strip().split(" ", -1);
    String stat = Files.readString(home.resolve("stat"));
    assertEquals("1000000", noted[1]);
    assertEquals(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19], noted[2]);
    assertEquals(Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip(), noted[3]);
  }

  @Test
  void nodeWhoseProcessCannotBeNotedIsNotStarted() throws Exception {
    Files.createDirectories(home.resolve("server.pid.tmp"));
    script(tools.resolve("sleep"), "touch down\n");
    List<String> log = guard("0 exit 3");
    assertEquals(List.of(1), pauses(log));
    assertEquals(List.of(), lives());
  }

  @Test
  void logsStaySmall() throws Exception {
    byte[] much = new byte[(1 << 20) + 1];
    Files.write(home.resolve("guard.log"), much);
    Files.write(home.resolve("server.out"), much);
    List<String> log = guard("0 exit 3", "0 exit 3");
    assertEquals(1, log.size());
    assertEquals(much.length, Files.size(home.resolve("guard.log.1")));
    assertEquals(much.length, Files.size(home.resolve("server.out.1")));
    assertFalse(Files.exists(home.resolve("guard.log.2")));
  }
}
