package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How a process is known again: a shell that waits for input, with a word of its own. */
@Timeout(60)
class OwnProcessTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long HOUR_MILLIS = Duration.ofHours(1).toMillis();

  @TempDir private Path directory;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void endAll() {
    processes.forEach(Process::destroyForcibly);
  }

  private String mark() {
    return directory.resolve("ecstore.toml").toString();
  }

  private ProcessBuilder waiting() {
    return new ProcessBuilder("sh", "-c", "read -r line", mark());
  }

  private Process begun() throws IOException {
    Process process = waiting().start();
    processes.add(process);
    return process;
  }

  private static long started(Process process) {
    return process.toHandle().info().startInstant().orElseThrow().toEpochMilli();
  }

  private Optional<Long> found(Object... words) throws IOException {
    Path file = directory.resolve("server.pid");
    List<String> texts = List.of(words).stream().map(String::valueOf).toList();
    Files.writeString(file, String.join(" ", texts) + "\n");
    return OwnProcess.find(file, mark()).map(OwnProcess::pid);
  }

  private static String ticks(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[19];
  }

  private static String boot() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
  }

  /** By the wall clock it began an hour later than it noted then. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessIsKnownAgainAfterTheClockWasSetForward() throws Exception {
    Process process = begun();
    long pid = process.pid();
    long noted = started(process) - HOUR_MILLIS;
    assertEquals(Optional.of(pid), found(pid, noted, ticks(pid), boot()));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessThatBeganAtAnotherTimeOrStartOfTheMachineIsAnother() throws Exception {
    Process process = begun();
    long pid = process.pid();
    long noted = started(process);
    long ticks = Long.parseLong(ticks(pid));
    assertEquals(Optional.of(pid), found(pid, noted, ticks, boot()));
    assertEquals(Optional.empty(), found(pid, noted, ticks - 1, boot()));
    assertEquals(Optional.empty(), found(pid, noted, ticks, "another-boot"));
    assertThrows(ProcessClusterException.class, () -> found(pid, noted, "soon", boot()));
  }

  /** They have the time alone. */
  @Test
  void filesOfEarlierBuildsAreUnderstood() throws Exception {
    Process process = begun();
    long pid = process.pid();
    assertEquals(Optional.of(pid), found(pid, started(process)));
    assertEquals(Optional.empty(), found(pid, started(process) - HOUR_MILLIS));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void whatIsNotedHasWhenTheProcessBegan() throws Exception {
    Process process = begun();
    Path file = directory.resolve("server.pid");
    OwnProcess.note(file, process.toHandle(), mark());
    String[] words = Files.readString(file).strip().split(" ", -1);
    assertEquals(4, words.length);
    assertEquals(Long.toString(process.pid()), words[0]);
    assertEquals(ticks(process.pid()), words[2]);
    assertEquals(boot(), words[3]);
    assertTrue(OwnProcess.find(file, mark()).isPresent());
  }

  /** As on a full disk. */
  @Test
  void aProcessThatCannotBeNotedIsEnded() throws Exception {
    Path obstacle = Files.createDirectories(directory.resolve("server.pid.tmp/full"));
    ProcessBuilder builder = waiting();
    assertThrows(
        IOException.class,
        () -> OwnProcess.start(builder, directory.resolve("server.pid"), mark()));
    Await.until("none is left", () -> ProcessHandle.current().children().noneMatch(this::isOurs));
    Files.delete(obstacle);
    Files.delete(directory.resolve("server.pid.tmp"));

    OwnProcess started = OwnProcess.start(builder, directory.resolve("server.pid"), mark());
    assertTrue(started.isRunning());
    started.signal("KILL");
    assertTrue(started.awaitEnd(PATIENCE));
    assertFalse(OwnProcess.find(directory.resolve("server.pid"), mark()).isPresent());
  }

  private boolean isOurs(ProcessHandle handle) {
    return handle.isAlive()
        && handle.info().commandLine().map(line -> line.contains(mark())).orElse(false);
  }
}
