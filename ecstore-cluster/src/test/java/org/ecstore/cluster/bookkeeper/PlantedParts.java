package org.ecstore.cluster.bookkeeper;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.bookkeeper.segment.Bookies;
import org.ecstore.cluster.bookkeeper.segment.Owner;
import org.ecstore.cluster.bookkeeper.segment.SegmentList.Segment;
import org.ecstore.cluster.bookkeeper.segment.SegmentReads;
import org.ecstore.cluster.bookkeeper.segment.SegmentStore;
import org.ecstore.core.port.Ledger.LedgerEntry;

/** Bugs of the adapter that the simulator must find: each breaks one promise in one place. */
final class PlantedParts {
  private PlantedParts() {}

  static Map<String, Supplier<LedgerParts>> all() {
    Map<String, Supplier<LedgerParts>> all = new TreeMap<>();
    all.put("segment-seen-as-open-is-skipped", SkipsWhatIsNotSeenAsClosed::new);
    all.put("end-of-the-process", EndOfTheProcess::new);
    all.put("gap-in-what-is-held", GapInWhatIsHeld::new);
    return all;
  }

  /** Against rule 6: what is not seen to be in a segment is looked for in the next. */
  private static final class SkipsWhatIsNotSeenAsClosed extends LedgerParts {
    @Override
    SegmentReads reads(
        Owner owner, Bookies bookies, SegmentStore store, BookKeeperSettings settings) {
      return new SegmentReads(owner, bookies, store, settings) {
        @Override
        public boolean isPast(long next, Segment following) {
          return true;
        }
      };
    }
  }

  /** Against the port: an answer names the end that the process knows, not what the read saw. */
  private static final class EndOfTheProcess extends LedgerParts {
    @Override
    SegmentReads reads(
        Owner owner, Bookies bookies, SegmentStore store, BookKeeperSettings settings) {
      return new SegmentReads(owner, bookies, store, settings) {
        private long known;

        @Override
        public void appended(long ledger, long entry, long position) {
          super.appended(ledger, entry, position);
          known = Math.max(known, position);
        }

        @Override
        public long said(long seen) {
          known = Math.max(known, seen);
          return known;
        }

        @Override
        public boolean isForAll() {
          return true;
        }
      };
    }
  }

  /** Against rule 6: of what was read ahead the next entry is handed over, whatever it follows. */
  private static final class GapInWhatIsHeld extends LedgerParts {
    @Override
    SegmentReads reads(
        Owner owner, Bookies bookies, SegmentStore store, BookKeeperSettings settings) {
      return new SegmentReads(owner, bookies, store, settings) {
        @Override
        public boolean follows(LedgerEntry entry, long next) {
          return true;
        }
      };
    }
  }
}
