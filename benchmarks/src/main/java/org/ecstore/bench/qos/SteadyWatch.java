package org.ecstore.bench.qos;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * Whether a cluster under a load has become steady: its caches are full, its code is compiled, no
 * range moves any more. It is where the last windows had about the same throughput and hit ratio,
 * and the same map, and are no faster than those before them: code that is still compiled makes
 * each window some percent faster, which three that are alike do not show. Paper: Cassandra QoS §V,
 * which waits until all row caches have filled up.
 */
final class SteadyWatch {
  /** So many windows have to be alike. */
  private static final int ALIKE = 3;

  /** These, and as many before them. */
  static final int WINDOWS = 2 * ALIKE;

  /** The least and the most throughput, as a share of their mean. */
  private static final double THROUGHPUT_SPREAD = 0.1;

  /** The means of those that have to be alike and of those before them, as a share of these. */
  private static final double THROUGHPUT_TREND = 0.05;

  private static final double HIT_RATIO_SPREAD = 0.02;

  /**
   * What was seen for some seconds.
   *
   * @param hitRatio of lookups in caches; empty if engines do not say
   * @param mapVersion of the ranges' map at its end; below 0 if no node said it, so that ranges may
   *     have moved
   */
  record Window(double perSecond, OptionalDouble hitRatio, long mapVersion) {}

  private final Deque<Window> last = new ArrayDeque<>();

  /** One more. */
  void add(Window window) {
    if (last.size() == WINDOWS) {
      last.remove();
    }
    last.add(window);
  }

  boolean isSteady() {
    if (last.size() < WINDOWS) {
      return false;
    }
    List<Window> all = List.copyOf(last);
    List<Window> before = all.subList(0, ALIKE);
    List<Window> alike = all.subList(ALIKE, WINDOWS);
    double perSecond = mean(alike);
    double trend = Math.abs(perSecond - mean(before));
    return all.getLast().mapVersion() >= 0
        && all.stream().mapToLong(Window::mapVersion).distinct().count() == 1
        && spread(alike, Window::perSecond) <= THROUGHPUT_SPREAD * perSecond
        && trend <= THROUGHPUT_TREND * mean(before)
        && spread(alike, window -> window.hitRatio().orElse(0)) <= HIT_RATIO_SPREAD;
  }

  /** The hit ratio of the last window. */
  OptionalDouble hitRatio() {
    return last.isEmpty() ? OptionalDouble.empty() : last.getLast().hitRatio();
  }

  private static double mean(List<Window> windows) {
    return windows.stream().mapToDouble(Window::perSecond).average().orElse(0);
  }

  private static double spread(List<Window> windows, ToDoubleFunction<Window> value) {
    return windows.stream().mapToDouble(value).max().orElse(0)
        - windows.stream().mapToDouble(value).min().orElse(0);
  }
}
