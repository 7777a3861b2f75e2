package org.ecstore.server.net;

/** The same, where each lane does the network work of its node. */
class PeerLinkOnLanesTest extends PeerLinkTest {
  @Override
  NetLoops loops() {
    return NetLoops.onLanes();
  }
}
