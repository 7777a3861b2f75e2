package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.cluster.node.Machine;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.cluster.process.StewardLine;
import org.ecstore.cluster.process.StewardSilentException;
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.secret.SecretFile;
import org.ecstore.tools.cli.data.StoreAddress;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.OptionBounds;

/**
 * The cluster that a command is about.
 *
 * @param directory of the cluster; absent if none was given
 * @param nodes addresses of nodes instead, wherever they run; absent if none were given
 * @param secretFile with its secret; absent for the one in the directory
 * @param waitSeconds within what nodes are to serve, and requests to be done
 */
public record ClusterAccess(
    Optional<Path> directory, Optional<String> nodes, Optional<Path> secretFile, int waitSeconds) {
  private static final long ASK_MILLIS_MAX = 10_000;
  private static final long MILLIS_PER_SECOND = 1_000;

  /** Something to do with the cluster. */
  @FunctionalInterface
  public interface Work {
    void run(ProcessCluster cluster) throws IOException, InterruptedException;
  }

  /** The way to the steward. */
  public interface Link {
    /**
     * Asks once; the steward may have heard it even if there is no answer.
     *
     * @throws StewardSilentException if there is no answer
     */
    <T extends ClientReply> T ask(ClientRequest request, Class<T> kind) throws IOException;
  }

  /** Something to ask or to tell the steward of a cluster. */
  @FunctionalInterface
  public interface Talk {
    void with(Link steward) throws IOException, InterruptedException;
  }

  /** The cluster of a directory. */
  public ClusterAccess(Optional<Path> directory, Optional<Path> secretFile, int waitSeconds) {
    this(directory, Optional.empty(), secretFile, waitSeconds);
  }

  /** Talks to the steward of a cluster of processes, or of one whose nodes are named. */
  public void talk(Talk talk) throws IOException, InterruptedException {
    if (nodes.isEmpty() && directory.isEmpty()) {
      throw new BadInputException(
          "which cluster? give its directory in --dir DIR, or addresses of its nodes in --at"
              + " NODES");
    }
    if (nodes.isEmpty()) {
      with(cluster -> talk.with(cluster::askSteward));
      return;
    }
    at(line -> talk.with(line::ask));
  }

  /** Something to do with nodes that were named. */
  @FunctionalInterface
  interface Named {
    void with(StewardLine line) throws IOException, InterruptedException;
  }

  /** Works with nodes that were named, wherever they run. */
  void at(Named work) throws IOException, InterruptedException {
    if (directory.isPresent()) {
      throw new BadInputException("give --at NODES or --dir DIR, not both");
    }
    mustWait();
    try (StewardLine line = StewardLine.to(StoreAddress.each(nodes.orElseThrow()), secretFile)) {
      work.with(line);
    } catch (ProcessClusterException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
  }

  /** Works with a cluster that is there. */
  public void with(Work work) throws IOException, InterruptedException {
    withMore(NewCluster.DEFAULT, work);
  }

  /**
   * Works with a cluster that is there.
   *
   * @param more what nodes have that are added to it
   */
  void withMore(NewCluster more, Work work) throws IOException, InterruptedException {
    with(
        more.on(Machine.here()),
        cluster -> {
          if (cluster.nodes().isEmpty()) {
            throw new BadInputException(
                cluster.isUnfinished()
                    ? "an \"up\" in %s was interrupted before the cluster was made: give it again"
                        .formatted(directory.orElseThrow())
                    : "there is no cluster in " + directory.orElseThrow());
          }
          work.run(cluster);
        });
  }

  /** Works with one that is there, or has to be made as said. */
  public void with(NewCluster made, Work work) throws IOException, InterruptedException {
    if (directory.isEmpty()) {
      throw new BadInputException("which cluster? give its directory in --dir DIR");
    }
    mustWait();
    try (ProcessCluster cluster =
        ProcessCluster.in(directory.get(), Duration.ofSeconds(waitSeconds), made)) {
      if (secretFile.isPresent()) {
        cluster.secretFrom(secretFile.get());
      }
      work.run(cluster);
    } catch (ProcessClusterException | DirectoryInUseException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    }
  }

  /** Before it is asked for under way, where a file that is not there is no failure of ecStore. */
  private static void mustBeSecret(Path file) {
    try {
      SecretFile.read(file);
    } catch (IOException e) {
      throw new BadInputException("--secret-file: " + e.getMessage());
    }
  }

  private void mustHaveSecret() {
    if (nodes.isPresent() && secretFile.isEmpty()) {
      throw new BadInputException(
          "--at goes with --secret-file FILE here: the cluster's secret, as its nodes have it");
    }
    if (secretFile.isPresent()) {
      mustBeSecret(secretFile.get());
    }
  }

  private void mustWait() {
    OptionBounds.checkAtLeast("--wait", waitSeconds, 1);
  }

  /**
   * The steward's answer to what is only looked at. One that was not asked before may have to read
   * it first, so it is asked again for some seconds.
   *
   * @throws StewardSilentException if there is no answer in that time
   */
  public <T extends ClientReply> T ask(
      ProcessCluster cluster, ClientRequest question, Class<T> kind)
      throws IOException, InterruptedException {
    return ask(cluster::askSteward, question, kind);
  }

  /** As above. */
  public <T extends ClientReply> T ask(Link steward, ClientRequest question, Class<T> kind)
      throws IOException, InterruptedException {
    return AdminCall.answered(
        steward, AdminCall.Clock.REAL, _ -> {}, question, kind, ASK_MILLIS_MAX);
  }

  /**
   * As above, asked for as long as a request may take: for what is looked at before that.
   *
   * @param say hears why there is no answer yet
   * @throws StewardSilentException if there is no answer in that time
   */
  public <T extends ClientReply> T askFirst(
      Link steward, ClientRequest question, Class<T> kind, Consumer<String> say)
      throws IOException, InterruptedException {
    mustHaveSecret();
    return AdminCall.answered(
        steward, AdminCall.Clock.REAL, say, question, kind, waitSeconds * MILLIS_PER_SECOND);
  }

  /**
   * Tells the steward a request and waits until it is done.
   *
   * @param say hears how it goes
   * @throws BadInputException if it is refused or put off, with the reason
   */
  public DecisionLine request(
      ProcessCluster cluster, AdminRequest adminRequest, Consumer<String> say)
      throws IOException, InterruptedException {
    return request(cluster::askSteward, adminRequest, say);
  }

  /** As above. */
  public DecisionLine request(Link steward, AdminRequest adminRequest, Consumer<String> say)
      throws IOException, InterruptedException {
    mustHaveSecret();
    AdminCall.Outcome outcome =
        AdminCall.told(steward, say, adminRequest, waitSeconds * 1_000_000_000L);
    if (!outcome.line().isDone()) {
      throw new BadInputException(StewardCommands.failed(outcome));
    }
    return outcome.line();
  }
}
