package org.ecstore.tools.attack;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was found, each once, and how often. Safe for use by several threads. */
final class AttackFindings {
  private static final int KEPT_MAX = 100;

  private final Map<String, Integer> found = new LinkedHashMap<>();

  synchronized void add(String text) {
    if (found.containsKey(text) || found.size() < KEPT_MAX) {
      found.merge(text, 1, Integer::sum);
    }
  }

  synchronized List<String> all() {
    return found.entrySet().stream()
        .map(each -> each.getKey() + (each.getValue() > 1 ? ", " + each.getValue() + " times" : ""))
        .toList();
  }

  synchronized boolean any() {
    return !found.isEmpty();
  }
}
