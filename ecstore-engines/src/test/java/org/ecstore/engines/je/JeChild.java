package org.ecstore.engines.je;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineDriver;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/**
 * A process that writes batches into an engine as fast as it can, some in flight, syncing at times,
 * until it is killed. It says what was delivered and synced, a line each.
 */
final class JeChild implements AutoCloseable {
  private static final int IN_FLIGHT = 20;
  private static final Bytes SEQUENCE = Bytes.utf8("sequence");

  private final Process process;
  private final BufferedReader lines;
  private long delivered;
  private long synced;

  private JeChild(Process process) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts one that goes on from a version. */
  static JeChild start(Path directory, long version) throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return new JeChild(
        new ProcessBuilder(
                java.toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                JeChild.class.getName(),
                directory.toString(),
                Long.toString(version))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** The last batch known to be delivered. */
  long delivered() {
    return delivered;
  }

  /** The last batch known to be synced. */
  long synced() {
    return synced;
  }

  /** Waits until a batch is known to be delivered. */
  void awaitDelivered(long version) throws IOException {
    while (delivered < version) {
      read();
    }
  }

  private boolean read() throws IOException {
    String line = lines.readLine();
    if (line == null) {
      return false;
    }
    delivered = Math.max(delivered, number(line, "delivered "));
    synced = Math.max(synced, number(line, "synced "));
    return true;
  }

  private static long number(String line, String prefix) {
    return line.startsWith(prefix) ? Long.parseLong(line.substring(prefix.length())) : 0;
  }

  /** Kills it at once (SIGKILL) and reads what it still had said. */
  @Override
  public void close() throws IOException {
    process.toHandle().destroyForcibly(); // Unlike Process, leaves the pipe open.
    boolean more = true;
    while (more) {
      more = read();
    }
    process.onExit().join();
  }

  /** The batch of a version: the same in every process. */
  static EngineBatch batch(long version) {
    SplittableRandom random = new SplittableRandom(version);
    List<VersionedWrite> writes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String key = "k" + (i * 40 + random.nextInt(40));
      Optional<Bytes> value =
          random.nextInt(5) == 0
              ? Optional.empty()
              : Optional.of(Bytes.utf8(("v" + version + " ").repeat(random.nextInt(1, 60))));
      writes.add(new VersionedWrite(Bytes.utf8(key), new Position(version), value));
    }
    MetadataEntry entry = new MetadataEntry(SEQUENCE, Optional.of(Bytes.utf8("" + version)));
    return new EngineBatch(writes, List.of(entry));
  }

  /** The last batch an engine holds. */
  static long sequence(EngineDriver driver) {
    return driver.metadata().stream()
        .filter(entry -> entry.name().equals(SEQUENCE))
        .mapToLong(entry -> Long.parseLong(entry.value().orElseThrow().toUtf8()))
        .findFirst()
        .orElse(0);
  }

  /** The process: directory, first version. */
  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    EngineDriver driver =
        new EngineDriver(
            sink -> JeEngine.open(Path.of(arguments[0]), JeTesting.SETTINGS, sink), () -> {});
    long version = Long.parseLong(arguments[1]);
    List<Long> inFlight = new ArrayList<>();
    while (true) {
      inFlight.add(driver.submit(batch(version)));
      if (inFlight.size() == IN_FLIGHT) {
        driver.await(inFlight.removeFirst());
        out.println("delivered " + (version - IN_FLIGHT + 1));
      }
      if (version % 97 == 0) {
        driver.await(inFlight.getLast());
        inFlight.clear();
        driver.sync();
        out.println("synced " + version);
        out.println("delivered " + version);
      }
      version++;
    }
  }
}
