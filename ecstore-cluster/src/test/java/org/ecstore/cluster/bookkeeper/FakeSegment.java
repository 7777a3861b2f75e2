package org.ecstore.cluster.bookkeeper;

import java.util.ArrayList;
import java.util.List;
import org.apache.bookkeeper.client.api.LedgerMetadata.State;

/** What the bookies have of one segment. */
final class FakeSegment {
  private static final int DIGITS = 19;

  /** What is written of it in ZooKeeper. */
  record Meta(State state, long lastEntry) {
    boolean isClosed() {
      return state == State.CLOSED;
    }
  }

  final long id;
  final List<String> ensemble;

  /** Entries on as many bookies as must acknowledge. */
  final List<byte[]> entries = new ArrayList<>();

  /** Entries behind them, on fewer: a recovery finds some, or none. */
  final List<byte[]> minority = new ArrayList<>();

  boolean fenced;

  /** The last entry that its writer knows to be durable. */
  long acknowledged = -1;

  FakeSegment(long id, List<String> ensemble) {
    this.id = id;
    this.ensemble = ensemble;
  }

  /** With leading zeros, so that paths are in the order of ids. */
  static String path(long id) {
    String digits = Long.toString(id);
    return FakeBookKeeper.LEDGERS + "0".repeat(DIGITS - digits.length()) + digits;
  }
}
