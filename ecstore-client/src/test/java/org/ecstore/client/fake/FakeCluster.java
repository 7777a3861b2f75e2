package org.ecstore.client.fake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.spi.CallFailedException;
import org.ecstore.client.spi.CallFailedException.Kind;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;

/**
 * The way to the nodes of a {@link FakeStore}: answers at once, with the faults that a plan says.
 */
public final class FakeCluster implements Connector {
  private final List<String> seeds;
  private final FakeStore store;
  private final FakeTime time;
  private final List<ClientRequest> requests = new ArrayList<>();
  private final List<Runnable> late = new ArrayList<>();
  private volatile Fault.Plan plan = (address, request) -> new Fault.None();
  private volatile boolean closed;

  /** Nodes at the addresses; the first one holds everything at first. */
  public FakeCluster(FakeTime time, String... addresses) {
    this.seeds = List.of(addresses);
    this.store = new FakeStore(addresses[0]);
    this.time = time;
  }

  /** What the nodes say of the heaviest transaction they take; 0 for all. */
  public volatile long transactionMax;

  /** What the nodes say of how well their engines read, by address; those that are not in it 0. */
  public final Map<String, Integer> readRanks = new ConcurrentHashMap<>();

  public FakeStore store() {
    return store;
  }

  public void plan(Fault.Plan newPlan) {
    plan = newPlan;
  }

  /** All requests of a type so far, those that never arrived included. */
  public synchronized <R extends ClientRequest> List<R> requests(Class<R> type) {
    return requests.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private synchronized void note(ClientRequest request) {
    requests.add(request);
  }

  private synchronized void later(Runnable arrival) {
    late.add(arrival);
  }

  private synchronized List<Runnable> takeLate() {
    List<Runnable> taken = new ArrayList<>(late);
    late.clear();
    return taken;
  }

  public boolean isClosed() {
    return closed;
  }

  @Override
  public List<String> seeds() {
    return seeds;
  }

  @Override
  public NodeConnection connect(String address) {
    return new NodeConnection() {
      @Override
      public long transactionMax() {
        return transactionMax;
      }

      @Override
      public int readRank() {
        return readRanks.getOrDefault(address, 0);
      }

      @Override
      public CompletableFuture<ClientReply> call(ClientRequest request, Duration timeout) {
        return answer(address, request, timeout);
      }

      @Override
      public void send(ClientRequest.EndSnapshot request) {
        note(request);
        store.handle(address, request);
      }

      @Override
      public void close() {}
    };
  }

  private CompletableFuture<ClientReply> answer(
      String address, ClientRequest request, Duration timeout) {
    note(request);
    Fault fault = closed ? new Fault.NotSent() : plan.on(address, request);
    if (fault instanceof Fault.Instead instead) {
      return CompletableFuture.completedFuture(instead.reply());
    } else if (fault instanceof Fault.NotSent) {
      return failed(Kind.NOT_SENT);
    } else if (fault instanceof Fault.LoseRequest) {
      return failed(Kind.LOST);
    } else if (fault instanceof Fault.Late) {
      later(() -> store.handle(address, request));
      time.advance(timeout.toNanos());
      return failed(Kind.TIMED_OUT);
    }
    ClientReply reply = store.handle(address, request).orElseThrow();
    if (request instanceof ClientRequest.ReadChanges read
        && reply instanceof ClientReply.ChangesRead none
        && none.commits().isEmpty()) {
      time.advance(TimeUnit.MILLISECONDS.toNanos(read.waitMillis()));
    }
    if (request instanceof ClientRequest.AskOutcome) {
      takeLate().forEach(Runnable::run);
    }
    if (fault instanceof Fault.LoseReply) {
      return failed(Kind.LOST);
    } else if (fault instanceof Fault.SlowReply) {
      time.advance(timeout.toNanos());
      return failed(Kind.TIMED_OUT);
    }
    return CompletableFuture.completedFuture(reply);
  }

  private static CompletableFuture<ClientReply> failed(Kind kind) {
    return CompletableFuture.failedFuture(new CallFailedException(kind, "injected"));
  }

  @Override
  public void close() {
    closed = true;
  }
}
