package org.ecstore.cluster.bookkeeper;

import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.bookkeeper.segment.Bookies;
import org.ecstore.cluster.bookkeeper.segment.Owner;
import org.ecstore.cluster.bookkeeper.segment.SegmentCollector;
import org.ecstore.cluster.bookkeeper.segment.SegmentReads;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore;
import org.ecstore.core.port.OperatorLog;

/** What the parts of a ledger share. */
record Context(
    Owner owner,
    Bookies bookies,
    SegmentStore store,
    SegmentReads reads,
    SegmentCollector collector,
    BookKeeperSettings settings,
    OperatorLog log) {}
