package org.ecstore.tools.quickstart;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.ecstore.client.EcStore;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.tools.quickstart.SocialGraph.Friendship;

/**
 * Several clients that make the friendships of a graph, each of them once. The last few wait until
 * a newcomer among the nodes serves, so that some are made before it comes, some while it comes and
 * some when it is there, however small the graph.
 */
final class Befriending {
  private static final long MICROS_MAX = TimeUnit.MINUTES.toMicros(10);

  private final EcStore store;
  private final Meetings meetings;
  private final Progress progress;
  private final int heldBack;
  private final CountDownLatch middle;
  private final CountDownLatch released = new CountDownLatch(1);
  private final LongAdder committed = new LongAdder();
  private final LongAdder foundThere = new LongAdder();
  private final Recorder micros = new Recorder(MICROS_MAX, 3);

  Befriending(EcStore store, List<Friendship> pairs, int clients, Progress progress) {
    this.store = store;
    this.meetings = new Meetings(pairs);
    this.progress = progress;
    this.heldBack = Math.min(clients, pairs.size() / 2);
    this.middle = new CountDownLatch(Math.max(1, pairs.size() / 3));
  }

  /** What one client does until all friendships are made. */
  void runClient() throws InterruptedException {
    for (var pair = meetings.take(); pair.isPresent(); pair = meetings.take()) {
      try {
        if (meetings.left() < heldBack) {
          released.await();
        }
        befriend(pair.get());
      } finally {
        meetings.over(pair.get());
      }
      middle.countDown();
      progress.step(1);
    }
  }

  private void befriend(Friendship pair) {
    long start = System.nanoTime();
    boolean[] unsettled = {false};
    boolean made =
        Repeating.untilDone(
            () -> {
              try {
                return store.<Boolean, RuntimeException>transact(tx -> Users.befriend(tx, pair));
              } catch (UnknownOutcomeException e) {
                unsettled[0] = true;
                throw e;
              }
            });
    // Found there after a commit of unknown outcome, it was that commit.
    if (made || unsettled[0]) {
      committed.increment();
      micros.recordValue(
          Math.min(MICROS_MAX, TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start)));
    } else {
      foundThere.increment();
    }
  }

  /** Waits until a good part of the friendships is made, for the newcomer to come in the middle. */
  void awaitMiddle() throws InterruptedException {
    middle.await();
  }

  /** Lets the last few go. */
  void release() {
    released.countDown();
  }

  long committed() {
    return committed.sum();
  }

  /** Friendships that were there before this run. */
  long foundThere() {
    return foundThere.sum();
  }

  /** How long the committed ones took, retries included, in microseconds. */
  Histogram micros() {
    return micros.getIntervalHistogram();
  }
}
