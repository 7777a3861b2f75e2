package org.ecstore.tools.quickstart;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.EcStore;
import org.ecstore.client.Entry;
import org.ecstore.client.Scan;
import org.ecstore.client.Session;
import org.ecstore.client.Snapshot;

/**
 * A client that scans all users again and again, forward and backward in turn, across the bounds of
 * all nodes. Each scan is one snapshot, in which friendships are symmetric whatever goes on.
 */
final class Scanning {
  private static final long PAUSE_MILLIS = 100;

  private final EcStore store;
  private final long users;
  private final CountDownLatch ended = new CountDownLatch(1);
  private long scans;
  private long records;
  private long asymmetric;

  Scanning(EcStore store, long users) {
    this.store = store;
    this.users = users;
  }

  /** What the client does until told to end; at least one scan each way. */
  void run() throws InterruptedException {
    boolean end = false;
    while (!end || scans < 2) {
      boolean reverse = scans % 2 == 1;
      FriendshipCheck check = scan(store, reverse);
      scans++;
      asymmetric += check.asymmetric();
      end = ended.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /** All users at one snapshot. */
  FriendshipCheck scan(Session session, boolean reverse) {
    return Repeating.untilDone(
        () ->
            session.<FriendshipCheck, RuntimeException>read(
                snapshot -> scanOnce(snapshot, reverse)));
  }

  private FriendshipCheck scanOnce(Snapshot snapshot, boolean reverse) {
    FriendshipCheck check = new FriendshipCheck();
    Scan<User> forward = snapshot.scan(Users.TABLE);
    long before = reverse ? Long.MAX_VALUE : -1;
    long count = 0;
    for (Entry<User> entry : reverse ? forward.reverse() : forward) {
      long id = entry.key().number(0);
      if (reverse ? id >= before : id <= before) {
        throw new IllegalStateException("a scan is out of order: " + id + " after " + before);
      }
      before = id;
      count++;
      check.add(entry.value());
    }
    records += count;
    if (count < users) {
      throw new IllegalStateException("a scan found " + count + " of " + users + " users");
    }
    return check;
  }

  void end() {
    ended.countDown();
  }

  long scans() {
    return scans;
  }

  long records() {
    return records;
  }

  /** One-sided friendships, over all scans of {@link #run}. */
  long asymmetric() {
    return asymmetric;
  }
}
