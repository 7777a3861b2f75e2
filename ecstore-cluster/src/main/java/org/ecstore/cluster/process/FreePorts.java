package org.ecstore.cluster.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * Finds ports of the loopback address that no process listens on. They are below those that systems
 * give to outgoing connections, or one of these might have a node's port when the node comes back.
 */
public final class FreePorts {
  private static final int FIRST = 15_000;
  private static final int LAST = 31_999;
  private static final int TRIES_MAX = 10_000;

  private final Random random = new SecureRandom();
  private final Set<Integer> given = new HashSet<>();

  /** A port that was not given before. */
  public int next() {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      int port = random.nextInt(FIRST, LAST + 1);
      if (!given.contains(port) && isFree(port)) {
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

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
