package org.ecstore.server.loop;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.ecstore.core.port.Event;
import org.jspecify.annotations.Nullable;

/**
 * What waits in an event loop's inbox, in the order in which it is handled: what other nodes say as
 * it came, and of clients' requests one of each connection in turn. So a client that asks thousands
 * of things at once makes its own answers late, not those of others. What comes from one connection
 * keeps its order. Belongs to the event loop's thread.
 */
final class Turns {
  private final Deque<Offered> others = new ArrayDeque<>();
  private final Map<Long, Deque<Offered>> clients = new HashMap<>();

  /** Connections with something that waits, each once. */
  private final Deque<Long> next = new ArrayDeque<>();

  /**
   * An event that waits.
   *
   * @param bytes of memory that it holds, about
   */
  record Offered(Event event, int bytes, long sinceNanos) {}

  void add(Offered offered) {
    switch (offered.event()) {
      case Event.Called called -> add(called.call().connection(), offered);
      case Event.Greeted greeted -> add(greeted.connection(), offered);
      case Event.Reported reported -> add(reported.connection(), offered);
      case Event.ClientGone gone -> add(gone.connection(), offered);
      default -> others.add(offered);
    }
  }

  private void add(long connection, Offered offered) {
    Deque<Offered> waiting = clients.get(connection);
    if (waiting == null) {
      waiting = new ArrayDeque<>(2);
      clients.put(connection, waiting);
      next.add(connection);
    }
    waiting.add(offered);
  }

  /** The next that does not come from a client; null if there is none. */
  @Nullable Offered pollOther() {
    return others.poll();
  }

  /** The next of the connection whose turn it is; null if no client waits. */
  @Nullable Offered pollClient() {
    Long connection = next.poll();
    Deque<Offered> waiting = connection == null ? null : clients.get(connection);
    if (connection == null || waiting == null) {
      return null;
    }
    Offered first = waiting.remove();
    if (waiting.isEmpty()) {
      clients.remove(connection);
    } else {
      next.add(connection);
    }
    return first;
  }

  boolean isEmpty() {
    return others.isEmpty() && next.isEmpty();
  }

  /** Whether all that waits comes from clients. */
  boolean isOfClientsOnly() {
    return others.isEmpty();
  }

  /** Whether no client waits. */
  boolean hasNoClient() {
    return next.isEmpty();
  }

  void clear() {
    others.clear();
    clients.clear();
    next.clear();
  }
}
