package org.ecstore.server.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.ecstore.client.spi.CallFailedException;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Event;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedReply;
import org.ecstore.protocol.RequestWeight;
import org.ecstore.server.admission.Account;
import org.ecstore.server.admission.Origin;
import org.ecstore.server.admission.Refusal;
import org.ecstore.server.loop.Inbox;

/**
 * A client's way to a node of its own process: requests go into the event loop's inbox as they are,
 * and replies complete futures at the end of the batch, on the event loop.
 */
final class LocalConnection implements NodeConnection, ReplyPath {
  private final long id;
  private final NodeNetwork network;
  private final Account account;

  /** What the requests under way weigh, also those whose callers have given up. */
  private final Map<Long, Long> weights = new ConcurrentHashMap<>();

  private final Inbox inbox;
  private final int readRank;

  /** What the node's logic is to hear before the next request. */
  private final AtomicReference<Optional<String>> greetedBy;

  private final AtomicLong lastCall = new AtomicLong();
  private final Map<Long, CompletableFuture<ClientReply>> pending = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** Event loop only. */
  private List<CorrelatedReply> gathered = new ArrayList<>();

  LocalConnection(
      long id, NodeNetwork network, Inbox inbox, int readRank, Optional<String> application) {
    this.id = id;
    this.network = network;
    this.inbox = inbox;
    this.readRank = readRank;
    this.greetedBy = new AtomicReference<>(application);
    this.account = network.admission().open(Origin.ofPeer("this process"));
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
    Optional<ClientReply> refused = offer(correlation, request);
    if (refused.isPresent()) {
      pending.remove(correlation);
      return CompletableFuture.completedFuture(network.counted(refused.get()));
    }
    return settled(correlation, reply.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS));
  }

  @Override
  public long transactionMax() {
    return account.limits().takesAll() ? 0 : account.limits().transactionMax();
  }

  @Override
  public int readRank() {
    return readRank;
  }

  private Optional<ClientReply> offer(long correlation, ClientRequest request) {
    long weight = RequestWeight.of(request);
    Optional<Refusal> refusal =
        weight > account.limits().transactionMax()
            ? Optional.of(network.admission().tooHeavy(weight))
            : account.takeRequest(weight);
    if (refusal.isPresent()) {
      return refusal.map(Refusal::reply);
    }
    weights.put(correlation, weight);
    greet();
    if (!inbox.offer(new Event.Called(new ClientCall(id, correlation), request), (int) weight)) {
      giveBack(correlation);
      return Optional.of(new ClientReply.Refused(RefusalCode.OVERLOADED, "too many requests wait"));
    }
    return Optional.empty();
  }

  /**
   * Says once of which application it is, as soon as there is room for that: till then a request
   * counts as one that names none.
   */
  private void greet() {
    if (greetedBy.get().isEmpty()) {
      return;
    }
    Optional<String> unsaid = greetedBy.getAndSet(Optional.empty());
    if (unsaid.isPresent()
        && !inbox.offer(new Event.Greeted(id, unsaid.get()), unsaid.get().length())) {
      greetedBy.set(unsaid);
    }
  }

  private void giveBack(long correlation) {
    Long weight = weights.remove(correlation);
    if (weight != null) {
      account.giveRequest(weight);
    }
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

  @Override
  public void send(ClientRequest.EndSnapshot request) {
    if (!closed) {
      // Refused by a full inbox it is forgotten: the lease ends by itself.
      inbox.offer(
          new Event.Called(new ClientCall(id, lastCall.incrementAndGet()), request),
          RequestWeight.LEAST);
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
      giveBack(reply.correlation());
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
    // The client hears of their replies no more.
    weights.keySet().forEach(this::giveBack);
    for (CompletableFuture<ClientReply> waiting : List.copyOf(pending.values())) {
      waiting.completeExceptionally(
          new CallFailedException(CallFailedException.Kind.LOST, "the node was closed"));
    }
  }
}
