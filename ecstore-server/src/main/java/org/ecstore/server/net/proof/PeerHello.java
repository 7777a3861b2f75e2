package org.ecstore.server.net.proof;

import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The first message on a connection between nodes: of which cluster, from whom, to whom. An address
 * may have passed to another node, or to another cluster, since it was announced; what a node says
 * about its ledger must never reach one with another ledger (rule 8). It is believed once both have
 * proven that they have the cluster's secret: see {@link PeerProofs}.
 *
 * @param incarnation of the node that greets
 * @param challenge random bytes, which the answer proves something about
 */
public record PeerHello(String cluster, NodeId from, long incarnation, NodeId to, Bytes challenge) {
  /** Of the greeting and of what follows it. */
  static final int VERSION = 2;

  /** The body of the frame that carries it. */
  public Bytes encode() {
    return new WireWriter()
        .u8(VERSION)
        .text(cluster)
        .node(from)
        .varint(incarnation)
        .node(to)
        .bytes(challenge)
        .toBytes();
  }

  /**
   * The greeting in the body of a frame.
   *
   * @throws MalformedMessageException if it is none
   */
  public static PeerHello decode(Bytes body) {
    WireReader in = new WireReader(body);
    int version = in.u8();
    if (version != VERSION) {
      throw new MalformedMessageException(
          "version " + version + " of the greeting of nodes, where " + VERSION + " is spoken");
    }
    PeerHello hello =
        new PeerHello(
            in.text(), in.node(), in.natural(), in.node(), in.bytes(ClusterSecret.PROOF_BYTES));
    in.expectEnd();
    return hello;
  }

  /** What is wrong with this greeting for a node; empty if nothing. */
  public String objection(String ownCluster, NodeId self) {
    if (!cluster.equals(ownCluster)) {
      return from + " is of another cluster than " + ownCluster;
    }
    if (from.equals(self)) {
      return from + " is this node itself";
    }
    if (incarnation < 1) {
      return from + " has not joined";
    }
    if (challenge.length() != ClusterSecret.PROOF_BYTES) {
      return from + " greets with a challenge of " + challenge.length() + " bytes";
    }
    return to.equals(self) ? "" : from + " looks for " + to + ", this is " + self;
  }
}
