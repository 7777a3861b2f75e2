package org.ecstore.embedded;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.error.UnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process with nodes. It runs while its standard input is open, so it ends with this process too,
 * however that ends. What it writes to standard error goes to ours.
 */
final class ProcessOnAnotherJava implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessOnAnotherJava.class);

  private static final String SERVES = "serves ";
  private static final long END_SECONDS_MAX = 20;

  private final Process process;
  private final BufferedReader said;
  private final String addresses;

  private ProcessOnAnotherJava(Process process, BufferedReader said, String addresses) {
    this.process = process;
    this.said = said;
    this.addresses = addresses;
  }

  /**
   * Starts it on this process's class path, by a Java of this machine, and returns once it serves.
   *
   * @param main the class of its program; named, as it is for a newer Java
   * @param directory its first argument
   * @throws UnavailableException if it does not, or there is no such Java
   */
  static ProcessOnAnotherJava start(String main, Path directory, String... more) {
    Path java =
        NewerJava.find()
            .orElseThrow(
                () ->
                    new UnavailableException(
                        "the node of an embedded store needs Java "
                            + NewerJava.NEEDED
                            + " and there is none on this machine: install one, or name it in "
                            + NewerJava.VARIABLE,
                        null,
                        "java",
                        Runtime.version().feature()));
    try {
      return start(java, main, directory, more);
    } catch (IOException e) {
      throw new UnavailableException(
          String.valueOf(e.getMessage()), e, "directory", directory, "java", java);
    }
  }

  private static ProcessOnAnotherJava start(Path java, String main, Path directory, String... more)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                java.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main,
                directory.toAbsolutePath().toString()));
    command.addAll(List.of(more));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      // Not closed before the process: it would have to end then.
      BufferedReader said =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String line = said.readLine();
      if (line == null || !line.startsWith(SERVES)) {
        throw new IOException(line == null ? "the node's process ended at its start" : line);
      }
      return new ProcessOnAnotherJava(process, said, line.substring(SERVES.length()));
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Where it listens, as {@code host:port,host:port}. */
  String addresses() {
    return addresses;
  }

  /**
   * Says a line to it and returns the one that it answers.
   *
   * @throws UnavailableException if it has ended
   */
  synchronized String ask(String line) {
    try {
      OutputStream out = process.getOutputStream();
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      String answer = said.readLine();
      if (answer == null) {
        throw new EOFException("it says nothing more");
      }
      return answer;
    } catch (IOException e) {
      throw new UnavailableException(
          "the process of the nodes has ended", e, "process", process.pid());
    }
  }

  /** Has it end in order, and ends it if it does not. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        LOG.warn("the node's process {} does not end by itself and is ended", process.pid());
      }
    } catch (IOException e) {
      LOG.debug("the node's process has ended already", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
