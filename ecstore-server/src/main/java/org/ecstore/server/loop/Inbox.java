package org.ecstore.server.loop;

import org.ecstore.core.port.Event;

/**
 * The bounded way into a node, for what comes from outside: requests of clients and messages of
 * nodes. Any thread may call.
 */
public interface Inbox {
  /**
   * Hands over an event that holds about {@code bytes} of memory. False, and nothing happens, if
   * the inbox is full or the node has stopped.
   */
  boolean offer(Event event, int bytes);

  /**
   * Hands over an event that must not be lost and of which there is at most one for each
   * connection: that it is gone. It keeps its place behind what was offered before it.
   */
  void offerLast(Event event);

  /** Whether clients should not be read from until there is word that there is room again. */
  boolean congested();

  /** The same of other nodes, for whom there is room when there is none for requests. */
  boolean congestedForNodes();
}
