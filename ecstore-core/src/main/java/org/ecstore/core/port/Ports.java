package org.ecstore.core.port;

import java.util.random.RandomGenerator;
import org.ecstore.core.metrics.Metrics;

/**
 * All that a node may touch. The generator is seeded by the driver and belongs to this node.
 *
 * @param metrics where its numbers go; {@link Metrics#NONE} if they go nowhere
 */
public record Ports(
    Clock clock,
    Timers timers,
    RandomGenerator random,
    Network network,
    Engine engine,
    Ledger ledger,
    Coordination coordination,
    OperatorLog log,
    Metrics metrics) {
  /** The same, with another place for the node's numbers. */
  public Ports withMetrics(Metrics other) {
    return new Ports(clock, timers, random, network, engine, ledger, coordination, log, other);
  }
}
