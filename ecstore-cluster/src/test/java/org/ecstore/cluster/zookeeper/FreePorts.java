package org.ecstore.cluster.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.ecstore.cluster.zookeeper.server.EnsembleMember;

/** Ports no process listens on. */
public final class FreePorts {
  private FreePorts() {}

  /** So many, no two the same. */
  public static List<Integer> find(int count) throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        held.add(socket);
        ports.add(socket.getLocalPort());
      }
    } finally {
      for (ServerSocket socket : held) {
        socket.close();
      }
    }
    return ports;
  }

  /** An ensemble on this machine. */
  public static List<EnsembleMember> ensemble(int members) throws IOException {
    List<Integer> ports = find(3 * members);
    List<EnsembleMember> ensemble = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      ensemble.add(
          new EnsembleMember(
              i + 1,
              EmbeddedZooKeeper.LOOPBACK,
              ports.get(3 * i),
              ports.get(3 * i + 1),
              ports.get(3 * i + 2)));
    }
    return ensemble;
  }
}
