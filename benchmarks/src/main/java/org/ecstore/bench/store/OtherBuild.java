package org.ecstore.bench.store;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.server.shutdown.ShutdownHooks;

/**
 * Another checkout of ecStore, whose nodes and clients are measured beside those of this one. Its
 * nodes read the configuration that this build writes, and its command line is called as this one
 * is; what it does not know of these, it says when it is started.
 *
 * @param name by which it is measured: {@code build:} and the name of its folder
 * @param says what it says of itself: its release, and its commit where there is one
 * @param classPath of its command line
 */
public record OtherBuild(String name, String says, String classPath) {
  /** What names of other builds begin with. */
  public static final String PREFIX = "build:";

  private static final String CLASS_PATH = "java.class.path = ";
  private static final Duration BUILT_WITHIN = Duration.ofMinutes(15);
  private static final Duration SAID_WITHIN = Duration.ofSeconds(20);

  /** The name of the build in a checkout. */
  public static String nameOf(Path checkout) {
    Path folder = checkout.toAbsolutePath().normalize().getFileName();
    return PREFIX + (folder == null ? "root" : folder);
  }

  /** Whether there is a script in it to start it by. */
  public static boolean isCheckout(Path directory) {
    Path script = script(directory);
    return Files.isRegularFile(script) && Files.isExecutable(script);
  }

  private static Path script(Path checkout) {
    return checkout.resolve("bin").resolve("ecstore");
  }

  /**
   * The build in a checkout; its own script builds what is not built.
   *
   * @throws IOException if there is none, or it does not build; says why
   */
  public static OtherBuild in(Path checkout) throws IOException, InterruptedException {
    Path script = script(checkout);
    if (!isCheckout(checkout)) {
      throw new IOException(checkout + " is no checkout of ecStore: there is no bin/ecstore in it");
    }
    // The virtual machine tells its class path beside what the command prints.
    ProcessBuilder version = new ProcessBuilder(script.toString(), "--version");
    version.environment().put("ECSTORE_JAVA_OPTS", "-XshowSettings:properties");
    Output said = output(version, BUILT_WITHIN);
    List<String> entries = entries(said.err());
    if (entries.isEmpty()) {
      throw new IOException(checkout + " does not run: " + said.lastLine());
    }
    return new OtherBuild(
        nameOf(checkout),
        said.out().strip() + commit(checkout),
        String.join(File.pathSeparator, entries));
  }

  /** Of the settings that a virtual machine shows: the first entry, and one in each line below. */
  static List<String> entries(String settings) {
    List<String> entries = new ArrayList<>();
    for (String line : settings.lines().toList()) {
      String text = line.strip();
      if (text.startsWith(CLASS_PATH)) {
        entries.add(text.substring(CLASS_PATH.length()));
      } else if (!entries.isEmpty()) {
        if (text.isEmpty() || text.contains(" = ")) {
          return entries;
        }
        entries.add(text);
      }
    }
    return entries;
  }

  /** Empty where it is no clone, or there is no git. */
  private static String commit(Path checkout) throws InterruptedException {
    try {
      Output said =
          output(
              new ProcessBuilder(
                  "git", "-C", checkout.toString(), "describe", "--always", "--dirty"),
              SAID_WITHIN);
      return said.out().isBlank() ? "" : ", commit " + said.out().strip();
    } catch (IOException _) {
      return "";
    }
  }

  private record Output(String out, String err) {
    String lastLine() {
      return err.lines().reduce("it says nothing", (_, later) -> later).strip();
    }
  }

  private static Output output(ProcessBuilder builder, Duration within)
      throws IOException, InterruptedException {
    try (TemporaryDirectory temporary = TemporaryDirectory.create("ecstore-build")) {
      Path out = temporary.path().resolve("out");
      Path err = temporary.path().resolve("err");
      builder.redirectInput(new File("/dev/null"));
      builder.redirectOutput(out.toFile()).redirectError(err.toFile());
      try (ShutdownHooks.Child child = ShutdownHooks.child(builder)) {
        if (!child.process().waitFor(within.toSeconds(), TimeUnit.SECONDS)) {
          throw new IOException(
              String.join(" ", builder.command())
                  + " has not ended within "
                  + within.toSeconds()
                  + " s");
        }
      }
      return new Output(text(out), text(err));
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
