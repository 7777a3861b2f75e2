package org.ecstore.bench.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.server.shutdown.ShutdownHooks;

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
      // Into a file: who asks of itself stands still meanwhile, and could not empty a pipe.
      try (TemporaryDirectory directory = TemporaryDirectory.create("ecstore-heap")) {
        Path said = directory.path().resolve("histogram.txt");
        ProcessBuilder builder =
            new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.class_histogram")
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        boolean ended;
        try (ShutdownHooks.Child jcmdRun = ShutdownHooks.child(builder)) {
          ended = jcmdRun.process().waitFor(SECONDS_MAX, TimeUnit.SECONDS);
        }
        return ended ? total(said) : OptionalLong.empty();
      }
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private static OptionalLong total(Path said) throws IOException {
    OptionalLong found = OptionalLong.empty();
    for (String line : Files.readAllLines(said)) {
      Matcher total = TOTAL.matcher(line);
      if (total.matches()) {
        found = OptionalLong.of(Long.parseLong(total.group(1)));
      }
    }
    return found;
  }
}
