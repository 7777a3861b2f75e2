package org.ecstore.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.server.file.TemporaryDirectory;

/**
 * How often and for how long a Java process was stopped for collections of garbage, by the log of
 * its virtual machine, which writes one into a file from here on until this is closed.
 */
public final class GcPauses implements AutoCloseable {
  /** As {@code [1700000000000ms] GC(7) Pause Young (Normal) 80M->20M(256M) 3.456ms}. */
  private static final Pattern PAUSE =
      Pattern.compile("\\[(\\d+)ms\\].*\\bPause\\b.*\\s(\\d+\\.\\d+)ms\\s*");

  private final long pid;
  private final TemporaryDirectory directory;
  private final Path log;

  private GcPauses(long pid, TemporaryDirectory directory) {
    this.pid = pid;
    this.directory = directory;
    this.log = directory.path().resolve("gc.log");
  }

  /**
   * Pauses of a time.
   *
   * @param millis of all of them
   * @param longestMillis of the longest one; 0 if there was none
   */
  public record Pauses(int count, double millis, double longestMillis) {
    /** Percent of so many seconds. */
    public double percent(double seconds) {
      return millis / 10 / seconds;
    }
  }

  /** Begins; absent of a process that is not Java's, or gone. */
  public static Optional<GcPauses> begin(long pid) throws IOException, InterruptedException {
    GcPauses pauses = new GcPauses(pid, TemporaryDirectory.create("ecstore-gc"));
    if (pauses.log("gc").isPresent()) {
      return Optional.of(pauses);
    }
    pauses.directory.close();
    return Optional.empty();
  }

  private Optional<List<String>> log(String what) throws InterruptedException {
    return Jcmd.ask(pid, "VM.log", "output=" + log, "what=" + what, "decorators=timemillis");
  }

  /** Those that ended from a moment on, in milliseconds since 1970. */
  public Pauses since(long epochMillis) throws IOException {
    return Files.exists(log) ? of(Files.readAllLines(log), epochMillis) : new Pauses(0, 0, 0);
  }

  static Pauses of(List<String> lines, long epochMillis) {
    int count = 0;
    double all = 0;
    double longest = 0;
    for (String line : lines) {
      Matcher pause = PAUSE.matcher(line);
      if (pause.matches() && Long.parseLong(pause.group(1)) >= epochMillis) {
        double millis = Double.parseDouble(pause.group(2));
        count++;
        all += millis;
        longest = Math.max(longest, millis);
      }
    }
    return new Pauses(count, all, longest);
  }

  @Override
  public void close() throws IOException {
    try {
      log("all=off");
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    directory.close();
  }
}
