package org.ecstore.tools.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.tools.cli.data.StoreAddress;
import org.ecstore.tools.shell.Shell;
import org.ecstore.tools.shell.ShellLoop;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ecstore shell}: a cluster by hand. */
@Command(
    name = "shell",
    description = {
      "Reads and writes a cluster by hand, or by a script on standard input.",
      "",
      "At a terminal, help says what there is and the tabulator completes it. A script ends at its"
          + " first error, with exit status 1."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore shell --dir data                    of a cluster of ecstore cluster up",
      "  ecstore shell 10.0.0.1,10.0.0.2:7430        of nodes by address",
      "  echo 'scan users' | ecstore shell --dir data"
    })
final class ShellCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Parameters(
      paramLabel = "ADDRESSES",
      arity = "0..1",
      description =
          "Nodes, as host:port,host:port; "
              + StoreAddress.DEFAULT
              + " if not given, as is the port.")
  private @Nullable String addresses;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "The directory of a cluster of processes, instead of addresses.")
  private @Nullable Path directory;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    String nodes = StoreAddress.of(addresses, directory);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try (EcStore store = EcStore.connect(nodes, EcStoreOptions.DEFAULT.deadline(TIMEOUT));
        Shell shell = new Shell(store, StoreAddress.each(nodes), out)) {
      if (Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false)) {
        ShellLoop.talk(shell, err);
        return ExitStatus.OK;
      }
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      return ShellLoop.script(shell, lines, err) ? ExitStatus.OK : ExitStatus.CHECK_FAILED;
    } catch (EcStoreException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
  }
}
