package org.ecstore.sim;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ecstore.client.routing.ClientTime;
import org.ecstore.client.spi.CallFailedException;
import org.ecstore.client.spi.CallFailedException.Kind;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.id.NodeId;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.node.SimNetwork;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;

/**
 * The client library itself on a simulated cluster. It blocks: where it waits for an answer or lets
 * time pass, the simulation runs on, in the same thread, until the answer is there or the time is
 * over. Leases are not renewed, for the library does that on a thread of its own.
 */
final class ClientInSim implements Connector, ClientTime {
  private static final long NUMBER = 1;

  private final World world;
  private final SimNetwork network;
  private final Map<String, NodeId> nodes = new TreeMap<>();
  private final SimRandom random;
  private final Thread thread = Thread.currentThread();
  private int underWay;
  private int mostUnderWay;

  ClientInSim(World world, SimNetwork network, List<SimHost> hosts) {
    this.world = world;
    this.network = network;
    this.random = world.random("client library");
    hosts.forEach(host -> nodes.put(address(host.id()), host.id()));
  }

  /** What clients know a node by. */
  static String address(NodeId node) {
    return "n" + node.value() + ":1";
  }

  /** Requests that waited for their answers at once, at most. */
  int mostUnderWay() {
    return mostUnderWay;
  }

  private void runUntil(long nanos) {
    while (world.scheduler().step(nanos)) {
      // On with the next task.
    }
  }

  @Override
  public long nanos() {
    // To the thread that renews leases it is always too early.
    return thread.equals(Thread.currentThread()) ? world.nowNanos() : 0;
  }

  @Override
  public boolean pause(long nanos) {
    runUntil(world.nowNanos() + nanos);
    return true;
  }

  @Override
  public double random() {
    return random.between(0, 999_999) / 1e6;
  }

  @Override
  public List<String> seeds() {
    return List.copyOf(nodes.keySet());
  }

  @Override
  public NodeConnection connect(String address) {
    NodeId node = nodes.get(address);
    if (node == null) {
      throw new IllegalArgumentException("no node at " + address);
    }
    return new Connection(node);
  }

  @Override
  public void close() {}

  /** A future of which waiting, for what follows from it too, lets the simulation run. */
  private final class Awaited<T> extends CompletableFuture<T> {
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new Awaited<>();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      long until = world.nowNanos() + unit.toNanos(timeout);
      while (!isDone()) {
        if (!world.scheduler().step(until)) {
          throw new TimeoutException();
        }
      }
      return get();
    }
  }

  private final class Connection implements NodeConnection, SimNetwork.ClientEnd {
    private final NodeId node;
    private final Map<Long, CompletableFuture<ClientReply>> waiting = new TreeMap<>();
    private long id;
    private long calls;
    private int readRank;

    Connection(NodeId node) {
      this.node = node;
    }

    @Override
    public CompletableFuture<ClientReply> call(ClientRequest request, Duration timeout) {
      Awaited<ClientReply> answer = new Awaited<>();
      mostUnderWay = Math.max(mostUnderWay, ++underWay);
      var _ = answer.whenComplete((_, _) -> underWay--);
      if (id == 0) {
        id = network.connect(NUMBER, node, this);
        if (id == 0) {
          answer.completeExceptionally(new CallFailedException(Kind.NOT_SENT, "no connection"));
          return answer;
        }
        network.call(id, ++calls, new ClientRequest.Hello(1, "library"));
      }
      long correlation = ++calls;
      waiting.put(correlation, answer);
      network.call(id, correlation, request);
      world.scheduler().after(timeout.toNanos(), () -> fail(correlation, Kind.TIMED_OUT));
      return answer;
    }

    private void fail(long correlation, Kind kind) {
      CompletableFuture<ClientReply> answer = waiting.remove(correlation);
      if (answer != null) {
        answer.completeExceptionally(new CallFailedException(kind, kind.name()));
      }
    }

    @Override
    public void send(ClientRequest.EndSnapshot request) {
      if (id != 0) {
        network.call(id, ++calls, request);
      }
    }

    @Override
    public int readRank() {
      return readRank;
    }

    @Override
    public void replied(long correlation, ClientReply reply) {
      if (reply instanceof ClientReply.Welcome welcome) {
        readRank = welcome.readRank();
      }
      CompletableFuture<ClientReply> answer = waiting.remove(correlation);
      if (answer != null) {
        answer.complete(reply);
      }
    }

    @Override
    public void broken() {
      id = 0;
      List.copyOf(waiting.keySet()).forEach(correlation -> fail(correlation, Kind.LOST));
    }

    @Override
    public void close() {}
  }
}
