package org.ecstore.cluster.zookeeper.server;

import java.io.IOException;

/** A ZooKeeper server within this process: alone, or a member of an ensemble. */
interface HostedServer {
  /** Starts it, on the thread whose group all its threads shall belong to. */
  void start() throws IOException, InterruptedException;

  /** Whether clients are served: a member of an ensemble must have found a quorum. */
  boolean serves();

  /** Begins its end, also if it has not quite started; its threads end soon after. */
  void shutdown();

  /** Lets its files go, after its threads have ended. */
  void release() throws IOException;
}
