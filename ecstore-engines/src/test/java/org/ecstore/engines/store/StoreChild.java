package org.ecstore.engines.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.model.Row;

/**
 * A process that writes batches into a store as fast as it can, syncing at times, until it is
 * killed. It says what was written and synced, a line each.
 */
public final class StoreChild implements AutoCloseable {
  private static final Bytes SEQUENCE = Bytes.utf8("sequence");
  private static final int SYNC_EVERY = 61;

  /**
   * How the process opens the store: a public class of the tests with a constructor without
   * arguments.
   */
  public interface Opening {
    /**
     * Opens the store.
     *
     * @param place what the test says of it
     */
    OrderedStore open(String place);
  }

  private final Process process;
  private final BufferedReader lines;
  private long written;
  private long synced;
  private String failure = "";

  private StoreChild(Process process) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts one that goes on from a batch. */
  public static StoreChild start(Class<? extends Opening> opening, String place, long batch)
      throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return new StoreChild(
        new ProcessBuilder(
                java.toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                StoreChild.class.getName(),
                opening.getName(),
                place,
                Long.toString(batch))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** Its id, for signals. */
  public long pid() {
    return process.pid();
  }

  /** The last batch known to be written. */
  public long written() {
    return written;
  }

  /** The last batch known to be synced. */
  public long synced() {
    return synced;
  }

  /** Why it ended by itself, if it did: a {@link StoreException.Reason}. */
  public String failure() {
    return failure;
  }

  /** Waits until it has ended by itself. */
  public void awaitEnd() throws IOException {
    boolean more = true;
    while (more) {
      more = read();
    }
    process.onExit().join();
  }

  /** Waits until a batch is known to be written. */
  public void awaitWritten(long batch) throws IOException {
    while (written < batch) {
      if (!read()) {
        throw new IOException("the process has ended after batch " + written);
      }
    }
  }

  private boolean read() throws IOException {
    String line = lines.readLine();
    if (line == null) {
      return false;
    }
    written = Math.max(written, number(line, "written "));
    synced = Math.max(synced, number(line, "synced "));
    String lost = "lost ";
    failure = line.startsWith(lost) ? line.substring(lost.length()) : failure;
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

  /** The batch of a number: the same in every process. */
  public static StoreBatch batch(long number) {
    SplittableRandom random = new SplittableRandom(number);
    List<Row> puts = new ArrayList<>();
    List<Bytes> deletes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Bytes key = Bytes.utf8("k" + (i * 40 + random.nextInt(40)));
      if (random.nextInt(5) == 0) {
        deletes.add(key);
      } else {
        String value = ("v" + number + " ").repeat(random.nextInt(1, 60));
        puts.add(new Row(key, new Position(number), Bytes.utf8(value)));
      }
    }
    MetadataEntry entry = new MetadataEntry(SEQUENCE, Optional.of(Bytes.utf8("" + number)));
    return new StoreBatch(puts, deletes, List.of(entry));
  }

  /** The last batch a store knows by its metadata. */
  public static long sequence(OrderedStore store) {
    return store.metadata().stream()
        .filter(entry -> entry.name().equals(SEQUENCE))
        .mapToLong(entry -> Long.parseLong(entry.value().orElseThrow().toUtf8()))
        .findFirst()
        .orElse(0);
  }

  /** The rows after all batches up to one. */
  public static List<Row> rows(long last) {
    NavigableMap<Bytes, Row> rows = new TreeMap<>();
    for (long number = 1; number <= last; number++) {
      StoreBatch batch = batch(number);
      batch.puts().forEach(row -> rows.put(row.key(), row));
      batch.deletes().forEach(rows::remove);
    }
    return List.copyOf(rows.values());
  }

  /** The process: how to open it, where, first batch. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Opening opening =
        Class.forName(arguments[0])
            .asSubclass(Opening.class)
            .getDeclaredConstructor()
            .newInstance();
    OrderedStore store = opening.open(arguments[1]);
    long number = Long.parseLong(arguments[2]);
    boolean lost = false;
    while (!lost) {
      try {
        store.write(batch(number));
        out.println("written " + number);
        if (number % SYNC_EVERY == 0) {
          store.sync();
          out.println("synced " + number);
        }
        number++;
      } catch (StoreException e) {
        // As the store's user does: makes the call again, unless that is of no use.
        lost = e.reason() == StoreException.Reason.LOST;
        if (lost) {
          out.println("lost " + String.valueOf(e.getMessage()).replace('\n', ' '));
        }
      }
    }
    store.close();
  }
}
