package org.ecstore.tools.cli.data;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.net.AddressList;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;

/** Which store a command is for: nodes by address, or the cluster of a directory. */
public final class StoreAddress {
  /** Where a node listens if nothing is said. */
  public static final String DEFAULT = "127.0.0.1:" + AddressList.DEFAULT_PORT;

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int CONNECT_MILLIS = 1_000;

  private StoreAddress() {}

  /**
   * The addresses of a store whose node, one at least, listens.
   *
   * @param named nodes by address
   * @param directory of a cluster of processes; of the two one is given at most
   * @throws BadInputException if both are, or no node listens; it says how to start one
   */
  public static String of(@Nullable String named, @Nullable Path directory) throws IOException {
    String nodes = nodes(named, directory);
    mustListen(nodes, directory);
    return nodes;
  }

  /** The addresses one by one. */
  public static List<String> each(String nodes) {
    try {
      return AddressList.parse(nodes);
    } catch (WrongArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
  }

  private static String nodes(@Nullable String named, @Nullable Path directory) throws IOException {
    if (directory == null) {
      return named == null ? DEFAULT : named;
    }
    if (named != null) {
      throw new BadInputException("give addresses or --dir, not both");
    }
    try (ProcessCluster cluster = ProcessCluster.in(directory, TIMEOUT)) {
      List<Integer> all = cluster.nodes();
      if (all.isEmpty()) {
        throw new BadInputException(
            "there is no cluster in %1$s: \"ecstore cluster up --dir %1$s\" makes one"
                .formatted(directory));
      }
      return cluster.addresses();
    }
  }

  /** At once, where nothing listens: the client would try until its deadline. */
  private static void mustListen(String nodes, @Nullable Path directory) {
    String reason = "";
    for (String address : each(nodes)) {
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
}
