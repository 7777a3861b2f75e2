package org.ecstore.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the objects of a Java process take after a full collection, which it is made to do. */
public final class LiveHeap {
  /** As {@code Total 412345 123456789}: objects, bytes. */
  private static final Pattern TOTAL = Pattern.compile("Total\\s+\\d+\\s+(\\d+)\\s*");

  private static final long SECONDS_MAX = 60;

  private LiveHeap() {}

  /** In bytes; absent for a process that is not Java's, or gone. */
  public static OptionalLong of(long pid) throws InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      return OptionalLong.empty();
    }
    try {
      Process process =
          new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.class_histogram")
              .redirectErrorStream(true)
              .start();
      try {
        OptionalLong found = total(process);
        return process.waitFor(SECONDS_MAX, TimeUnit.SECONDS) ? found : OptionalLong.empty();
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static OptionalLong total(Process process) throws IOException {
    OptionalLong found = OptionalLong.empty();
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher total = TOTAL.matcher(line);
        if (total.matches()) {
          found = OptionalLong.of(Long.parseLong(total.group(1)));
        }
      }
    }
    return found;
  }
}
