package org.ecstore.tools.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.ecstore.cluster.config.ConfigReader;
import org.ecstore.cluster.config.ConfigText;
import org.ecstore.cluster.config.InvalidConfigException;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.node.NodeProcess;
import org.ecstore.tools.terminal.BadInputException;
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
          + " or met what may pass (a full disk, a port still in use), and has to be started again."
          + " docs/operations.md has a unit for systemd that does so."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore server --config /etc/ecstore/node.toml",
      "  ecstore server --keys                             all keys there are"
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

  /** Whether it runs a node, and prints no more than that it serves. */
  boolean isNode() {
    return file != null && !keys && !print;
  }

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
    return new NodeProcess(out, err).run(config);
  }
}
