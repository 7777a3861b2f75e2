package org.ecstore.client.fake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.client.net.AddressList;
import org.ecstore.client.spi.CallFailedException;
import org.ecstore.client.spi.CallFailedException.Kind;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.model.RefusalCode;
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
  private final Map<String, List<ClientRequest>> byApplication = new TreeMap<>();
  private final List<String> connected = new ArrayList<>();
  private final AtomicInteger open = new AtomicInteger();
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

  /** How often connections to a node have broken, by address; those that are not in it 0 times. */
  public final Map<String, Long> losses = new ConcurrentHashMap<>();

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

  /** All requests so far of connections that are of an application; of none without a name. */
  public synchronized List<ClientRequest> requestsOf(String application) {
    return List.copyOf(byApplication.getOrDefault(application, List.of()));
  }

  /** Connections that were made and not closed each for itself. */
  public int openConnections() {
    return open.get();
  }

  /** Nodes to which the connections broke. */
  public final Set<String> broken = ConcurrentHashMap.newKeySet();

  /** The connections so far: the application, a blank and the address of each. */
  public synchronized List<String> connected() {
    return List.copyOf(connected);
  }

  /** The applications whose reads and commits are refused, as they have what they may have. */
  public final Set<String> limited = ConcurrentHashMap.newKeySet();

  private synchronized void note(String application, ClientRequest request) {
    requests.add(request);
    byApplication.computeIfAbsent(application, name -> new ArrayList<>()).add(request);
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
    return connect(address, "");
  }

  @Override
  public NodeConnection connect(String address, String application) {
    // As over TCP: what is no address is refused here, and not by the first call.
    var unused = AddressList.toSocketAddress(address);
    synchronized (this) {
      connected.add(application + " " + address);
    }
    open.incrementAndGet();
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
      public boolean isBroken() {
        return broken.contains(address);
      }

      @Override
      public long losses() {
        return losses.getOrDefault(address, 0L);
      }

      @Override
      public CompletableFuture<ClientReply> call(ClientRequest request, Duration timeout) {
        return answer(address, application, request, timeout);
      }

      @Override
      public void send(ClientRequest.EndSnapshot request) {
        note(application, request);
        store.handle(address, request);
      }

      @Override
      public void close() {
        open.decrementAndGet();
      }
    };
  }

  private CompletableFuture<ClientReply> answer(
      String address, String application, ClientRequest request, Duration timeout) {
    note(application, request);
    Fault fault = closed ? new Fault.NotSent() : fault(address, application, request);
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

  private Fault fault(String address, String application, ClientRequest request) {
    boolean counts =
        request instanceof ClientRequest.Read
            || request instanceof ClientRequest.BeginWith
            || request instanceof ClientRequest.Commit;
    return counts && limited.contains(application)
        ? new Fault.Instead(new ClientReply.Refused(RefusalCode.OVERLOADED, "enough", 10))
        : plan.on(address, request);
  }

  private static CompletableFuture<ClientReply> failed(Kind kind) {
    return CompletableFuture.failedFuture(new CallFailedException(kind, "injected"));
  }

  @Override
  public void close() {
    closed = true;
  }
}
