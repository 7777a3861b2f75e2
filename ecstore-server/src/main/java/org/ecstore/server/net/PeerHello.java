package org.ecstore.server.net;

import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The first message on a connection between nodes: of which cluster, from whom, to whom. An address
 * may have passed to another node, or to another cluster, since it was announced; what a node says
 * about its ledger must never reach one with another ledger (rule 8).
 */
record PeerHello(String cluster, NodeId from, NodeId to) {
  private static final int VERSION = 1;

  Bytes encode() {
    return new WireWriter().u8(VERSION).text(cluster).node(from).node(to).toBytes();
  }

  static PeerHello decode(Bytes body) {
    WireReader in = new WireReader(body);
    int version = in.u8();
    if (version != VERSION) {
      throw new MalformedMessageException("unknown version of the greeting of nodes: " + version);
    }
    PeerHello hello = new PeerHello(in.text(), in.node(), in.node());
    in.expectEnd();
    return hello;
  }

  /** What is wrong with this greeting for a node; empty if nothing. */
  String objection(String ownCluster, NodeId self) {
    if (!cluster.equals(ownCluster)) {
      return from + " is of cluster " + cluster + ", this is " + ownCluster;
    }
    return to.equals(self) ? "" : from + " looks for " + to + ", this is " + self;
  }
}
