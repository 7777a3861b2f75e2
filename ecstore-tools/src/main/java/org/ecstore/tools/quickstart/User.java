package org.ecstore.tools.quickstart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A member of the network with the ids of all friends, in ascending order.
 *
 * @param id the key of the record too
 */
public record User(long id, List<Long> friends) {
  public User {
    friends = List.copyOf(friends);
  }

  boolean isFriendOf(long other) {
    return Collections.binarySearch(friends, other) >= 0;
  }

  User befriended(long other) {
    List<Long> more = new ArrayList<>(friends);
    more.add(-1 - Collections.binarySearch(friends, other), other);
    return new User(id, more);
  }
}
