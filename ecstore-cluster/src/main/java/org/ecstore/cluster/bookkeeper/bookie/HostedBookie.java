package org.ecstore.cluster.bookkeeper.bookie;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.runtime.RateLimitedLog;
import org.jspecify.annotations.Nullable;

/**
 * A bookie that a node hosts, started again whenever it ends by itself: BookKeeper ends a bookie
 * that cannot register with ZooKeeper after its session has expired, or whose disk fails. It comes
 * back with its directory and its id, as after a restart of the process, so that it remembers what
 * it has promised. From try to try it waits longer. Safe for use by several threads.
 */
public final class HostedBookie implements AutoCloseable {
  private static final long FIRST_MILLIS = 200;
  private static final long MOST_MILLIS = 10_000;
  private static final long CLOSE_MILLIS = 6_000;

  private final Starter starter;
  private final String name;
  private final Thread watch;
  private final CompletableFuture<Void> closing = new CompletableFuture<>();

  /** The watch's own. */
  private final RateLimitedLog log;

  /** Absent while there is none. */
  private volatile @Nullable EmbeddedBookie bookie;

  private volatile Optional<String> trouble = Optional.empty();

  private HostedBookie(Starter starter, EmbeddedBookie first, OperatorLog log) {
    this.starter = starter;
    this.name = first.id();
    this.bookie = first;
    this.log = new RateLimitedLog(log, System::nanoTime);
    this.watch =
        Thread.ofPlatform().daemon().name("ecstore-bookie").unstarted(() -> watchOrSay(first));
  }

  /** Starts the bookie, each time anew. */
  interface Starter {
    EmbeddedBookie start() throws IOException;
  }

  /**
   * Starts a bookie as {@link EmbeddedBookie#start} does, for the first time only.
   *
   * @throws BookieRefusedException as there
   */
  public static HostedBookie start(
      String zooKeeper, String clusterName, BookieSettings settings, OperatorLog log)
      throws IOException {
    return start(() -> EmbeddedBookie.start(zooKeeper, clusterName, settings, log), log);
  }

  static HostedBookie start(Starter starter, OperatorLog log) throws IOException {
    HostedBookie hosted = new HostedBookie(starter, starter.start(), log);
    hosted.watch.start();
    return hosted;
  }

  /** Why it does not serve; absent if it does. Does not block. */
  public Optional<String> trouble() {
    return trouble;
  }

  /** The bookie that runs now; absent while there is none. */
  Optional<EmbeddedBookie> running() {
    return Optional.ofNullable(bookie);
  }

  /** A last resort: no step of the watch is to throw anything. */
  private void watchOrSay(EmbeddedBookie first) {
    try {
      watch(first);
    } catch (RuntimeException | Error e) {
      bookie = null;
      trouble = Optional.of("it is not started again any more, restart its node: " + e);
      log.warn("bookie %s: a bug, it is not started again any more: %s".formatted(name, e));
    }
  }

  private void watch(EmbeddedBookie first) {
    Optional<EmbeddedBookie> running = Optional.of(first);
    long wait = FIRST_MILLIS;
    while (running.isPresent()) {
      long began = System.nanoTime();
      EmbeddedBookie now = running.get();
      CompletableFuture.anyOf(now.ended(), closing).join();
      if (closing.isDone()) {
        end(now);
        return;
      }
      if (System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS)) {
        wait = FIRST_MILLIS;
        log.settled();
      }
      String why = now.ended().join();
      trouble = Optional.of(why);
      bookie = null;
      log.warn("bookie %s: it has ended by itself and is started again: %s".formatted(name, why));
      end(now);
      running = startAgain(wait);
      wait = Math.min(MOST_MILLIS, 2 * wait);
    }
  }

  /** A new one; absent if it is not wanted any more. */
  private Optional<EmbeddedBookie> startAgain(long firstMillis) {
    long wait = firstMillis;
    while (!isClosedWithin(wait)) {
      wait = Math.min(MOST_MILLIS, 2 * wait);
      try {
        EmbeddedBookie started = starter.start();
        bookie = started;
        trouble = Optional.empty();
        log.info("bookie %s: it serves again".formatted(name));
        return Optional.of(started);
      } catch (IOException | RuntimeException | Error e) {
        // Of an error of the machine, as of too little memory for a thread, another try may be rid.
        String message = e instanceof Error ? e.toString() : String.valueOf(e.getMessage());
        String why = message.replaceFirst("^" + Pattern.quote("bookie %s: ".formatted(name)), "");
        trouble = Optional.of(why);
        log.warn("bookie %s: it cannot be started again yet: %s".formatted(name, why));
      }
    }
    return Optional.empty();
  }

  private boolean isClosedWithin(long millis) {
    try {
      closing.get(millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException | ExecutionException e) {
      // No code interrupts this thread, and the future never fails.
      throw new IllegalStateException(e);
    }
  }

  private void end(EmbeddedBookie ending) {
    try {
      ending.close();
    } catch (RuntimeException | Error e) {
      log.warn("bookie %s: it did not close well: %s".formatted(name, e));
    }
  }

  /** Ends it, as {@link EmbeddedBookie#close}; one that is just being started ends when it has. */
  @Override
  public void close() {
    closing.complete(null);
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CLOSE_MILLIS);
    while (watch.isAlive() && System.nanoTime() - deadline < 0) {
      try {
        watch.join(TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()) + 1);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
