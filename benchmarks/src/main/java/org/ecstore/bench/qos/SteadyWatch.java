package org.ecstore.bench.qos;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * Whether a cluster under a load has become steady: its caches are full, its code is compiled, no
 * range moves any more. It is where the last windows had about the same throughput and hit ratio,
 * and the same map. Paper: Cassandra QoS §V, which waits until all row caches have filled up.
 */
final class SteadyWatch {
  /** So many windows have to be alike. */
  static final int WINDOWS = 3;

  /** The least and the most throughput, as a share of their mean. */
  static final double THROUGHPUT_SPREAD = 0.1;

  static final double HIT_RATIO_SPREAD = 0.02;

  /**
   * What was seen for some seconds.
   *
   * @param hitRatio of lookups in caches; empty if engines do not say
   * @param mapVersion of the ranges' map at its end
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
    return last.size() == WINDOWS
        && last.stream().mapToLong(Window::mapVersion).distinct().count() == 1
        && spread(Window::perSecond) <= THROUGHPUT_SPREAD * mean(Window::perSecond)
        && spread(window -> window.hitRatio().orElse(0)) <= HIT_RATIO_SPREAD;
  }

  /** The hit ratio of the last window. */
  OptionalDouble hitRatio() {
    return last.isEmpty() ? OptionalDouble.empty() : last.getLast().hitRatio();
  }

  private double mean(ToDoubleFunction<Window> value) {
    return last.stream().mapToDouble(value).average().orElse(0);
  }

  private double spread(ToDoubleFunction<Window> value) {
    return last.stream().mapToDouble(value).max().orElse(0)
        - last.stream().mapToDouble(value).min().orElse(0);
  }
}
