package org.ecstore.tools.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.tools.quickstart.SocialGraph.Friendship;

/** The table of users, and what is done with it. */
final class Users {
  private static final int SPLIT_HINTS_MAX = 63;

  static final Table<User> TABLE = Table.of("users", Codec.record(User.class));

  private Users() {}

  static Tuple key(long id) {
    return Tuple.of(id);
  }

  /** Keys that cut the users into equal parts, for nodes that join before there are any. */
  static List<Bytes> splitHints(List<Long> ids) {
    Bytes table = TABLE.keys().start();
    int hints = Math.min(SPLIT_HINTS_MAX, ids.size() - 1);
    List<Bytes> keys = new ArrayList<>();
    for (int i = 1; i <= hints; i++) {
      keys.add(key(ids.get((int) ((long) i * ids.size() / (hints + 1)))).encode(table));
    }
    return keys.stream().distinct().toList();
  }

  /**
   * Makes two users friends (paper §6.1): two reads and two writes. False, and nothing is written,
   * if they are friends already.
   */
  static boolean befriend(Transaction tx, Friendship pair) {
    User a = existing(tx, pair.a());
    User b = existing(tx, pair.b());
    if (a.isFriendOf(b.id()) || b.isFriendOf(a.id())) {
      // One side only would be a bug of the store; the check is to find it, not this to mend it.
      return false;
    }
    tx.put(TABLE, key(a.id()), a.befriended(b.id()));
    tx.put(TABLE, key(b.id()), b.befriended(a.id()));
    return true;
  }

  private static User existing(Transaction tx, long id) {
    Optional<User> user = tx.get(TABLE, key(id));
    return user.orElseThrow(() -> new IllegalStateException("user " + id + " is lost"));
  }
}
