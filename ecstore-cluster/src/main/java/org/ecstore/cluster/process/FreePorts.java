package org.ecstore.cluster.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds ports of the loopback address that no process listens on. They are below those that systems
 * give to outgoing connections, or one of these might have a node's port when the node comes back.
 */
public final class FreePorts {
  private static final int FIRST = 15_000;
  private static final int LAST = 31_999;
  private static final int TRIES_MAX = 10_000;
  private static final long LOOK_MILLIS = 20;

  /** What this process has given to any cluster: its node may not listen there yet. */
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private final Random random = new SecureRandom();
  private final Set<Integer> given = new HashSet<>();

  /** A port that was not given before. */
  public int next() {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      int port = random.nextInt(FIRST, LAST + 1);
      if (!given.contains(port) && isFree(port) && GIVEN.add(port)) {
        given.add(port);
        return port;
      }
    }
    throw new ProcessClusterException(
        "no free port found from " + FIRST + " to " + LAST + " on the loopback address");
  }

  /** A port that some node of the cluster has, running or not. */
  void taken(int port) {
    given.add(port);
  }

  /**
   * A port that an operator has chosen.
   *
   * @throws ProcessClusterException if some process listens on it
   */
  int chosen(int port) {
    if (!isFree(port)) {
      throw new ProcessClusterException(
          "port " + port + " is in use on the loopback address: choose another");
    }
    given.add(port);
    return port;
  }

  /** Whether no process listens on a port of the loopback address. */
  public static boolean isFree(int port) {
    return isFree(InetAddress.getLoopbackAddress().getHostAddress(), port);
  }

  /**
   * Waits until no process listens on a port, as it may be that of one that is just ending; returns
   * whether none does.
   */
  static boolean awaitFree(String host, int port, Duration within) throws InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    while (!isFree(host, port)) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return true;
  }

  private static boolean isFree(String host, int port) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(host, port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
