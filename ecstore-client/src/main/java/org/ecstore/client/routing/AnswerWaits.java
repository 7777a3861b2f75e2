package org.ecstore.client.routing;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.client.retry.Answer;

/**
 * Callers that wait for answers. A connection ends each call soon after its timeout at the latest;
 * a wait has a limit beyond that all the same, should a connection not keep to it.
 *
 * <p>Of a virtual thread Java would set a timer for each wait with a limit and take it back, on a
 * thread that wakes for both: more than all else that a wait costs. So virtual threads wait without
 * one, and a thread looks each second for waits that are over their limit. Thread-safe.
 */
final class AnswerWaits {
  /** Waited beyond a call's timeout for the connection to say that it timed out. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long LOOK_MILLIS = 1_000;

  /** The thread ends after so many looks at nothing. */
  private static final int IDLE_LOOKS_MAX = 30;

  private static final MethodHandle IS_VIRTUAL = isVirtual();

  /** What no connection says. */
  private static final Answer OVERDUE = new Answer.NoReply("no reply in time");

  private final ClientTime time;

  /** Those of virtual threads. */
  private final Set<Wait> waits = ConcurrentHashMap.newKeySet();

  private final AtomicBoolean watched = new AtomicBoolean();

  /** One that is over at a moment; no other is equal to it. */
  private static final class Wait {
    final CompletableFuture<Answer> future;
    final long overNanos;

    Wait(CompletableFuture<Answer> future, long overNanos) {
      this.future = future;
      this.overNanos = overNanos;
    }
  }

  AnswerWaits(ClientTime time) {
    this.time = time;
  }

  /** Of Java 21 and later: before, no thread is. */
  private static MethodHandle isVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException e) {
      return MethodHandles.dropArguments(
          MethodHandles.constant(boolean.class, false), 0, Thread.class);
    }
  }

  private static boolean isOnVirtualThread() {
    try {
      return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for an answer to a request that was started with a timeout. */
  Answer await(CompletableFuture<Answer> future, Duration timeout) {
    long nanos = timeout.toNanos() + GRACE_NANOS;
    try {
      if (isOnVirtualThread()) {
        return awaitWatched(future, nanos, timeout);
      }
      if (Thread.currentThread() instanceof ForkJoinWorkerThread) {
        awaitAlone(future, nanos);
      }
      return future.get(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Answer.Ended("interrupted");
    } catch (TimeoutException e) {
      return none(timeout);
    } catch (ExecutionException e) {
      return new Answer.NoReply(String.valueOf(e.getCause()));
    }
  }

  private static Answer none(Duration timeout) {
    return new Answer.NoReply("no reply within " + timeout.toMillis() + " ms");
  }

  /**
   * Waits until a future is done. In its own get a thread of a fork-join pool would run tasks of
   * others meanwhile, within the transaction of the caller.
   */
  private static void awaitAlone(CompletableFuture<Answer> future, long nanos)
      throws InterruptedException, TimeoutException {
    CountDownLatch done = new CountDownLatch(1);
    var unused = future.whenComplete((answer, failure) -> done.countDown());
    if (!done.await(nanos, TimeUnit.NANOSECONDS)) {
      throw new TimeoutException();
    }
  }

  private Answer awaitWatched(CompletableFuture<Answer> future, long nanos, Duration timeout)
      throws InterruptedException, ExecutionException {
    if (future.isDone()) {
      return future.get();
    }
    Wait wait = new Wait(future, time.nanos() + nanos);
    waits.add(wait);
    try {
      watch();
      Answer answer = future.get();
      return answer.equals(OVERDUE) ? none(timeout) : answer;
    } finally {
      waits.remove(wait);
    }
  }

  private void watch() {
    if (!watched.get() && watched.compareAndSet(false, true)) {
      Thread thread = new Thread(this::look, "ecstore-waits");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void look() {
    for (int idle = 0; idle < IDLE_LOOKS_MAX; idle = waits.isEmpty() ? idle + 1 : 0) {
      try {
        Thread.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        // Of this thread only: another one is begun by the next that waits.
        break;
      }
      endOverdue();
    }
    watched.set(false);
    // One may have come since, and found that there is a thread.
    if (!waits.isEmpty()) {
      watch();
    }
  }

  /** Ends waits that are over their limit. */
  private void endOverdue() {
    long now = time.nanos();
    for (Wait wait : waits) {
      if (wait.overNanos - now <= 0) {
        wait.future.complete(OVERDUE);
      }
    }
  }
}
