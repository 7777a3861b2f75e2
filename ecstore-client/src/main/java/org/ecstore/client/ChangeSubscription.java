package org.ecstore.client;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.routing.Cluster;

/**
 * One subscriber to the changes of a table: a thread that reads what it asks for. Calls to the
 * subscriber come one after the other.
 */
final class ChangeSubscription<V> implements Flow.Subscription {
  private static final Duration WAIT = Duration.ofMinutes(1);

  /** One that asks for nothing looks so often whether the store is closed. */
  private static final long LOOK_SECONDS = 1;

  private final Flow.Subscriber<? super ChangedCommit<V>> subscriber;
  private final ChangeReader<V> reader;
  private final Cluster cluster;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** How many it has asked for and not got. Guarded by the lock. */
  private long demand;

  private volatile boolean over;
  private volatile boolean askedForNothing;

  private ChangeSubscription(
      Flow.Subscriber<? super ChangedCommit<V>> subscriber,
      ChangeReader<V> reader,
      Cluster cluster) {
    this.subscriber = subscriber;
    this.reader = reader;
    this.cluster = cluster;
  }

  /** Begins where the changes do, before it returns. */
  static <V> void begin(
      Changes<V> changes, Flow.Subscriber<? super ChangedCommit<V>> subscriber, Cluster cluster) {
    Objects.requireNonNull(subscriber, "subscriber");
    ChangeReader<V> reader;
    try {
      reader = changes.open();
    } catch (RuntimeException e) {
      subscriber.onSubscribe(new Nothing());
      subscriber.onError(e);
      return;
    }
    ChangeSubscription<V> subscription = new ChangeSubscription<>(subscriber, reader, cluster);
    Thread thread = new Thread(subscription::run, "ecstore-changes");
    thread.setDaemon(true);
    thread.start();
  }

  /** Of a subscriber to which nothing comes. */
  private static final class Nothing implements Flow.Subscription {
    @Override
    public void request(long count) {
      // It has been told why.
    }

    @Override
    public void cancel() {
      // There is nothing to cancel.
    }
  }

  private void run() {
    try {
      subscriber.onSubscribe(this);
      while (isAskedForMore()) {
        Optional<ChangedCommit<V>> next = reader.next(WAIT);
        if (next.isPresent() && !over) {
          asked(-1);
          subscriber.onNext(next.get());
        }
      }
      endIfAskedForNothing();
    } catch (ClosedException e) {
      if (over) {
        endIfAskedForNothing();
      } else {
        subscriber.onError(e);
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      if (!over) {
        over = true;
        subscriber.onError(e);
      }
    } finally {
      reader.close();
    }
  }

  private void endIfAskedForNothing() {
    if (askedForNothing) {
      subscriber.onError(new IllegalArgumentException("one at least is asked for (rule 3.9)"));
    }
  }

  /**
   * Waits until it asks for something; false if it never will.
   *
   * @throws ClosedException if the store is closed meanwhile
   */
  private boolean isAskedForMore() throws InterruptedException {
    lock.lock();
    try {
      while (demand == 0 && !over) {
        var unused = changed.await(LOOK_SECONDS, TimeUnit.SECONDS);
        cluster.checkOpen();
      }
      return !over;
    } finally {
      lock.unlock();
    }
  }

  private void asked(long count) {
    lock.lock();
    try {
      demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void request(long count) {
    if (count <= 0) {
      askedForNothing = askedForNothing || !over;
      cancel();
    } else {
      asked(count);
    }
  }

  @Override
  public void cancel() {
    over = true;
    reader.close();
    asked(0);
  }
}
