package org.ecstore.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/** Runs so many operations of a load in a closed loop, and measures how long all took. */
public final class CountedRun {
  private static final int STEP = 100;

  private final Load load;
  private final int clients;
  private final List<Long> servers;
  private final LongConsumer done;
  private final AtomicLong left;
  private volatile boolean failed;

  /**
   * To be run once.
   *
   * @param servers processes whose processor time counts as the servers'
   * @param done is told how many operations more are done, by several threads
   */
  public CountedRun(
      Load load, int clients, long operations, List<Long> servers, LongConsumer done) {
    this.load = load;
    this.clients = clients;
    this.left = new AtomicLong(operations);
    this.servers = List.copyOf(servers);
    this.done = done;
  }

  /**
   * Runs it.
   *
   * @throws IllegalStateException if a client throws something
   */
  public Measured run() throws InterruptedException {
    List<Load.Client> made = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (int i = 0; i < clients; i++) {
        made.add(load.client(i, clients));
      }
      Processors before = Processors.now(servers);
      long begun = System.nanoTime();
      List<Future<Tally>> running = new ArrayList<>();
      made.forEach(client -> running.add(threads.submit(() -> loop(client))));
      Tally all = new Tally();
      for (Future<Tally> one : running) {
        all.add(one.get());
      }
      long nanos = System.nanoTime() - begun;
      return Measured.of(all, nanos, Processors.now(servers).since(before));
    } catch (InterruptedException | RuntimeException e) {
      failed = true;
      throw e;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a client failed: " + e.getCause(), e);
    } catch (Exception e) {
      throw new IllegalStateException("a client cannot be made: " + e.getMessage(), e);
    } finally {
      made.forEach(Load.Client::close);
    }
  }

  private Tally loop(Load.Client client) throws Exception {
    Tally tally = new Tally();
    int unsaid = 0;
    try {
      while (!failed && left.getAndDecrement() > 0) {
        long begin = System.nanoTime();
        LoadOutcome outcome = client.next();
        tally.ended(outcome);
        tally.add(outcome, System.nanoTime() - begin);
        if (++unsaid == STEP) {
          done.accept(unsaid);
          unsaid = 0;
        }
      }
      done.accept(unsaid);
      return tally;
    } catch (Exception e) {
      failed = true;
      throw e;
    }
  }
}
