package org.ecstore.cluster.zookeeper.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The threads of one ZooKeeper server. All of them come, at whatever remove, from the thread that
 * starts the server, and so belong to its group: that makes it possible to wait for their end, for
 * which the library has no call.
 */
final class ServerThreads {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final ThreadGroup group;

  ServerThreads(String name) {
    this.group = new ThreadGroup(name);
  }

  /** Runs something on a first thread of the group. */
  void start(String name, Runnable body) {
    Thread thread = new Thread(group, body, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** The names of those that live. */
  List<String> alive() {
    Thread[] found = new Thread[group.activeCount() + 64];
    int count = group.enumerate(found, true);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (found[i].isAlive()) {
        names.add(found[i].getName());
      }
    }
    return names;
  }

  /**
   * Waits for all to end; those that still live then. Some of a leader's wait for packets to send
   * to members that have gone, and miss the word that no more will come: they are interrupted after
   * a moment. What is on the disk was closed before.
   */
  List<String> join(Duration within) {
    long deadline = System.nanoTime() + within.toNanos();
    long timeout = System.nanoTime() + TIMEOUT.toNanos();
    List<String> alive = alive();
    boolean interrupted = false;
    while (!alive.isEmpty() && System.nanoTime() - deadline < 0) {
      try {
        Thread.sleep(LOOK_AGAIN);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      alive = alive();
      if (System.nanoTime() - timeout > 0) {
        group.interrupt();
        timeout = deadline;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return alive;
  }
}
