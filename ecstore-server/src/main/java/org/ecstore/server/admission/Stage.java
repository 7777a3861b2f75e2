package org.ecstore.server.admission;

/**
 * For what a node holds bytes. Each stage has a room of its own: none can take another's; but what
 * is held of large frames, and of heavy requests, counts for both of their stages.
 */
public enum Stage {
  /** Frames of clients that are being received. */
  FRAMES("messages being received"),
  /** Of those, frames that are large: they leave a part of the room to small ones. */
  LARGE_FRAMES("large messages being received"),
  /** Requests of clients until they are answered, by their {@code RequestWeight}. */
  REQUESTS("requests under way"),
  /** Of those, requests that are heavy: they leave a part of the room to light ones. */
  HEAVY_REQUESTS("heavy requests under way"),
  /** Answers to clients until their sockets have taken them. */
  ANSWERS("answers on their way"),
  /** Frames of other nodes that are being received. */
  NODE_FRAMES("messages of nodes being received"),
  /** Messages to other nodes, of all of them, until they are encoded for the way. */
  TO_NODES("messages on their way to nodes");

  private final String what;

  Stage(String what) {
    this.what = what;
  }

  /** In words, for people. */
  public String what() {
    return what;
  }
}
