package org.ecstore.client.routing;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.OverloadedException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.retry.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * What one thread asks nodes for, and all that come meanwhile take. Each caller has one deadline,
 * for its wait and for what it asks itself behind it. Safe for use by several threads.
 *
 * <p>Those who wait are told of a failure where nodes did not answer, or have too much to do
 * (UNAVAILABLE, OVERLOADED), and they have no more time left than the one that asked had: each
 * would try in vain otherwise, one after the other. They ask themselves after any other failure:
 *
 * <ul>
 *   <li>CONFLICT, as nodes answer, and who asks next may be luckier than the one that was not.
 *   <li>UNKNOWN_OUTCOME, which is of what the one has sent: told to the others it would have them
 *       take their own transactions for such that may be done. What is asked here should never end
 *       so; where it does no harm twice, who asks says UNAVAILABLE instead.
 *   <li>What is for good, as WRONG_ARGUMENT: each finds it at once, and in its own words.
 *   <li>That of a thread which was interrupted, of which others learn nothing.
 * </ul>
 */
public final class OneForAll {
  private final String failed;
  private final ClientTime time;
  private final Duration onward;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  /** Guarded by the lock, as what follows. */
  private boolean isAsked;

  private long failures;
  private @Nullable Failure last;

  /** Why it is being asked beside the one that asked first, if it is. */
  private @Nullable EcStoreException whyBeside;

  /** Written by who asks; each thread looks for itself only. */
  private volatile @Nullable Thread asker;

  /**
   * @param number counts failures
   * @param most how long it was asked for
   */
  private record Failure(EcStoreException cause, long number, Duration most) {}

  /**
   * Nothing is under way yet, and what is asked for ends with who asks.
   *
   * @param failed what is said where it fails, in the words of an application
   */
  public OneForAll(String failed, ClientTime time) {
    this(failed, time, Duration.ZERO);
  }

  /**
   * As {@link #OneForAll(String, ClientTime)}. What takes longer than the one that asks has time
   * for is begun again on a thread of its own, for those who come next: else none of them would
   * ever have it where all are in a hurry.
   *
   * @param onward how long it may take there; who has half of that or more asks as long as it has
   */
  public OneForAll(String failed, ClientTime time, Duration onward) {
    this.failed = failed;
    this.time = time;
    this.onward = onward;
  }

  /**
   * What is there, or is asked for now.
   *
   * @param deadline of the caller
   * @param there what is there; absent if it has to be asked for. By one thread at a time, and
   *     beside who asks
   * @param ask asks for it, until a deadline; by one thread at a time
   * @throws UnavailableException if another thread takes longer than the deadline, or was not
   *     answered
   */
  public <T> T get(Deadline deadline, Supplier<Optional<T>> there, Function<Deadline, T> ask) {
    if (Thread.currentThread().equals(asker)) {
      // Within what it asks, as an observer of the store may.
      return ask.apply(deadline);
    }
    Optional<T> known = await(deadline, there);
    return known.isPresent() ? known.get() : asked(deadline, ask, true);
  }

  /** Asks, unless another thread does already: then it returns at once, with nothing. */
  public <T> Optional<T> getUnlessAsked(Deadline deadline, Function<Deadline, T> ask) {
    lock.lock();
    try {
      if (isAsked) {
        return Optional.empty();
      }
      begin();
    } finally {
      lock.unlock();
    }
    return Optional.of(asked(deadline, ask, true));
  }

  /** What is there once no other thread asks; absent if the caller is the one that asks now. */
  private <T> Optional<T> await(Deadline deadline, Supplier<Optional<T>> there) {
    lock.lock();
    try {
      long before = failures;
      while (true) {
        Optional<T> known = there.get();
        if (known.isPresent()) {
          return known;
        }
        long left = deadline.left(time.nanos());
        Failure news = last;
        if (news != null && news.number() > before && left <= news.most().toNanos()) {
          throw likewise(news.cause());
        }
        if (left <= 0) {
          throw late();
        }
        if (!isAsked) {
          begin();
          return Optional.empty();
        }
        var unused = ended.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("the wait was cut short", null, "by", "interrupted");
    } finally {
      lock.unlock();
    }
  }

  /** By who has the lock. */
  private void begin() {
    isAsked = true;
    whyBeside = null;
    asker = Thread.currentThread();
  }

  /**
   * What is told of the failure of another thread: work is run again where nodes did not answer,
   * and not where they have too much to do, so that both stay what they are.
   */
  private UnavailableException likewise(EcStoreException cause) {
    String text = String.valueOf(cause.getMessage());
    return cause.code() == ErrorCode.OVERLOADED
        ? new OverloadedException(failed, cause, "last", text)
        : new UnavailableException(failed, cause, "last", text);
  }

  /** What is told to who has no time left; by who has the lock. */
  private UnavailableException late() {
    String text = failed + " in time";
    EcStoreException cause = whyBeside;
    return cause == null
        ? new UnavailableException(text, null)
        : new UnavailableException(text, cause, "last", String.valueOf(cause.getMessage()));
  }

  private <T> T asked(Deadline deadline, Function<Deadline, T> ask, boolean mayGoOn) {
    Duration most = Duration.ofNanos(Math.max(0, deadline.left(time.nanos())));
    boolean goesOn = false;
    try {
      T got = ask.apply(deadline);
      forget();
      return got;
    } catch (EcStoreException e) {
      if (!Thread.currentThread().isInterrupted()) {
        boolean isLate = e.code() == ErrorCode.UNAVAILABLE;
        goesOn = mayGoOn && isLate && most.compareTo(onward.dividedBy(2)) < 0;
        if (goesOn) {
          keep(e);
        } else if (isLate || e.code() == ErrorCode.OVERLOADED) {
          note(e, most);
        }
      }
      throw e;
    } finally {
      asker = null;
      // Those who wait go on waiting, now for that; where it cannot begin the next one asks.
      boolean begun = false;
      try {
        begun = goesOn && time.beside("ecstore-client-asks", () -> goOn(ask));
      } finally {
        if (!begun) {
          end();
        }
      }
    }
  }

  private void forget() {
    lock.lock();
    try {
      last = null;
      whyBeside = null;
    } finally {
      lock.unlock();
    }
  }

  private void keep(EcStoreException failure) {
    lock.lock();
    try {
      whyBeside = failure;
    } finally {
      lock.unlock();
    }
  }

  private void note(EcStoreException failure, Duration most) {
    lock.lock();
    try {
      failures++;
      last = new Failure(failure, failures, most);
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      isAsked = false;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private <T> void goOn(Function<Deadline, T> ask) {
    asker = Thread.currentThread();
    try {
      var unused = asked(Deadline.after(time.nanos(), onward), ask, false);
    } catch (EcStoreException e) {
      // It is told to those who wait.
    }
  }
}
