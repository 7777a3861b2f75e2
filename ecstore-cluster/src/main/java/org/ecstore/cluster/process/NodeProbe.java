package org.ecstore.cluster.process;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.ecstore.client.net.NettyConnector;
import org.ecstore.client.routing.StatusParts;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.client.secret.OperatorProof;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;

/** Asks nodes how they are. Safe for use by several threads. */
public final class NodeProbe implements AutoCloseable {
  private final NettyConnector connector;
  private final Map<String, NodeConnection> connections = new ConcurrentHashMap<>();

  /**
   * Asks no node yet.
   *
   * @param connectWithin how long it may take until a node is reached
   */
  public NodeProbe(Duration connectWithin) {
    // The seeds are not used: every connection is asked for by its address.
    connector = new NettyConnector(List.of("127.0.0.1:1"), connectWithin);
  }

  /** What a node says of itself; absent if it does not answer in time. */
  public CompletableFuture<Optional<Inspected>> inspect(String address, Duration within) {
    return connections
        .computeIfAbsent(address, connector::connect)
        .call(new ClientRequest.Inspect(), within)
        .handle((reply, _) -> inspected(reply));
  }

  private static Optional<Inspected> inspected(ClientReply reply) {
    return reply instanceof Inspected inspected ? Optional.of(inspected) : Optional.empty();
  }

  /** What a node knows of all ranges; absent if it does not answer in time, or knows no map yet. */
  public CompletableFuture<Optional<StatusReport>> map(String address, Duration within) {
    return map(address, new StatusParts(Optional.empty()), System.nanoTime() + within.toNanos())
        .thenApply(whole -> whole.filter(report -> !report.ranges().isEmpty()));
  }

  private CompletableFuture<Optional<StatusReport>> map(
      String address, StatusParts parts, long untilNanos) {
    Duration left = Duration.ofNanos(Math.max(1, untilNanos - System.nanoTime()));
    return ask(address, parts.next(), left)
        .thenCompose(
            reply -> {
              if (!(reply.orElse(null) instanceof StatusReport part)) {
                return CompletableFuture.completedFuture(Optional.empty());
              }
              Optional<StatusReport> whole = parts.take(part);
              return whole.isPresent()
                  ? CompletableFuture.completedFuture(whole)
                  : map(address, parts, untilNanos);
            });
  }

  /** Any request; absent if there is no answer in time. */
  public CompletableFuture<Optional<ClientReply>> ask(
      String address, ClientRequest request, Duration within) {
    return connections
        .computeIfAbsent(address, connector::connect)
        .call(request, within)
        .handle((reply, _) -> Optional.ofNullable(reply));
  }

  /**
   * Any request, a request with the proof that it needs; absent if there is no answer in time.
   *
   * @param secret of the cluster; without it a request is refused
   */
  public CompletableFuture<Optional<ClientReply>> ask(
      String address, ClientRequest request, Optional<ClusterSecret> secret, Duration within) {
    if (!(request instanceof ClientRequest.Administer adminRequest) || secret.isEmpty()) {
      return ask(address, request, within);
    }
    return ask(address, new ClientRequest.AskChallenge(), within)
        .thenCompose(
            reply ->
                reply.isPresent() && reply.get() instanceof ClientReply.Challenge(var random)
                    ? ask(address, OperatorProof.sign(secret.get(), random, adminRequest), within)
                    : CompletableFuture.completedFuture(reply));
  }

  @Override
  public void close() {
    connector.close();
  }
}
