package org.ecstore.cluster.bookkeeper;

import java.util.function.Consumer;
import org.ecstore.core.port.OperatorLog;

/**
 * What the parts of a ledger share.
 *
 * @param bug takes an exception that nobody expected, and ends the ledger
 */
record Context(
    Owner owner,
    Bookies bookies,
    SegmentStore store,
    SegmentReads reads,
    SegmentCollector collector,
    BookKeeperSettings settings,
    OperatorLog log,
    Consumer<Throwable> bug) {}
