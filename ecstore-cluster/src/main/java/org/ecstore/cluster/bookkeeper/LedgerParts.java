package org.ecstore.cluster.bookkeeper;

import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.bookkeeper.segment.Bookies;
import org.ecstore.cluster.bookkeeper.segment.Owner;
import org.ecstore.cluster.bookkeeper.segment.SegmentReads;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore;

/** Makes the part of a ledger of which a test may want another. */
class LedgerParts {
  SegmentReads reads(
      Owner owner, Bookies bookies, SegmentStore store, BookKeeperSettings settings) {
    return new SegmentReads(owner, bookies, store, settings);
  }
}
