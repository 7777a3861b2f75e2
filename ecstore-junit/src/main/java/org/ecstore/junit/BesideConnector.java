package org.ecstore.junit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.ecstore.client.spi.CallFailedException;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.TraceContext;

/**
 * The way to the nodes from beside one of them: what is said to nodes that are cut off from there
 * is lost, and so are their answers. The client finds out when its time is up.
 */
final class BesideConnector implements Connector {
  private final Connector network;
  private final Predicate<String> cut;

  /**
   * One that closes the network.
   *
   * @param cut whether the node at an address is cut off from here; asked on any thread
   */
  BesideConnector(Connector network, Predicate<String> cut) {
    this.network = network;
    this.cut = cut;
  }

  @Override
  public List<String> seeds() {
    return network.seeds();
  }

  @Override
  public NodeConnection connect(String address) {
    return new Beside(network.connect(address), address);
  }

  @Override
  public NodeConnection connect(String address, String application) {
    return new Beside(network.connect(address, application), address);
  }

  @Override
  public void close() {
    network.close();
  }

  private final class Beside implements NodeConnection {
    private final NodeConnection reached;
    private final String address;

    Beside(NodeConnection reached, String address) {
      this.reached = reached;
      this.address = address;
    }

    @Override
    public CompletableFuture<ClientReply> call(ClientRequest request, Duration timeout) {
      return call(request, timeout, Optional.empty());
    }

    @Override
    public CompletableFuture<ClientReply> call(
        ClientRequest request, Duration timeout, Optional<TraceContext> trace) {
      CompletableFuture<ClientReply> seen = new CompletableFuture<>();
      if (cut.test(address)) {
        failLater(seen, timeout);
        return seen;
      }
      var unused =
          reached
              .call(request, timeout, trace)
              .whenComplete(
                  (reply, failure) -> {
                    if (failure != null) {
                      seen.completeExceptionally(failure);
                    } else if (cut.test(address)) {
                      failLater(seen, timeout);
                    } else {
                      seen.complete(reply);
                    }
                  });
      return seen;
    }

    private void failLater(CompletableFuture<ClientReply> seen, Duration timeout) {
      CompletableFuture.delayedExecutor(timeout.toNanos(), TimeUnit.NANOSECONDS)
          .execute(
              () ->
                  seen.completeExceptionally(
                      new CallFailedException(
                          CallFailedException.Kind.TIMED_OUT,
                          "the node at " + address + " is cut off")));
    }

    @Override
    public void send(ClientRequest.EndSnapshot request) {
      if (!cut.test(address)) {
        reached.send(request);
      }
    }

    @Override
    public long transactionMax() {
      return reached.transactionMax();
    }

    @Override
    public long losses() {
      return reached.losses();
    }

    @Override
    public boolean isBroken() {
      return reached.isBroken();
    }

    @Override
    public int readRank() {
      return reached.readRank();
    }

    @Override
    public void close() {
      reached.close();
    }
  }
}
