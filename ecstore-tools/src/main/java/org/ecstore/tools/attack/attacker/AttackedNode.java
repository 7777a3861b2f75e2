package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.ecstore.id.NodeId;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.verify.door.RawClient;
import org.ecstore.wire.Preamble;

/**
 * A node as any client gets to know it. Immutable.
 *
 * @param address where it serves clients and hears nodes
 * @param others its other ports: of ZooKeeper and of its bookie; none if they are not attacked
 * @param cluster that it is of
 * @param incarnation that it is in
 */
public record AttackedNode(
    InetSocketAddress address,
    List<InetSocketAddress> others,
    String cluster,
    NodeId id,
    long incarnation) {
  public AttackedNode {
    others = List.copyOf(others);
  }

  /** Asks a node. */
  public static AttackedNode at(InetSocketAddress address, List<InetSocketAddress> others)
      throws IOException {
    try (RawClient client = new RawClient(address)) {
      client.sendRaw(Preamble.CLIENT);
      ClientReply first =
          client.call(0, new ClientRequest.Hello(ProtocolVersions.SPOKEN, "attack"));
      ClientReply second = client.call(1, new ClientRequest.Inspect());
      if (first instanceof ClientReply.Welcome(_, var cluster, var node, _, _)
          && second instanceof ClientReply.Inspected seen) {
        return new AttackedNode(address, others, cluster, node, seen.incarnation());
      }
      throw new IOException(address + " does not say who it is: " + first + ", " + second);
    }
  }
}
