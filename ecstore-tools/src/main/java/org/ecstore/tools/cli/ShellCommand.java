package org.ecstore.tools.cli;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.net.AddressList;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.ProcessCluster;
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
  private static final String DEFAULT = "127.0.0.1:" + AddressList.DEFAULT_PORT;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int CONNECT_MILLIS = 1_000;

  @Parameters(
      paramLabel = "ADDRESSES",
      arity = "0..1",
      description = "Nodes, as host:port,host:port; " + DEFAULT + " if not given, as is the port.")
  private @Nullable String addresses;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "The directory of a cluster of processes, instead of addresses.")
  private @Nullable Path directory;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    String nodes = nodes();
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    mustListen(nodes);
    try (EcStore store = EcStore.connect(nodes, EcStoreOptions.DEFAULT.deadline(PATIENCE));
        Shell shell = new Shell(store, addresses(nodes), out)) {
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

  /** At once, where nothing listens: the client would try until its deadline. */
  private void mustListen(String nodes) {
    String reason = "";
    for (String address : addresses(nodes)) {
      InetSocketAddress at = AddressList.toSocketAddress(address);
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(at.getHostString(), at.getPort()), CONNECT_MILLIS);
        return;
      } catch (UnknownHostException _) {
        reason = "there is no host " + at.getHostString();
      } catch (IOException e) {
        reason = String.valueOf(e.getMessage());
      }
    }
    String given = directory == null ? "DIR" : directory.toString();
    throw new BadInputException(
        "no node listens at %s (%s): \"ecstore cluster up --dir %s\" starts a cluster, and \"ecstore shell --dir %s\" is its shell"
            .formatted(nodes, reason, given, given));
  }

  private static List<String> addresses(String nodes) {
    try {
      return AddressList.parse(nodes);
    } catch (WrongArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
  }

  private String nodes() throws IOException {
    Path given = directory;
    String named = addresses;
    if (given == null) {
      return named == null ? DEFAULT : named;
    }
    if (named != null) {
      throw new BadInputException("give addresses or --dir, not both");
    }
    try (ProcessCluster cluster = ProcessCluster.in(given, PATIENCE)) {
      List<Integer> all = cluster.nodes();
      if (all.isEmpty()) {
        throw new BadInputException(
            "there is no cluster in %1$s: \"ecstore cluster up --dir %1$s\" makes one"
                .formatted(given));
      }
      return cluster.addresses();
    }
  }
}
