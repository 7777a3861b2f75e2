package org.ecstore.server.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.core.port.DisplacedException;
import org.ecstore.core.port.NodeEndsException;
import org.ecstore.core.port.WrongPartsException;
import org.ecstore.server.config.ConfigReader;
import org.ecstore.server.config.ConfigText;
import org.ecstore.server.config.InvalidConfigException;
import org.ecstore.server.config.ServerConfig;
import org.ecstore.server.process.NodeServer;
import org.ecstore.server.process.ServerLog;
import org.ecstore.server.process.StartRefusedException;
import org.ecstore.server.process.StopSignals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore server}: one node, in this process. */
@Command(
    name = "server",
    description = {
      "Runs one node until it is told to stop.",
      "",
      "What the node is stands in a file; an environment variable named like a key, ECSTORE_NODE_ID"
          + " for node.id, comes before it. Everything that is wrong with a configuration is said"
          + " at once. --keys prints what may stand there.",
      "",
      "When the node serves it prints one line. SIGTERM makes it hand over and leave, within"
          + " stop.timeout; a second one, or SIGINT, ends it at once.",
      "",
      "Exit status 0: it was told to end; 2: it refuses to start like this; 4: it was started again"
          + " elsewhere; with these it is not to be started again as it is. Any other: it failed,"
          + " or met what may pass (a full disk, a port still in use), and is to be started again."
          + " docs/operations.md has a unit for systemd that does so."
    })
final class ServerCommand implements Callable<Integer> {
  @Option(names = "--config", paramLabel = "FILE", description = "The configuration, in TOML.")
  private @Nullable Path file;

  @Option(names = "--keys", description = "Print all keys of the configuration, and end.")
  private boolean keys;

  @Option(
      names = "--print-config",
      description = "Print what file and environment come to, and end.")
  private boolean print;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (keys) {
      out.print(ConfigText.table());
      out.flush();
      return ExitStatus.OK;
    }
    Path given = file;
    if (given == null) {
      throw new BadInputException("which node? give its configuration in --config FILE");
    }
    ServerConfig config;
    try {
      config = ConfigReader.read(given, System.getenv());
      if (print) {
        out.print(ConfigReader.effective(given, System.getenv()));
        out.flush();
        return ExitStatus.OK;
      }
    } catch (InvalidConfigException e) {
      e.problems().forEach(err::println);
      err.flush();
      return ExitStatus.BAD_INPUT;
    }
    try {
      return run(config, out, err);
    } catch (StartRefusedException e) {
      if (!e.isTemporary()) {
        throw new BadInputException(String.valueOf(e.getMessage()));
      }
      err.println("ecstore server: " + e.getMessage());
      err.flush();
      return ExitStatus.BROKEN;
    }
  }

  private static int run(ServerConfig config, PrintWriter out, PrintWriter err)
      throws IOException, InterruptedException {
    StopSignals signals = new StopSignals();
    signals.listen();
    ServerLog.begin(config.log());
    Optional<NodeServer> started =
        NodeServer.start(
            config,
            signals,
            notice -> {
              // Where the log is on standard error it has the same line.
              if (config.log().file().isPresent()) {
                err.println(notice);
                err.flush();
              }
            });
    if (started.isEmpty()) {
      return ExitStatus.OK;
    }
    try (NodeServer server = started.get()) {
      if (server.awaitServing()) {
        out.printf(
            "serving on %s as node %d of cluster %s (%s)%n",
            server.address(), config.node().value(), config.clusterName(), server.cluster());
        out.flush();
      }
      server.runUntilStopped();
      if (server.failure().orElse(null) instanceof NodeEndsException end) {
        if (config.log().file().isPresent()) {
          err.println(end.getMessage());
          err.flush();
        }
        return switch (end) {
          case DisplacedException _ -> ExitStatus.GIVEN_WAY;
          case WrongPartsException _ -> ExitStatus.BAD_INPUT;
        };
      }
      return server.failure().isPresent() ? ExitStatus.BROKEN : ExitStatus.OK;
    }
  }
}
