package org.ecstore.client.fake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.ecstore.client.spi.CallFailedException;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;

/**
 * A fake cluster whose nodes answer scans and questions of where keys are only when a caller waits,
 * in an order drawn by lot. What is between a request and its answer is up to the test. For one
 * thread.
 */
public final class SlowCluster implements Connector {
  private static final long STEP_NANOS = 1_000_000;

  private record Pending(String address, Runnable answer) {}

  private final FakeCluster cluster;
  private final FakeTime time;
  private final Random random;
  private final List<Pending> pending = new ArrayList<>();
  private Runnable meanwhile = () -> {};
  private long bytesSent;
  private int mostUnderWay;

  public SlowCluster(FakeCluster cluster, FakeTime time, Random random) {
    this.cluster = cluster;
    this.time = time;
    this.random = random;
  }

  /** Runs before each answer. */
  public void meanwhile(Runnable something) {
    meanwhile = something;
  }

  /** Keys and values in answers to scans so far. */
  public long bytesSent() {
    return bytesSent;
  }

  /** Requests held back at once, at most. */
  public int mostUnderWay() {
    return mostUnderWay;
  }

  /** Lets everything be answered that was asked. */
  public void answerAll() {
    while (!pending.isEmpty()) {
      answerOne();
    }
  }

  private void answerOne() {
    time.advance(STEP_NANOS);
    meanwhile.run();
    pending.remove(random.nextInt(pending.size())).answer.run();
  }

  @Override
  public List<String> seeds() {
    return cluster.seeds();
  }

  @Override
  public NodeConnection connect(String address) {
    NodeConnection fast = cluster.connect(address);
    return new NodeConnection() {
      @Override
      public CompletableFuture<ClientReply> call(ClientRequest request, Duration timeout) {
        boolean slow =
            request instanceof ClientRequest.Scan || request instanceof ClientRequest.Locate;
        if (!slow) {
          return fast.call(request, timeout);
        }
        Awaited<ClientReply> future = new Awaited<>();
        pending.add(new Pending(address, () -> answer(fast, request, timeout, future)));
        mostUnderWay = Math.max(mostUnderWay, pending.size());
        return future;
      }

      @Override
      public void send(ClientRequest.EndSnapshot request) {
        fast.send(request);
      }

      @Override
      public void close() {}
    };
  }

  private void answer(
      NodeConnection fast,
      ClientRequest request,
      Duration timeout,
      CompletableFuture<ClientReply> future) {
    var unused =
        fast.call(request, timeout)
            .whenComplete(
                (reply, failure) -> {
                  if (failure != null) {
                    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                    future.completeExceptionally(
                        cause instanceof CallFailedException ? cause : failure);
                  } else {
                    if (reply instanceof ClientReply.Scanned scanned) {
                      scanned
                          .rows()
                          .forEach(row -> bytesSent += row.key().length() + row.value().length());
                    }
                    future.complete(reply);
                  }
                });
  }

  @Override
  public void close() {
    cluster.close();
  }

  /** A future of which waiting, for what follows from it too, lets others be answered. */
  private final class Awaited<T> extends CompletableFuture<T> {
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new Awaited<>();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      while (!isDone()) {
        if (pending.isEmpty()) {
          throw new TimeoutException("no node will answer");
        }
        answerOne();
      }
      return get();
    }
  }
}
