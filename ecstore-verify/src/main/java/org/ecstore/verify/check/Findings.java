package org.ecstore.verify.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects what is wrong, and keeps the first few of each kind. */
final class Findings {
  private static final int KEPT_MAX = 5;

  private final List<Anomaly> kept = new ArrayList<>();
  private final Map<String, Integer> counts = new TreeMap<>();
  private final List<String> undecided = new ArrayList<>();

  void found(String kind, String text) {
    if (counts.merge(kind, 1, Integer::sum) <= KEPT_MAX) {
      kept.add(new Anomaly(kind, text));
    }
  }

  void undecided(String text) {
    undecided.add(text);
  }

  boolean none() {
    return kept.isEmpty();
  }

  Report report() {
    return new Report(List.copyOf(kept), new TreeMap<>(counts), List.copyOf(undecided));
  }
}
