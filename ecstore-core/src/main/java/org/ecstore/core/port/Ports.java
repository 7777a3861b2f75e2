package org.ecstore.core.port;

import java.util.random.RandomGenerator;

/** All that a node may touch. The generator is seeded by the driver and belongs to this node. */
public record Ports(
    Clock clock,
    Timers timers,
    RandomGenerator random,
    Network network,
    Engine engine,
    Ledger ledger,
    Coordination coordination,
    OperatorLog log) {}
