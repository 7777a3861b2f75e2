package org.ecstore.client.routing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Addresses of nodes that were told as those of copies. Some of them are asked what any node can
 * answer: those that were told last, since nodes that are gone are told no more; and those that
 * fail again and again only where there are no others. Only so many are kept. Thread-safe.
 */
final class Homes {
  /** How many are asked. */
  static final int ASKED_MAX = 16;

  private static final int KEPT_MAX = 128;

  /** The one that was told last is the last. */
  private final Set<String> sound = new LinkedHashSet<>();

  /** The one that failed last is the last. */
  private final Set<String> lost = new LinkedHashSet<>();

  /** A node has told that there is a copy. */
  synchronized void told(String address) {
    lost.remove(address);
    addLast(sound, address);
  }

  /** It has answered, which it did not before. */
  synchronized void found(String address) {
    if (lost.contains(address)) {
      told(address);
    }
  }

  /** It fails again and again. */
  synchronized void failed(String address) {
    if (sound.remove(address)) {
      addLast(lost, address);
    }
  }

  private static void addLast(Set<String> to, String address) {
    to.remove(address);
    to.add(address);
    if (to.size() > KEPT_MAX) {
      to.remove(to.iterator().next());
    }
  }

  /** Some, the likeliest to answer first. */
  synchronized List<String> some() {
    List<String> some = new ArrayList<>(lost);
    some.addAll(sound);
    Collections.reverse(some);
    return some.size() <= ASKED_MAX ? some : List.copyOf(some.subList(0, ASKED_MAX));
  }
}
