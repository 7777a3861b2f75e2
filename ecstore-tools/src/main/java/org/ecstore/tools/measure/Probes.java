package org.ecstore.tools.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualSnapshot;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.Session;
import org.ecstore.client.Table;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;

/**
 * Clients that each do one small thing over and over, some milliseconds after the last one was
 * done, and note when it was: to see from outside for how long a cluster does not serve. Each has a
 * key of its own, so that one that waits for a range that is away keeps none of the others. Safe
 * for use by several threads.
 */
public final class Probes implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final long END_MILLIS = DEADLINE.toMillis() + 5_000;

  /**
   * How often.
   *
   * @param pauseMillis from the end of one thing to the next
   * @param nanos the clock, in nanoseconds, that moments are given by
   */
  public record Pace(long pauseMillis, LongSupplier nanos) {}

  private final Times done = new Times();
  private final List<Thread> threads = new ArrayList<>();
  private final LongSupplier nanos;
  private final long pauseMillis;
  private volatile boolean closing;

  private Probes(int count, String name, Pace pace, IntFunction<Runnable> each) {
    this.nanos = pace.nanos();
    this.pauseMillis = pace.pauseMillis();
    for (int probe = 0; probe < count; probe++) {
      int number = probe;
      Runnable action = each.apply(probe);
      threads.add(Thread.ofPlatform().name(name + probe).daemon().start(() -> run(number, action)));
    }
  }

  /** Each writes one key with a transaction of its own. */
  public static <V> Probes writing(
      EcStore store, Table<V> table, List<Tuple> keys, V value, Pace pace) {
    return new Probes(
        keys.size(),
        "write-probe-",
        pace,
        probe ->
            with(
                store.session().within(DEADLINE),
                session -> {
                  try (ManualTransaction tx = session.begin()) {
                    tx.put(table, keys.get(probe), value);
                    tx.commit();
                  }
                }));
  }

  /** Each reads one key as of a snapshot that may be a little old. */
  public static <V> Probes reading(EcStore store, Table<V> table, List<Tuple> keys, Pace pace) {
    return new Probes(
        keys.size(),
        "read-probe-",
        pace,
        probe ->
            with(
                store.session().within(DEADLINE).with(ReadLevel.SESSION),
                session -> {
                  try (ManualSnapshot snapshot = session.snapshot()) {
                    snapshot.get(table, keys.get(probe));
                  }
                }));
  }

  private static Runnable with(Session session, Consumer<Session> action) {
    return () -> action.accept(session);
  }

  private void run(int probe, Runnable action) {
    try {
      while (!closing) {
        long begun = nanos.getAsLong();
        try {
          action.run();
          done.add(probe, begun, nanos.getAsLong());
        } catch (EcStoreException _) {
          // Not served this time: that is what is measured.
        }
        Thread.sleep(pauseMillis);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Forgets what ended before a moment, but the last of each. */
  void forget(long nanos) {
    done.forget(nanos);
  }

  /**
   * When the first thing was done that began after a moment; absent if none was yet. What began
   * before may have been answered by who is gone since.
   */
  public OptionalLong firstBegunAfter(long nanos) {
    return done.firstBegunAfter(nanos, _ -> true);
  }

  /** The same of one of them, by its place in the list of keys. */
  OptionalLong firstBegunAfter(long nanos, int probe) {
    return done.firstBegunAfter(nanos, each -> each == probe);
  }

  /**
   * A time for which one probe, of those that went on, got nothing done.
   *
   * @param probe its place in the list of keys
   */
  public record Gap(int probe, long fromNanos, long toNanos) {
    public long millis() {
      return TimeUnit.NANOSECONDS.toMillis(toNanos - fromNanos);
    }
  }

  /** All gaps that end between two moments, in no order. */
  public List<Gap> gaps(long fromNanos, long toNanos) {
    List<Gap> gaps = new ArrayList<>();
    for (int probe = 0; probe < threads.size(); probe++) {
      gaps.addAll(done.gaps(probe, fromNanos, toNanos));
    }
    return gaps;
  }

  /**
   * The longest time for which one of some probes got nothing done, up to a moment; it may have
   * begun before the first one.
   *
   * @param some by their places in the list of keys
   */
  long longestGapMillis(List<Integer> some, long fromNanos, long toNanos) {
    return some.stream()
        .mapToLong(probe -> done.longestGapMillis(probe, fromNanos, toNanos))
        .max()
        .orElse(0);
  }

  @Override
  public void close() {
    closing = true;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
    try {
      for (Thread thread : threads) {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      threads.forEach(Thread::interrupt);
    }
  }

  /** When probes got something done, in nanoseconds of their clock. For several threads. */
  static final class Times {
    /** Something that succeeded. */
    private record Done(int probe, long begun, long ended) {}

    private final Queue<Done> done = new ConcurrentLinkedQueue<>();

    void add(int probe, long begun, long ended) {
      done.add(new Done(probe, begun, ended));
    }

    /** Forgets what ended before a moment, but the last of each: with that a gap may begin. */
    void forget(long nanos) {
      Map<Integer, Done> last = new HashMap<>();
      for (Done each : done) {
        if (each.ended() - nanos < 0) {
          last.merge(each.probe(), each, (one, other) -> one.ended() > other.ended() ? one : other);
        }
      }
      done.removeIf(each -> each.ended() - nanos < 0 && !each.equals(last.get(each.probe())));
    }

    /** When the first thing was done by some that began after a moment; absent if none was yet. */
    OptionalLong firstBegunAfter(long nanos, IntPredicate some) {
      return done.stream()
          .filter(each -> some.test(each.probe()) && each.begun() - nanos >= 0)
          .mapToLong(Done::ended)
          .min();
    }

    /** When one got something done from one moment to another, in order, with the last before. */
    private long[] ends(int probe, long fromNanos, long toNanos) {
      long[] ends =
          done.stream()
              .filter(each -> each.probe() == probe && each.ended() - toNanos <= 0)
              .mapToLong(Done::ended)
              .sorted()
              .toArray();
      int first = 0;
      while (first + 1 < ends.length && ends[first + 1] - fromNanos < 0) {
        first++;
      }
      return Arrays.copyOfRange(ends, first, ends.length);
    }

    /** The gaps of one that end between two moments, in order. */
    List<Gap> gaps(int probe, long fromNanos, long toNanos) {
      long[] ends = ends(probe, fromNanos, toNanos);
      List<Gap> gaps = new ArrayList<>();
      for (int i = 1; i < ends.length; i++) {
        gaps.add(new Gap(probe, ends[i - 1], ends[i]));
      }
      return gaps;
    }

    /**
     * The longest time for which one got nothing done, up to a moment; it may have begun before the
     * first one.
     */
    long longestGapMillis(int probe, long fromNanos, long toNanos) {
      long[] ends = ends(probe, fromNanos, toNanos);
      long last = ends.length == 0 ? fromNanos : Math.min(fromNanos, ends[0]);
      long longest = 0;
      for (long end : ends) {
        longest = Math.max(longest, end - last);
        last = end;
      }
      return TimeUnit.NANOSECONDS.toMillis(Math.max(longest, toNanos - last));
    }
  }
}
