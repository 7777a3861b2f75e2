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
import java.util.stream.Stream;
import org.ecstore.server.shutdown.ShutdownHooks;

/** Programs on this machine. */
public final class Programs {
  private static final int JDK = 17;

  private Programs() {}

  /** A program on the PATH. */
  public static Optional<Path> find(String name) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
    return Stream.of(path.split(File.pathSeparator, -1))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Runs a program to its end.
   *
   * @param output what it prints is left in this file
   * @throws ServerUnavailableException if it fails; it says what the program did
   */
  public static void run(
      List<String> command,
      Path directory,
      Path output,
      Map<String, String> environment,
      Duration within)
      throws ServerUnavailableException, InterruptedException {
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectInput(new File("/dev/null"))
              .redirectOutput(output.toFile())
              .redirectErrorStream(true);
      builder.environment().putAll(environment);
      Process process;
      try (ShutdownHooks.Child child = ShutdownHooks.child(builder)) {
        process = child.process();
        if (!process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new ServerUnavailableException(
              command.getFirst() + " has not ended within " + within.toSeconds() + " s");
        }
      }
      if (process.exitValue() != 0) {
        throw new ServerUnavailableException(
            command.getFirst() + " failed: " + firstError(Files.readAllBytes(output)));
      }
    } catch (IOException e) {
      throw new ServerUnavailableException(
          "cannot run " + command.getFirst() + ": " + e.getMessage(), e);
    }
  }

  private static String firstError(byte[] printed) {
    List<String> lines =
        new String(printed, StandardCharsets.UTF_8)
            .lines()
            .map(line -> line.replaceAll("\\p{Cntrl}\\[[0-9;]*m", "").strip())
            .filter(line -> !line.isEmpty())
            .toList();
    return lines.stream()
        .filter(line -> line.contains("ERROR") || line.contains("FATAL"))
        .findFirst()
        .or(() -> lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast()))
        .orElse("it said nothing");
  }

  /**
   * The {@code java} of a JDK 17: that of ECSTORE_JDK17, of JAVA_HOME, on the PATH, or in the usual
   * places.
   */
  public static Path java17() throws ServerUnavailableException {
    List<Path> homes = new ArrayList<>();
    for (String variable : List.of("ECSTORE_JDK17", "JAVA_HOME")) {
      Optional.ofNullable(System.getenv(variable))
          .filter(home -> !home.isBlank())
          .ifPresent(home -> homes.add(Path.of(home)));
    }
    find("java").flatMap(Programs::homeOf).ifPresent(homes::add);
    for (String folder : List.of("/usr/lib/jvm", "/usr/java", "/opt/java")) {
      try (Stream<Path> some = Files.list(Path.of(folder))) {
        some.sorted().forEach(homes::add);
      } catch (IOException _) {
        // Not a place of this machine.
      }
    }
    return homes.stream()
        .filter(Programs::isJdk17)
        .map(home -> home.resolve("bin").resolve("java"))
        .findFirst()
        .orElseThrow(
            () ->
                new ServerUnavailableException(
                    "it needs a JDK 17 and there is none: name one in ECSTORE_JDK17"));
  }

  private static Optional<Path> homeOf(Path java) {
    try {
      return Optional.ofNullable(java.toRealPath().getParent()).map(Path::getParent);
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static boolean isJdk17(Path home) {
    if (!Files.isExecutable(home.resolve("bin").resolve("java"))) {
      return false;
    }
    try {
      return Files.readString(home.resolve("release")).contains("JAVA_VERSION=\"" + JDK + '.');
    } catch (IOException _) {
      return false;
    }
  }
}
