package org.ecstore.server.loop;

import org.ecstore.core.port.Event;

/** What becomes of events that waited in an event loop's inbox. Called on the event loop. */
@FunctionalInterface
public interface LateEvents {
  /** Every event is handled, however long it waited. */
  LateEvents HANDLED = (event, waitedNanos) -> false;

  /** Whether an event that waited so long was answered here, and is not to be handled. */
  boolean refused(Event event, long waitedNanos);
}
