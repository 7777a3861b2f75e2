package org.ecstore.cluster.bookkeeper;

/**
 * What the faked services do to who uses them.
 *
 * @param delayNanosMax what a message takes at most
 * @param stale how often a session answers with what it saw before, though there is newer
 * @param renewed how often a session is a new one, with a server that may be behind the last
 * @param lostCall how often a message is lost on its way to a service
 * @param lostReply how often one is lost on the way back
 * @param minority how often an entry comes to fewer bookies than must acknowledge it, and is the
 *     writer's last
 * @param lostWatch how often a reader does not hear that a segment was closed
 */
record FakeFaults(
    long delayNanosMax,
    double stale,
    double renewed,
    double lostCall,
    double lostReply,
    double minority,
    double lostWatch) {
  /** Nothing goes wrong, but no watch ever comes either, and messages take a while. */
  static final FakeFaults NONE = new FakeFaults(100_000, 0, 0, 0, 0, 0, 1);
}
