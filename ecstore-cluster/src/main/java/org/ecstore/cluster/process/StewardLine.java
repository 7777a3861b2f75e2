package org.ecstore.cluster.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.id.NodeId;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.NodeLine;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.secret.SecretFile;

/**
 * Asks nodes, one after the other, until one of them has the steward's answer. One that runs is
 * enough: it asks the steward. Safe for use by several threads.
 */
public final class StewardLine implements AutoCloseable {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);

  /** A node to ask, and what it is called before people. */
  private record Asked(String name, String address) {}

  /** Which nodes are asked. */
  private interface Nodes {
    List<Asked> all() throws IOException;
  }

  /** What proves a request to be an operator's, if there is any. */
  interface Secrets {
    Optional<ClusterSecret> read() throws IOException;
  }

  private final Nodes nodes;
  private final NodeProbe probe;
  private final Secrets secrets;

  /** What helps where there is no node to ask. */
  private final String remedy;

  private StewardLine(Nodes nodes, NodeProbe probe, Secrets secrets, String remedy) {
    this.nodes = nodes;
    this.probe = probe;
    this.secrets = secrets;
    this.remedy = remedy;
  }

  /** To the nodes of a directory that run. */
  static StewardLine of(ClusterFiles files, ClusterEyes eyes, NodeProbe probe, Secrets secrets) {
    return new StewardLine(
        () -> running(files, eyes),
        probe,
        secrets,
        "; \"ecstore cluster up --dir %s\" starts them".formatted(files.directory()));
  }

  /**
   * To nodes wherever they run. No node is asked yet.
   *
   * @param addresses as {@code host:port}, one at least
   * @param secretFile with the cluster's secret; without it nothing can be asked that changes the
   *     cluster
   */
  public static StewardLine to(List<String> addresses, Optional<Path> secretFile) {
    List<Asked> all = addresses.stream().map(address -> new Asked(address, address)).toList();
    return new StewardLine(
        () -> all,
        new NodeProbe(ANSWER_WITHIN),
        () ->
            secretFile.isPresent()
                ? Optional.of(SecretFile.read(secretFile.get()))
                : Optional.empty(),
        "");
  }

  private static List<Asked> running(ClusterFiles files, ClusterEyes eyes) throws IOException {
    List<Asked> running = new ArrayList<>();
    for (int node : files.nodes()) {
      Optional<OwnProcess> process = eyes.process(node);
      if (process.isPresent() && !process.get().isPaused()) {
        running.add(new Asked("node " + node, files.address(node)));
      }
    }
    return running;
  }

  /**
   * The answer. The steward may hear the request several times.
   *
   * @throws StewardSilentException if no node has it; it says why
   * @throws ProcessClusterException if none runs, or the request is none that a node takes
   * @throws IOException if the secret cannot be read
   */
  public <T extends ClientReply> T ask(ClientRequest request, Class<T> kind) throws IOException {
    // Only a request needs it: what can be seen can be seen without.
    Optional<ClusterSecret> secret =
        request instanceof ClientRequest.Administer ? secrets.read() : Optional.empty();
    String why = "";
    for (Asked node : nodes.all()) {
      Optional<ClientReply> reply =
          probe.ask(node.address(), request, secret, ANSWER_WITHIN).join();
      if (reply.isPresent() && kind.isInstance(reply.get())) {
        return kind.cast(reply.get());
      }
      if (reply.isPresent()
          && reply.get() instanceof ClientReply.Refused(var code, var detail, var _)
          && code == RefusalCode.BAD_REQUEST) {
        throw new ProcessClusterException(detail);
      }
      why =
          reply.isPresent() && reply.get() instanceof ClientReply.Refused refused
              ? refused.detail()
              : node.name() + " does not answer";
    }
    if (why.isEmpty()) {
      throw new ProcessClusterException("the steward is not reached: no node runs" + remedy);
    }
    throw new StewardSilentException("the steward is not reached: " + why);
  }

  /**
   * How the cluster is by what its nodes say: the members that the newest map has, each asked at
   * the address that it is reached at. No process is looked at: a member that does not answer is
   * silent, and a node that is down is no member. Where no node knows the map, those that answer.
   *
   * @param within what a node is to answer to each of two questions
   * @throws ProcessClusterException if none answers
   */
  public ClusterLook look(Duration within) throws IOException {
    List<Asked> asked = nodes.all();
    Optional<StatusReport> map =
        ClusterEyes.newest(
            asked.stream().map(each -> probe.map(each.address(), within)).toList().stream()
                .flatMap(answer -> answer.join().stream()));
    List<NodeStatus> found = map.isPresent() ? members(map.get(), within) : those(asked, within);
    if (found.isEmpty()) {
      throw new ProcessClusterException(
          "no node answers at " + String.join(", ", asked.stream().map(Asked::address).toList()));
    }
    return new ClusterLook(
        found.stream().sorted(Comparator.comparingInt(NodeStatus::node)).toList(), map);
  }

  private List<NodeStatus> members(StatusReport map, Duration within) {
    List<CompletableFuture<NodeStatus>> members = new ArrayList<>();
    for (NodeLine line : map.nodes()) {
      CompletableFuture<Optional<Inspected>> seen =
          line.address().isEmpty()
              ? CompletableFuture.completedFuture(Optional.empty())
              : probe.inspect(line.address(), within);
      members.add(seen.thenApply(said -> status(line.node(), line.address(), said)));
    }
    return members.stream().map(CompletableFuture::join).toList();
  }

  private List<NodeStatus> those(List<Asked> asked, Duration within) {
    List<CompletableFuture<Optional<NodeStatus>>> all = new ArrayList<>();
    for (Asked each : asked) {
      all.add(
          probe
              .inspect(each.address(), within)
              .thenApply(seen -> seen.map(said -> status(said.node(), each.address(), seen))));
    }
    return all.stream().flatMap(answer -> answer.join().stream()).toList();
  }

  private static NodeStatus status(NodeId node, String address, Optional<Inspected> seen) {
    return new NodeStatus(
        (int) Math.min(node.value(), Integer.MAX_VALUE),
        ClusterEyes.state(seen),
        Optional.empty(),
        address,
        seen,
        Optional.empty());
  }

  /** Lets go of connections. */
  @Override
  public void close() {
    probe.close();
  }
}
