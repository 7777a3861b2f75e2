package org.ecstore.server.loop;

/**
 * Says when clients' requests may be taken out of an event loop's inbox. What other nodes say, what
 * the engine, the ledger and coordination answer, and timers never wait for it: a node that answers
 * clients late is not taken for gone. Called on the event loop.
 */
public interface RequestGate {
  /** Requests never wait. */
  RequestGate OPEN =
      new RequestGate() {
        @Override
        public long waitNanos(long now) {
          return 0;
        }

        @Override
        public void taken() {}
      };

  /**
   * For how long no request may be taken, in nanoseconds; 0 if one may at once.
   *
   * @param now the event loop's clock
   */
  long waitNanos(long now);

  /** A request is taken, right after {@link #waitNanos} has said 0. */
  void taken();
}
