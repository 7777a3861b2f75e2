package org.ecstore.client.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Names that metrics are told apart by: so many, and all others as one. Thread-safe. */
final class BoundedNames {
  static final String OTHERS = "others";

  private final int most;
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  BoundedNames(int most) {
    this.most = most;
  }

  /** The name to tell. */
  String name(String given) {
    if (known.contains(given)) {
      return given;
    }
    synchronized (known) {
      if (known.size() < most) {
        known.add(given);
      }
      return known.contains(given) ? given : OTHERS;
    }
  }
}
