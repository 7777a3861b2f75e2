package org.ecstore.server.net;

/** The same, where each lane does the network work of its node. */
class ClientPortOnLanesTest extends ClientPortTest {
  @Override
  NetLoops loops() {
    return NetLoops.onLanes();
  }

  /** A lane that is held does not read. */
  @Override
  void awaitCongestion(AnsweringNode node) {}
}
