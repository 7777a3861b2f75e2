package org.ecstore.client.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.TraceContext;

/**
 * A connection to one node, made when needed. Safe for use by several threads; nothing here blocks.
 * The client attaches only short continuations to the futures, so that they may be completed by a
 * thread that must not be held up.
 */
public interface NodeConnection extends AutoCloseable {
  /**
   * Sends a request that has a reply. The future completes with the reply or with a {@link
   * CallFailedException}, soon after the timeout at the latest.
   */
  CompletableFuture<ClientReply> call(ClientRequest request, Duration timeout);

  /**
   * As {@link #call(ClientRequest, Duration)}, and says where the request belongs in a trace. A
   * connection that does not carry that on leaves it out.
   */
  default CompletableFuture<ClientReply> call(
      ClientRequest request, Duration timeout, Optional<TraceContext> trace) {
    return call(request, timeout);
  }

  /** Sends a request that has no reply, if the connection stands; otherwise forgets it. */
  void send(ClientRequest.EndSnapshot request);

  /**
   * The heaviest transaction that the node takes, by {@link org.ecstore.protocol.RequestWeight}, as
   * far as it has said; 0 if it takes all within the published limits, or has not said yet.
   */
  default long transactionMax() {
    return 0;
  }

  /**
   * How well the node's engine reads, as far as the node has said: of copies about as near those on
   * nodes with the least are asked. 0 if none reads better, or the node has not said.
   */
  default int readRank() {
    return 0;
  }

  /**
   * How often the connection broke so far: what a node keeps for a connection, as leases, ends with
   * it. 0 of one that does not say.
   */
  default long losses() {
    return 0;
  }

  /**
   * Whether it broke, was not made again, and nothing is under way by it: where there are many it
   * is closed, and another one is made when it is needed.
   */
  default boolean isBroken() {
    return false;
  }

  /** Closes the connection. Closing again does nothing. */
  @Override
  void close();
}
