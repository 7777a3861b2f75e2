package org.ecstore.cluster.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.server.shutdown.ShutdownHooks;

/**
 * A process of a cluster, known again by a file with its id. Ids are used again by the system, so
 * the file alone is never believed: the process must have begun when the file says, and its command
 * line must name what is the node's only. When that was is counted from the start of the machine,
 * where the system tells: the wall clock may be set, and with it the time at which the system says
 * that a process began. The file is {@code ID MILLISECONDS TICKS BOOT}, the latter two only where
 * the system tells, and not by earlier builds.
 */
final class OwnProcess {
  private static final Path PROC = Path.of("/proc");
  private static final Duration CLOCK_SLACK = Duration.ofSeconds(3);
  private static final Duration SIGNAL_WITHIN = Duration.ofSeconds(10);
  private static final long LOOK_MILLIS = 5;

  private final ProcessHandle handle;
  private final String mark;

  private OwnProcess(ProcessHandle handle, String mark) {
    this.handle = handle;
    this.mark = mark;
  }

  /**
   * The process that a file tells of, if it runs.
   *
   * @param mark what its command line must contain
   */
  static Optional<OwnProcess> find(Path file, String mark) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    String[] parts = Files.readString(file).strip().split(" ", -1);
    try {
      long pid = Long.parseLong(parts[0]);
      Instant started = Instant.ofEpochMilli(Long.parseLong(parts[1]));
      Optional<Since> since =
          parts.length < 4 ? Optional.empty() : Optional.of(Since.noted(parts[2], parts[3]));
      return ProcessHandle.of(pid)
          .filter(
              handle ->
                  since
                      .map(noted -> Since.of(pid).equals(Optional.of(noted)))
                      .orElseGet(() -> isBegunBy(handle, started)))
          .map(handle -> new OwnProcess(handle, mark))
          .filter(OwnProcess::isRunning);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new ProcessClusterException(file + " holds no process id: remove it", e);
    }
  }

  /**
   * When a process began.
   *
   * @param ticks of the system since the machine was started
   * @param boot which start of the machine that is
   */
  private record Since(long ticks, String boot) {
    private static final Path BOOT = PROC.resolve("sys/kernel/random/boot_id");

    /** In what the system says of a process behind its name: that begins with the third word. */
    private static final int TICKS_WORD = 22 - 3;

    /** Of a process that is there; absent where the system does not tell, or it is gone. */
    static Optional<Since> of(long pid) {
      try {
        String stat = Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat"));
        String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Optional.of(noted(words[TICKS_WORD], Files.readString(BOOT).strip()));
      } catch (IOException | IndexOutOfBoundsException e) {
        return Optional.empty();
      }
    }

    static Since noted(String ticks, String boot) {
      return new Since(Long.parseLong(ticks), boot);
    }

    String text() {
      return " " + ticks + " " + boot;
    }
  }

  /** A process that notes itself may have begun some time before that. */
  private static boolean isBegunBy(ProcessHandle handle, Instant noted) {
    return handle
        .info()
        .startInstant()
        .map(at -> Duration.between(noted, at).compareTo(CLOCK_SLACK) < 0)
        .orElse(true);
  }

  /**
   * Starts a process, and notes it; one that cannot be noted, and so not be found again, is ended.
   *
   * @throws ShutdownHooks.EndingException if this process is ending
   */
  static OwnProcess start(ProcessBuilder builder, Path file, String mark) throws IOException {
    return ShutdownHooks.unless(
        () -> {
          Process process = builder.start();
          try {
            return note(file, process.toHandle(), mark);
          } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
          }
        });
  }

  /** Notes a process that was just started. */
  static OwnProcess note(Path file, ProcessHandle handle, String mark) throws IOException {
    Instant started = handle.info().startInstant().orElseGet(Instant::now);
    Path directory = file.toAbsolutePath().getParent();
    if (directory != null) {
      DurableFiles.replace(
          directory,
          String.valueOf(file.getFileName()),
          Bytes.utf8(
              handle.pid()
                  + " "
                  + started.toEpochMilli()
                  + Since.of(handle.pid()).map(Since::text).orElse("")
                  + "\n"));
    }
    return new OwnProcess(handle, mark);
  }

  long pid() {
    return handle.pid();
  }

  /**
   * Whether it is still there and still ours; a process that has ended but not been reaped is not.
   */
  boolean isRunning() {
    return handle.isAlive()
        && commandLine()
            .map(line -> line.isEmpty() ? isBecomingAnother() : line.contains(mark))
            .orElse(true);
  }

  /**
   * Whether a process without a command line is just changing from one program to the next, as one
   * that was started through another does; else it has ended and waits to be reaped.
   */
  private boolean isBecomingAnother() {
    return state().map(state -> "ZX".indexOf(state) < 0).orElse(false);
  }

  /** The command line; absent where the system does not tell. */
  private Optional<String> commandLine() {
    Path file = PROC.resolve(Long.toString(handle.pid())).resolve("cmdline");
    if (!Files.isDirectory(PROC.resolve("self"))) {
      return handle.info().commandLine();
    }
    try {
      return Optional.of(
          new String(Files.readAllBytes(file), StandardCharsets.UTF_8).replace('\0', ' '));
    } catch (IOException e) {
      return Optional.of("");
    }
  }

  /** Its command line, word by word; nothing where the system does not tell. */
  List<String> words() {
    return commandLine().map(line -> List.of(line.split(" ", -1))).orElse(List.of());
  }

  /** Whether it was stopped by a signal and not continued. */
  boolean isPaused() {
    return state().map(state -> state == 'T').orElse(false);
  }

  /** The letter that the system has for what it does; absent if it is gone. */
  private Optional<Character> state() {
    try {
      String stat = Files.readString(PROC.resolve(Long.toString(pid())).resolve("stat"));
      return Optional.of(stat.charAt(stat.lastIndexOf(')') + 2));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Sends a signal: {@code KILL}, {@code TERM}, {@code INT}, {@code STOP}, {@code CONT}. */
  void signal(String name) throws IOException, InterruptedException {
    if (!isRunning()) {
      return;
    }
    // Java itself sends two of them only.
    Process kill =
        new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!kill.waitFor(SIGNAL_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
        || (kill.exitValue() != 0 && isRunning())) {
      throw new ProcessClusterException("cannot send SIG" + name + " to process " + pid());
    }
  }

  /** Waits for its end; returns whether it came. */
  boolean awaitEnd(Duration within) throws InterruptedException {
    return await(() -> !isRunning(), within);
  }

  /** Waits until it is stopped, where the system tells; returns whether it is, or has ended. */
  boolean awaitPaused(Duration within) throws InterruptedException {
    return !Files.isDirectory(PROC.resolve("self"))
        || await(() -> isPaused() || !isRunning(), within);
  }

  private static boolean await(BooleanSupplier event, Duration within) throws InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    while (!event.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return true;
  }
}
