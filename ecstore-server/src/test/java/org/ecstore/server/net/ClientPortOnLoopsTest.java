package org.ecstore.server.net;

/** The same, where each event loop does the network work of its node. */
class ClientPortOnLoopsTest extends ClientPortTest {
  @Override
  NetLoops loops() {
    return NetLoops.onLoops();
  }

  /** A event loop that is held does not read. */
  @Override
  void awaitCongestion(AnsweringNode node) {}
}
