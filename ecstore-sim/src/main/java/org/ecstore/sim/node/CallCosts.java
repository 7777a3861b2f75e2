package org.ecstore.sim.node;

import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.Event;

/**
 * How long things occupy a node of a {@code CostedCluster}, in nanoseconds. What the node's engine
 * and ledger do for it is charged when they answer, so that it is the same work whether a message
 * from elsewhere or the node itself asked for it.
 */
public interface CallCosts {
  /** Taking an event in, and sending what it leads to. */
  long event(Event event);

  /** Single keys read. */
  long read(int keys);

  /** An interval read. */
  long scan(ScanSpec spec);

  /** Whether keys and intervals have newer versions: the validation of a transaction. */
  long newest(int keys, int intervals);

  /** A batch written. */
  long apply(EngineBatch batch);

  /** Records appended to the ledger as one entry. */
  long append(int records);

  /** Records taken in from the ledger, as standbys and copies do. */
  long replay(int records);
}
