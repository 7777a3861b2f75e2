package org.ecstore.tools.quickstart;

import java.util.HashMap;
import java.util.Map;
import org.ecstore.tools.quickstart.SocialGraph.Friendship;

/** Whether friendships, as one scan of all users found them, are symmetric and all there. */
final class FriendshipCheck {
  private final Map<Long, User> found = new HashMap<>();

  void add(User user) {
    found.put(user.id(), user);
  }

  /** How many users were found. */
  int users() {
    return found.size();
  }

  /** Friendships that only one of two users knows of. */
  long asymmetric() {
    long count = 0;
    for (User user : found.values()) {
      for (long friend : user.friends()) {
        User other = found.get(friend);
        if (other == null || !other.isFriendOf(user.id())) {
          count++;
        }
      }
    }
    return count;
  }

  /** Friendships of a graph that neither or only one of the two users knows of. */
  long lost(SocialGraph graph) {
    long count = 0;
    for (Friendship pair : graph.friendships()) {
      User a = found.get(pair.a());
      User b = found.get(pair.b());
      if (a == null || b == null || !a.isFriendOf(pair.b()) || !b.isFriendOf(pair.a())) {
        count++;
      }
    }
    return count;
  }
}
