package org.ecstore.server.ledger;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.id.NodeId;

/** The commit ledger as a process reaches it: in local files, or on bookies. */
public interface LedgerService extends AutoCloseable {
  /**
   * The ledger for a node of this process.
   *
   * @param sink takes results on the threads of this service; must not block or throw
   */
  Ledger handle(NodeId node, Consumer<Event> sink);

  /** Where it begins and ends, if that is certain without asking others. */
  default Optional<LedgerExtent> extent() {
    return Optional.empty();
  }

  /** Answers what was begun and lets everything go. Calls that come later are refused. */
  @Override
  void close() throws IOException;
}
