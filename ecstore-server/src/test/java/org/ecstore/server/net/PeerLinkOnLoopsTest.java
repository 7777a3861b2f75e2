package org.ecstore.server.net;

/** The same, where each event loop does the network work of its node. */
class PeerLinkOnLoopsTest extends PeerLinkTest {
  @Override
  NetLoops loops() {
    return NetLoops.onLoops();
  }
}
