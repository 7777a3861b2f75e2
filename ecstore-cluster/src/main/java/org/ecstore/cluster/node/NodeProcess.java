package org.ecstore.cluster.node;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import org.ecstore.cluster.config.ConfigReader;
import org.ecstore.cluster.config.InvalidConfigException;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.quota.HeldCapacity;
import org.ecstore.core.port.DisplacedException;
import org.ecstore.core.port.EngineLostException;
import org.ecstore.core.port.NodeEndsException;
import org.ecstore.core.port.WrongPartsException;
import org.ecstore.server.file.FileErrors;
import org.ecstore.server.print.LogText;

/** One node from its configuration to its end, with the exit status of its process. */
public final class NodeProcess {
  private static final long MEBI = 1 << 20;

  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * A process that has not begun.
   *
   * @param out gets one line once the node serves
   * @param err gets one line for what keeps the node from starting, or ends it
   */
  public NodeProcess(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the node whose configuration is in a file, the only argument. */
  public static void main(String[] args) throws InterruptedException {
    PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
    PrintWriter err = new PrintWriter(System.err, true, Charset.defaultCharset());
    if (args.length != 1) {
      err.println("ecstore server: which node? give the file with its configuration");
      System.exit(ExitStatus.BAD_INPUT);
    }
    System.exit(new NodeProcess(out, err).status(Path.of(args[0])));
  }

  private int status(Path file) throws InterruptedException {
    try {
      return run(ConfigReader.read(file, System.getenv()));
    } catch (InvalidConfigException e) {
      e.problems().forEach(this::error);
      return ExitStatus.BAD_INPUT;
    } catch (FileSystemException e) {
      error("ecstore server: " + e.getFile() + ": " + FileErrors.reason(e));
      return ExitStatus.BAD_INPUT;
    } catch (IOException | RuntimeException | Error e) {
      // An error of the machine too: what it hosts has threads that would keep the process alive.
      error("ecstore server: " + e);
      return ExitStatus.BROKEN;
    }
  }

  /** Runs a node until it is told to stop or fails; says with what status the process ends. */
  public int run(ServerConfig config) throws IOException, InterruptedException {
    try {
      return serve(config);
    } catch (StartRefusedException e) {
      error("ecstore server: " + e.getMessage());
      return e.isTemporary() ? ExitStatus.BROKEN : ExitStatus.BAD_INPUT;
    }
  }

  private int serve(ServerConfig config) throws IOException, InterruptedException {
    StopSignals signals = new StopSignals();
    signals.listen();
    ServerLog.begin(config.log());
    Optional<NodeServer> started =
        NodeServer.start(config, signals, notice -> besideTheLog(config, notice));
    if (started.isEmpty()) {
      return ExitStatus.OK;
    }
    try (NodeServer server = started.get()) {
      if (server.awaitServing()) {
        out.printf(
            "serving on %s as node %d of cluster %s (%s), with %s%n",
            server.address(),
            config.node().value(),
            config.clusterName(),
            server.cluster(),
            resources(config, server.capacity()));
        out.flush();
      }
      server.runUntilStopped();
      if (server.failure().orElse(null) instanceof NodeEndsException end) {
        besideTheLog(config, String.valueOf(end.getMessage()));
        return switch (end) {
          case DisplacedException _ -> ExitStatus.GIVEN_WAY;
          case EngineLostException _, NodeEndsException.PartFailedException _ -> ExitStatus.BROKEN;
          case WrongPartsException _ -> ExitStatus.BAD_INPUT;
        };
      }
      return server.failure().isPresent() ? ExitStatus.BROKEN : ExitStatus.OK;
    }
  }

  /** What the process has, as it was chosen or given. */
  private static String resources(ServerConfig config, Optional<HeldCapacity> capacity) {
    String collectors =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .map(bean -> bean.getName().split(" ", 2)[0])
            .distinct()
            .collect(Collectors.joining(" and "));
    return "heap %d MiB, engine cache %d MiB, %s, collector %s"
        .formatted(
            Runtime.getRuntime().maxMemory() / MEBI,
            ConfiguredSettings.engineCacheBytes(config) / MEBI,
            capacity
                .map(HeldCapacity::words)
                .orElse(Runtime.getRuntime().availableProcessors() + " processors"),
            collectors);
  }

  /** Where the log is on standard error it has the same line. */
  private void besideTheLog(ServerConfig config, String notice) {
    if (config.log().file().isPresent()) {
      error(notice);
    }
  }

  private void error(Object line) {
    err.println(LogText.of(line));
    err.flush();
  }
}
