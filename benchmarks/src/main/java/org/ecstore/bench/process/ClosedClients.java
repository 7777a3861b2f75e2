package org.ecstore.bench.process;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Clients that do one thing after the other, each in a thread of its own. */
final class ClosedClients {
  private static final double MILLI = 1e6;
  private static final double SECOND = 1e9;

  /** What came of a round. */
  record Outcome(double perSecond, double meanMillis) {}

  private record Done(long operations, long nanos) {}

  private final int clients;

  ClosedClients(int clients) {
    this.clients = clients;
  }

  private interface Client {
    Done call();
  }

  private List<Done> all(Client client) throws InterruptedException {
    List<Done> done = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      List<Future<Done>> futures = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        futures.add(threads.submit(client::call));
      }
      for (Future<Done> future : futures) {
        done.add(future.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a client failed: " + e.getMessage(), e);
    }
    return done;
  }

  /** Does something for each number below a bound, in no order. */
  void each(int bound, IntConsumer work) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    all(
        () -> {
          for (int i = next.getAndIncrement(); i < bound; i = next.getAndIncrement()) {
            work.accept(i);
          }
          return new Done(0, 0);
        });
  }

  /** Does something again and again for a while. */
  Outcome run(long nanos, Runnable operation) throws InterruptedException {
    List<Done> done =
        all(
            () -> {
              long begun = System.nanoTime();
              long operations = 0;
              while (System.nanoTime() - begun < nanos) {
                operation.run();
                operations++;
              }
              return new Done(operations, System.nanoTime() - begun);
            });
    double perSecond = done.stream().mapToDouble(one -> one.operations * SECOND / one.nanos).sum();
    long operations = done.stream().mapToLong(Done::operations).sum();
    long spent = done.stream().mapToLong(Done::nanos).sum();
    return new Outcome(perSecond, spent / MILLI / operations);
  }
}
