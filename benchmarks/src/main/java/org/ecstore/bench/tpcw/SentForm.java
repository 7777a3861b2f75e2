package org.ecstore.bench.tpcw;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.random.RandomGenerator;
import org.ecstore.bookstore.ShopException;

/**
 * A form that buys, as people send it: of a hundred one is sent by two at once, as by a second
 * click, and one that was not answered is sent again until it is. Whatever comes of it, it must be
 * one order.
 */
final class SentForm {
  private static final double SENT_TWICE = 0.01;
  private static final int TRIES_MAX = 60;
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Callable<Long> send;
  private final boolean isTwice;

  /**
   * A form.
   *
   * @param send sends it, and returns the order's number; may be called by two threads at once
   */
  SentForm(Callable<Long> send, RandomGenerator random) {
    this.send = send;
    this.isTwice = random.nextDouble() < SENT_TWICE;
  }

  /**
   * Sends it.
   *
   * @return the order's number
   * @throws WrongPageException if it was taken for two orders
   */
  long order() throws Exception {
    if (!isTwice) {
      return answered();
    }
    FutureTask<Long> other = new FutureTask<>(this::answered);
    Thread.ofVirtual().start(other);
    long order = answered();
    try {
      if (other.get() != order) {
        throw new WrongPageException("the form was taken for two orders");
      }
    } catch (ExecutionException e) {
      throw new WrongPageException("the form that was sent twice: " + e.getCause());
    }
    return order;
  }

  /** What the shop refuses is answered, too. */
  private long answered() throws Exception {
    for (int tries = 1; ; tries++) {
      try {
        return send.call();
      } catch (ShopException | WrongPageException | InterruptedException e) {
        throw e;
      } catch (Exception e) {
        if (tries == TRIES_MAX) {
          throw e;
        }
        Thread.sleep(PAUSE);
      }
    }
  }
}
