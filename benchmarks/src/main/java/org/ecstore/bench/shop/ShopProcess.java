package org.ecstore.bench.shop;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.cluster.database.Loopback;
import org.ecstore.cluster.database.ServerProcess;
import org.ecstore.cluster.database.ServerUnavailableException;

/** The shop's application as a process on this machine, on a store that runs. */
public final class ShopProcess implements AutoCloseable {
  private static final String MAIN = "org.ecstore.bookstore.web.BookstoreApplication";
  private static final Duration SERVE_WITHIN = Duration.ofMinutes(2);
  private static final Duration END_WITHIN = Duration.ofSeconds(30);

  private final ServerProcess process;
  private final String address;

  private ShopProcess(ServerProcess process, String address) {
    this.process = process;
    this.address = address;
  }

  /**
   * Starts it and returns once it listens.
   *
   * @param port of the loopback address
   * @param properties of the application, as {@code ecstore.nodes}
   * @param directory for its log
   * @throws ServerUnavailableException if it was not built, ends, or does not listen in time
   */
  public static ShopProcess start(int port, Map<String, String> properties, Path directory)
      throws IOException, InterruptedException, ServerUnavailableException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", classPath(), MAIN, "--server.port=" + port));
    properties.forEach((name, value) -> command.add("--" + name + "=" + value));
    String address = "127.0.0.1:" + port;
    ServerProcess process =
        ServerProcess.start(command, directory, directory.resolve("shop.log"), Map.of());
    boolean serves = false;
    try {
      Loopback.awaitListening(address, List.of(process), SERVE_WITHIN);
      serves = true;
      return new ShopProcess(process, address);
    } finally {
      if (!serves) {
        process.kill();
      }
    }
  }

  private static Path own() {
    try {
      return Path.of(Bookstore.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where the build writes down what the shop stands on: a file that may not be there. */
  public static Path libraries() {
    return own().resolveSibling("classpath.txt");
  }

  private static String classPath() throws IOException, ServerUnavailableException {
    if (!Files.isReadable(libraries())) {
      throw new ServerUnavailableException(
          "the shop was not built: there is no " + libraries() + "; \"mvn package\" makes it");
    }
    return own() + File.pathSeparator + Files.readString(libraries()).strip();
  }

  /** Where it listens, as {@code host:port}. */
  public String address() {
    return address;
  }

  /** What its addresses begin with. */
  public URI root() {
    return URI.create("http://" + address);
  }

  /** Its process. */
  public long pid() {
    return process.pid();
  }

  /** Whether it has not ended. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Stops it (SIGSTOP): it uses no processor until {@link #resume}. */
  public void pause() throws IOException, InterruptedException {
    process.pause();
  }

  /** Lets it go on. */
  public void resume() throws IOException, InterruptedException {
    process.resume();
  }

  /** Ends it; it answers what was asked already. */
  @Override
  public void close() {
    try {
      process.beginEnd();
      process.awaitEnd(END_WITHIN);
    } catch (IOException e) {
      process.kill();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      process.kill();
    }
  }
}
