package org.ecstore.cluster.database;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.server.shutdown.ShutdownHooks;

/**
 * A server that this process started, in a session of its own, so that an interrupt at the terminal
 * reaches it through this process only: that ends it, unless it is killed.
 */
public final class ServerProcess {
  private static final Duration SIGNAL_WITHIN = Duration.ofSeconds(10);
  private static final Duration PAUSED_WITHIN = Duration.ofSeconds(10);
  private static final long LOOK_MILLIS = 5;
  private static final int LINE_MAX = 400;

  private final Process process;
  private final Path output;
  private final ShutdownHooks.Task hook;

  private ServerProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
    this.hook = ShutdownHooks.at(ShutdownHooks.Step.PROCESSES, this::endNow);
  }

  /**
   * Starts a program.
   *
   * @param directory where it works
   * @param output what it prints goes to the end of this file
   * @param environment beside this process's own
   */
  public static ServerProcess start(
      List<String> command, Path directory, Path output, Map<String, String> environment)
      throws IOException {
    List<String> whole = new ArrayList<>();
    Programs.find("setsid").ifPresent(program -> whole.add(program.toString()));
    whole.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(whole)
            .directory(directory.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .redirectErrorStream(true);
    builder.environment().putAll(environment);
    return ShutdownHooks.unless(() -> new ServerProcess(builder.start(), output));
  }

  /** Its id. */
  public long pid() {
    return process.pid();
  }

  /** Whether it has not ended. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** What it printed last, for people; empty if it has said nothing. */
  public String lastLine() {
    try {
      return new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .reduce((_, later) -> later)
          .map(line -> line.length() > LINE_MAX ? line.substring(0, LINE_MAX) + "..." : line)
          .orElse("");
    } catch (IOException _) {
      return "";
    }
  }

  /** SIGSTOP; returns when it does nothing any more. */
  public void pause() throws IOException, InterruptedException {
    signal("STOP");
    long deadline = System.nanoTime() + PAUSED_WITHIN.toNanos();
    while (isAlive() && state().map(state -> state != 'T').orElse(false)) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("process " + pid() + " does not stop");
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** SIGCONT. */
  public void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  /** The letter that the system has for what it does; absent where it does not tell. */
  private Optional<Character> state() {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid()), "stat"));
      return Optional.of(stat.charAt(stat.lastIndexOf(')') + 2));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private void signal(String name) throws IOException, InterruptedException {
    if (!isAlive()) {
      throw new IOException("process " + pid() + " has ended; it said: " + lastLine());
    }
    // Java itself sends two of them only.
    Process kill =
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!kill.waitFor(SIGNAL_WITHIN.toMillis(), TimeUnit.MILLISECONDS) || kill.exitValue() != 0) {
      throw new IOException("cannot send SIG" + name + " to process " + pid());
    }
  }

  /** Asks it to end. Nothing if it has. */
  public void beginEnd() throws IOException, InterruptedException {
    if (isAlive()) {
      process.destroy();
      // One that was stopped hears of it only when it goes on.
      signalQuietly("CONT");
    }
  }

  private void signalQuietly(String name) throws InterruptedException {
    try {
      signal(name);
    } catch (IOException e) {
      if (isAlive()) {
        process.destroyForcibly();
      }
    }
  }

  /** Waits until it has ended, and ends it hard when time is over. */
  public void awaitEnd(Duration within) throws InterruptedException {
    if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
      process.waitFor();
    }
    hook.close();
  }

  /** SIGKILL; returns when it has ended. */
  public void kill() {
    endNow();
    hook.close();
  }

  /** Its data are needed no more. */
  private void endNow() {
    process.destroyForcibly();
    try {
      process.waitFor(SIGNAL_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
