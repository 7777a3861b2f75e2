package org.ecstore.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process with one node. It runs while its standard input is open, so it ends with this process
 * too, however that ends. What it writes to standard error goes to ours.
 */
final class NodeOnAnotherJava implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeOnAnotherJava.class);

  /** Named and not referred to: the class is for a newer Java. */
  private static final String MAIN = "org.ecstore.server.StoreProcess";

  private static final String SERVES = "serves ";
  private static final long END_SECONDS_MAX = 20;

  private final Process process;
  private final String address;

  private NodeOnAnotherJava(Process process, String address) {
    this.process = process;
    this.address = address;
  }

  /**
   * Starts it on this process's class path and returns once it serves.
   *
   * @throws IOException if it does not; the message is what the process said
   */
  static NodeOnAnotherJava start(Path java, Path directory) throws IOException {
    Process process =
        new ProcessBuilder(
                List.of(
                    java.toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    MAIN,
                    directory.toAbsolutePath().toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      // Not closed before the process: it would have to end then.
      BufferedReader said =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      String line = said.readLine();
      if (line == null || !line.startsWith(SERVES)) {
        throw new IOException(line == null ? "the node's process ended at its start" : line);
      }
      return new NodeOnAnotherJava(process, line.substring(SERVES.length()));
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Where it listens. */
  String address() {
    return address;
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
