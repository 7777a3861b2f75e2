package org.ecstore.tools.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A command in a process of its own. */
public final class MainElsewhere {
  private MainElsewhere() {}

  /**
   * What a command ended with, and what it said.
   *
   * @param status as its process ended
   * @param said on both outputs
   */
  public record Ended(int status, String said) {}

  /**
   * Runs one.
   *
   * @param working the working directory
   * @param before what the class path has in front
   */
  public static Ended run(Path working, List<Path> before, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> classPath = new ArrayList<>(before.stream().map(Path::toString).toList());
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      classPath.add(Path.of(entry).toAbsolutePath().toString());
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                String.join(File.pathSeparator, classPath),
                EcStoreMain.class.getName()));
    command.addAll(arguments);
    Files.createDirectories(working);
    Process process =
        new ProcessBuilder(command).directory(working.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), said);
  }
}
