package org.ecstore.client.routing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * In which order nodes are asked what any of them can answer: the seeds, beginning with another one
 * as soon as the first was no help, then others; and those that did not answer a moment ago behind
 * all that may. Each try of a node that is silent costs its caller seconds: who begins with it each
 * time pays them each time. Safe for use by several threads.
 */
final class NodeOrder {
  /** So long one that did not answer is asked last; twice as long each time it does not. */
  private static final long LAST_NANOS_MIN = TimeUnit.SECONDS.toNanos(1);

  /** One that is asked last for so long has failed several times, and not answered in between. */
  private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(4);

  private static final long LAST_NANOS_MAX = TimeUnit.SECONDS.toNanos(16);
  private static final int REMEMBERED_MAX = 1_000;

  private record Silence(long untilNanos, long pauseNanos) {
    boolean isOver(long nowNanos) {
      return untilNanos - nowNanos <= 0;
    }
  }

  private final List<String> seeds;
  private final AtomicInteger turn;
  private final Map<String, Silence> silent = new ConcurrentHashMap<>();

  /**
   * Of all nodes it may be that they answer.
   *
   * @param seeds one at least
   * @param random uniform in [0, 1)
   */
  NodeOrder(List<String> seeds, double random) {
    this.seeds = seeds;
    this.turn = new AtomicInteger((int) (random * seeds.size()));
  }

  /**
   * Addresses without repetition.
   *
   * @param first those that come before the seeds
   * @param last those that come behind them
   */
  List<String> of(List<String> first, Collection<String> last, long nowNanos) {
    Set<String> all = new LinkedHashSet<>(first);
    int shift = Math.floorMod(turn.get(), seeds.size());
    all.addAll(seeds.subList(shift, seeds.size()));
    all.addAll(seeds.subList(0, shift));
    all.addAll(last);
    if (silent.isEmpty()) {
      return List.copyOf(all);
    }
    List<String> ordered = new ArrayList<>();
    List<String> behind = new ArrayList<>();
    for (String address : all) {
      (isSilent(address, nowNanos) ? behind : ordered).add(address);
    }
    ordered.addAll(behind);
    return ordered;
  }

  private boolean isSilent(String address, long nowNanos) {
    Silence known = silent.get(address);
    return known != null && !known.isOver(nowNanos);
  }

  /** A node has not answered. Returns whether it has not for several times. */
  boolean failed(String address, long nowNanos) {
    if (silent.size() >= REMEMBERED_MAX) {
      silent.clear();
    }
    Silence now =
        silent.compute(
            address,
            (same, before) -> {
              if (before != null && !before.isOver(nowNanos)) {
                // One of several requests that were on their way.
                return before;
              }
              long pause =
                  before == null ? LAST_NANOS_MIN : Math.min(LAST_NANOS_MAX, 2 * before.pauseNanos);
              return new Silence(nowNanos + pause, pause);
            });
    passOver(address);
    return now.pauseNanos >= LOST_NANOS;
  }

  /** A node has answered. Returns whether it had not before. */
  boolean answered(String address) {
    return !silent.isEmpty() && silent.remove(address) != null;
  }

  /** A node was no help: begin with another one, if it was the one to begin with. */
  void passOver(String address) {
    int now = turn.get();
    if (seeds.get(Math.floorMod(now, seeds.size())).equals(address)) {
      turn.compareAndSet(now, now + 1);
    }
  }

  /** No node was any help: begin with another one. */
  void moveOn() {
    turn.incrementAndGet();
  }
}
