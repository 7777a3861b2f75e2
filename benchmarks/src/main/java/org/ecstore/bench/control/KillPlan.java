package org.ecstore.bench.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * When the node that leads is killed: at moments that are spread evenly over all phases but the
 * first, not while a phase begins, nor shortly before it ends.
 */
final class KillPlan {
  /** So long after its beginning a phase may have the first kill. */
  static final Duration AFTER = Duration.ofSeconds(20);

  /** What is left of a phase after its last kill, at least: a part of it. */
  private static final double LEFT = 0.2;

  private KillPlan() {}

  /** How long a phase may have kills. */
  static Duration room(Duration phase) {
    long until = Math.round(phase.toMillis() * (1 - LEFT));
    return Duration.ofMillis(Math.max(0, until - AFTER.toMillis()));
  }

  /**
   * How long after the beginning of each phase there are kills.
   *
   * @return as many lists as phases, the first one empty
   */
  static List<List<Duration>> of(List<QosPhase> phases, int kills) {
    List<List<Duration>> plan = new ArrayList<>();
    phases.forEach(_ -> plan.add(new ArrayList<>()));
    List<QosPhase> with = phases.subList(1, phases.size());
    long all = with.stream().mapToLong(phase -> room(phase.lasts()).toMillis()).sum();
    if (all == 0) {
      return plan;
    }
    for (int kill = 0; kill < kills; kill++) {
      long at = all * (2L * kill + 1) / (2L * kills);
      int phase = 1;
      while (at >= room(phases.get(phase).lasts()).toMillis()) {
        at -= room(phases.get(phase).lasts()).toMillis();
        phase++;
      }
      plan.get(phase).add(AFTER.plusMillis(at));
    }
    return plan;
  }
}
