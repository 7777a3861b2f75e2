package org.ecstore.tools.quickstart;

import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.ecstore.tools.quickstart.SocialGraph.Friendship;

/**
 * Which friendship is made next: one of two users who are not befriending others just now. Of a
 * small graph the same few users would otherwise be in every transaction, and most would conflict.
 * Safe for use by several threads.
 */
final class Meetings {
  private static final int CLIENTS_MAX = 16;
  private static final int FRIENDSHIPS_OF_A_CLIENT = 16;

  /** Looked at until one is found whose users are free; a wait is cheaper than a longer look. */
  private static final int LOOK_MAX = 1_000;

  private final LinkedHashSet<Friendship> left;
  private final Set<Long> busy = new HashSet<>();

  Meetings(List<Friendship> pairs) {
    left = new LinkedHashSet<>(pairs);
  }

  /** The next one; absent once there is none left. Waits until its users are free. */
  synchronized Optional<Friendship> take() throws InterruptedException {
    while (!left.isEmpty()) {
      Optional<Friendship> free = firstFree();
      if (free.isPresent()) {
        busy.add(free.get().a());
        busy.add(free.get().b());
        return free;
      }
      wait();
    }
    return Optional.empty();
  }

  private Optional<Friendship> firstFree() {
    Iterator<Friendship> each = left.iterator();
    for (int looked = 0; looked < LOOK_MAX && each.hasNext(); looked++) {
      Friendship pair = each.next();
      if (!busy.contains(pair.a()) && !busy.contains(pair.b())) {
        each.remove();
        return Optional.of(pair);
      }
    }
    return Optional.empty();
  }

  /** Its users may meet others now. */
  synchronized void over(Friendship pair) {
    busy.remove(pair.a());
    busy.remove(pair.b());
    notifyAll();
  }

  /** How many are not taken yet. */
  synchronized int left() {
    return left.size();
  }

  /** How many clients find work at the same time: one for 16 friendships, up to 16. */
  static int clientsFor(SocialGraph graph) {
    return Math.clamp(graph.friendships().size() / FRIENDSHIPS_OF_A_CLIENT, 1, CLIENTS_MAX);
  }
}
