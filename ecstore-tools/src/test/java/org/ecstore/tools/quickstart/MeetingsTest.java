package org.ecstore.tools.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.ecstore.tools.quickstart.SocialGraph.Friendship;
import org.junit.jupiter.api.Test;

class MeetingsTest {
  @Test
  void noUserMeetsTwoAtOnceAndEveryFriendshipIsMadeOnce() throws InterruptedException {
    SocialGraph graph = SocialGraph.karateClub();
    int clients = Meetings.clientsFor(graph);
    assertEquals(4, clients);
    Meetings meetings = new Meetings(graph.friendships());
    Deque<Friendship> underWay = new ArrayDeque<>();
    List<Friendship> made = new ArrayList<>();
    Random random = new Random(1);
    while (meetings.left() > 0) {
      if (underWay.size() == clients || (!underWay.isEmpty() && random.nextBoolean())) {
        meetings.over(underWay.remove());
      }
      if (underWay.isEmpty() || hasFree(graph, made, underWay)) {
        Friendship pair = meetings.take().orElseThrow();
        for (Friendship other : underWay) {
          Set<Long> users = new HashSet<>(List.of(pair.a(), pair.b(), other.a(), other.b()));
          assertEquals(4, users.size(), pair + " while " + other);
        }
        underWay.add(pair);
        made.add(pair);
      }
    }
    assertEquals(Optional.empty(), meetings.take());
    assertEquals(graph.friendships().size(), made.size());
    assertEquals(new HashSet<>(graph.friendships()), new HashSet<>(made));
    assertTrue(underWay.size() <= clients);
  }

  /** Whether take would not wait. */
  private static boolean hasFree(
      SocialGraph graph, List<Friendship> made, Deque<Friendship> underWay) {
    Set<Long> busy = new HashSet<>();
    underWay.forEach(pair -> busy.addAll(List.of(pair.a(), pair.b())));
    return graph.friendships().stream()
        .anyMatch(
            pair -> !made.contains(pair) && !busy.contains(pair.a()) && !busy.contains(pair.b()));
  }
}
