package org.ecstore.bench.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.ecstore.bench.store.OtherBuild;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.server.shutdown.ShutdownHooks;

/**
 * Runs this command line in processes of their own, with the same virtual machine and flags for
 * all, so that no store profits from what a client has learnt of another. They end with this one.
 */
public final class ClientProcess {
  /** What each client gets. */
  public static final List<String> FLAGS = List.of("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC");

  private static final List<String> MODULES =
      List.of(
          "-Dkryo.unsafe=false",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "--add-opens=java.base/java.io=ALL-UNNAMED");
  private static final String MAIN = "org.ecstore.tools.cli.EcStoreMain";
  private static final long TICK_MILLIS = 250;

  private final Path directory;
  private final List<String> flags;
  private final String classPath;

  /**
   * As many as are wanted, one after the other.
   *
   * @param directory for what they print
   * @param flags of the virtual machine
   */
  public ClientProcess(Path directory, List<String> flags) {
    this(directory, flags, System.getProperty("java.class.path"));
  }

  private ClientProcess(Path directory, List<String> flags, String classPath) {
    this.directory = directory;
    this.flags = List.copyOf(flags);
    this.classPath = classPath;
  }

  /** The same of another build. */
  public ClientProcess of(OtherBuild build) {
    return new ClientProcess(directory, flags, build.classPath());
  }

  /**
   * Runs one, and returns the JSON objects it printed.
   *
   * @param within after this it is ended
   * @param elapsed is told in milliseconds how time goes by
   * @throws IOException if it fails; says what it said
   */
  public List<ObjectNode> run(List<String> arguments, Duration within, LongConsumer elapsed)
      throws IOException, InterruptedException {
    Path out = directory.resolve("client.out");
    Path err = directory.resolve("client.err");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(MODULES);
    command.add(MAIN);
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().put("CLASSPATH", classPath);
    Process process;
    try (ShutdownHooks.Child child = ShutdownHooks.child(builder)) {
      process = child.process();
      await(process, within, elapsed);
    }
    // Errors of the store are in what it printed.
    if (process.exitValue() == ExitStatus.CHECK_FAILED) {
      List<ObjectNode> found = objects(out);
      if (!found.isEmpty()) {
        return found;
      }
    }
    if (process.exitValue() != ExitStatus.OK) {
      throw new IOException("the client failed: " + lastLine(err));
    }
    return objects(out);
  }

  /**
   * As {@link #run}, of one that prints one result.
   *
   * @throws IOException also if it prints none, or several
   */
  public ObjectNode one(List<String> arguments, Duration within, LongConsumer elapsed)
      throws IOException, InterruptedException {
    List<ObjectNode> results = run(arguments, within, elapsed);
    if (results.size() != 1) {
      throw new IOException("the client printed " + results.size() + " results, not one");
    }
    return results.getFirst();
  }

  private static void await(Process process, Duration within, LongConsumer elapsed)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    for (long last = begun; !process.waitFor(TICK_MILLIS, TimeUnit.MILLISECONDS); ) {
      long now = System.nanoTime();
      elapsed.accept((now - last) / 1_000_000);
      last = now;
      if (now - begun > within.toNanos()) {
        throw new IOException("the client has not ended within " + within.toSeconds() + " s");
      }
    }
  }

  private static List<ObjectNode> objects(Path file) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    List<ObjectNode> objects = new ArrayList<>();
    for (String line : text(file).lines().toList()) {
      try {
        if (mapper.readTree(line) instanceof ObjectNode object) {
          objects.add(object);
        }
      } catch (JsonProcessingException e) {
        throw new IOException("the client printed what is no JSON: " + line, e);
      }
    }
    return objects;
  }

  private static String lastLine(Path file) throws IOException {
    return text(file)
        .lines()
        .filter(line -> !line.isBlank())
        .reduce((_, later) -> later)
        .orElse("it said nothing");
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
