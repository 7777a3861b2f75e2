package org.ecstore.server.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.spi.CallFailedException;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Event;
import org.ecstore.key.Bytes;
import org.ecstore.server.lane.Inbox;
import org.ecstore.wire.client.ClientReply;
import org.ecstore.wire.client.ClientRequest;
import org.ecstore.wire.client.CorrelatedReply;
import org.ecstore.wire.client.KeyWrite;
import org.ecstore.wire.client.RefusalCode;

/**
 * A client's way to a node of its own process: requests go into the lane's inbox as they are, and
 * replies complete futures at the end of the batch, on the lane.
 */
final class LocalConnection implements NodeConnection, ReplyPath {
  private static final int REQUEST_OVERHEAD_BYTES = 256;

  private final long id;
  private final NodeNetwork network;
  private final Inbox inbox;
  private final AtomicLong lastCall = new AtomicLong();
  private final Map<Long, CompletableFuture<ClientReply>> pending = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** Lane only. */
  private List<CorrelatedReply> gathered = new ArrayList<>();

  LocalConnection(long id, NodeNetwork network, Inbox inbox) {
    this.id = id;
    this.network = network;
    this.inbox = inbox;
  }

  long id() {
    return id;
  }

  @Override
  public CompletableFuture<ClientReply> call(ClientRequest request, Duration timeout) {
    long correlation = lastCall.incrementAndGet();
    CompletableFuture<ClientReply> reply = new CompletableFuture<>();
    pending.put(correlation, reply);
    if (closed) {
      pending.remove(correlation);
      return CompletableFuture.failedFuture(
          new CallFailedException(CallFailedException.Kind.NOT_SENT, "the connection is closed"));
    }
    if (!inbox.offer(new Event.Called(new ClientCall(id, correlation), request), size(request))) {
      pending.remove(correlation);
      return CompletableFuture.completedFuture(
          new ClientReply.Refused(RefusalCode.OVERLOADED, "too many requests wait"));
    }
    return settled(correlation, reply.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS));
  }

  /** A future that fails, if it does, as the port says. */
  private CompletableFuture<ClientReply> settled(
      long correlation, CompletableFuture<ClientReply> reply) {
    CompletableFuture<ClientReply> answer = new CompletableFuture<>();
    var _ =
        reply.whenComplete(
            (done, failure) -> {
              pending.remove(correlation);
              if (failure == null) {
                answer.complete(done);
              } else {
                answer.completeExceptionally(
                    failure instanceof TimeoutException
                        ? new CallFailedException(
                            CallFailedException.Kind.TIMED_OUT, "no reply in time")
                        : failure);
              }
            });
    return answer;
  }

  /** About how much memory a request holds. */
  private static int size(ClientRequest request) {
    long bytes = REQUEST_OVERHEAD_BYTES;
    if (request instanceof ClientRequest.Commit commit) {
      for (KeyWrite write : commit.writes()) {
        bytes += write.key().length() + write.value().map(Bytes::length).orElse(0);
      }
      for (Bytes key : commit.reads()) {
        bytes += key.length();
      }
    } else if (request instanceof ClientRequest.Get get) {
      for (Bytes key : get.keys()) {
        bytes += key.length();
      }
    }
    return (int) Math.min(bytes, Integer.MAX_VALUE);
  }

  @Override
  public void send(ClientRequest.EndSnapshot request) {
    if (!closed) {
      // Refused by a full inbox it is forgotten: the lease ends by itself.
      inbox.offer(
          new Event.Called(new ClientCall(id, lastCall.incrementAndGet()), request),
          REQUEST_OVERHEAD_BYTES);
    }
  }

  @Override
  public void reply(long correlation, ClientReply reply) {
    gathered.add(new CorrelatedReply(correlation, reply));
  }

  @Override
  public void flush() {
    List<CorrelatedReply> batch = gathered;
    gathered = new ArrayList<>();
    for (CorrelatedReply reply : batch) {
      CompletableFuture<ClientReply> waiting = pending.remove(reply.correlation());
      if (waiting != null) {
        waiting.complete(reply.reply());
      }
    }
  }

  @Override
  public void inboxRelieved() {
    // A caller in this process is refused, never stopped.
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    network.unregister(id);
    inbox.offerLast(new Event.ClientGone(id));
    for (CompletableFuture<ClientReply> waiting : List.copyOf(pending.values())) {
      waiting.completeExceptionally(
          new CallFailedException(CallFailedException.Kind.LOST, "the node was closed"));
    }
  }
}
