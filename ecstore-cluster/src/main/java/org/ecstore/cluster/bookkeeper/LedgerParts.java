package org.ecstore.cluster.bookkeeper;

/** Makes the part of a ledger of which a test may want another. */
class LedgerParts {
  SegmentReads reads(
      Owner owner, Bookies bookies, SegmentStore store, BookKeeperSettings settings) {
    return new SegmentReads(owner, bookies, store, settings);
  }
}
