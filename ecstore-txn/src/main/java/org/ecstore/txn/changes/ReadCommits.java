package org.ecstore.txn.changes;

import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.id.Position;
import org.ecstore.model.KeyWrite;
import org.ecstore.replication.copy.LedgerReplay.Placed;

/**
 * Commits of a stretch of the ledger that was read lately: who reads the same, as readers at its
 * end do, or the rest of a large commit, need not read it again. All commits above {@link #after}
 * and up to {@link #through} are there, of whatever keys.
 */
final class ReadCommits {
  /** Of a commit beside its writes, and of a write beside its key and value. */
  private static final int OVERHEAD = 64;

  /**
   * A commit.
   *
   * @param before the position below its first part
   */
  record Kept(Position before, Position number, List<KeyWrite> writes) {}

  private final NavigableMap<Position, Kept> commits = new TreeMap<>();
  private final long bytesMax;
  private Position after;
  private Position through;
  private long bytes;
  private long usedNanos;

  /**
   * Nothing was read above a position, which is not amid a record.
   *
   * @param bytesMax what is kept; the newest commit is kept whatever it takes
   */
  ReadCommits(Position after, long bytesMax) {
    this.after = after;
    this.through = after;
    this.bytesMax = bytesMax;
  }

  /** It is of use at a moment. */
  void used(long nowNanos) {
    usedNanos = nowNanos;
  }

  long usedNanos() {
    return usedNanos;
  }

  Position through() {
    return through;
  }

  /** Whether what follows a position is here, or would be put here. */
  boolean has(Position position) {
    return after.isAtOrBelow(position) && position.isAtOrBelow(through);
  }

  /**
   * What was read above {@link #through}, and how far that goes. All of it is here until {@link
   * #shrink}. Returns what it takes, about, in bytes.
   */
  long add(List<Placed> records, Position until) {
    long had = bytes;
    for (Placed placed : records) {
      if (placed.record() instanceof LedgerRecord.Commit commit) {
        Position before = new Position(placed.first().value() - 1);
        Position number = placed.position();
        commits.put(number, new Kept(before, number, commit.writes()));
        bytes += weight(commit.writes());
      }
    }
    through = Position.max(through, until);
    return bytes - had;
  }

  /** Forgets the oldest commits of more than are kept. */
  void shrink() {
    while (bytes > bytesMax && commits.size() > 1) {
      Kept oldest = Objects.requireNonNull(commits.remove(commits.firstKey()), "it is there");
      bytes -= weight(oldest.writes());
      after = oldest.number();
    }
  }

  private static long weight(List<KeyWrite> writes) {
    long bytes = OVERHEAD;
    for (KeyWrite write : writes) {
      bytes += (long) OVERHEAD + write.key().length() + write.mutation().length();
    }
    return bytes;
  }

  /** Those above a position and up to another, in order. */
  Collection<Kept> commits(Position above, Position until) {
    return above.isAtOrBelow(until)
        ? commits.subMap(above, false, until, true).values()
        : List.of();
  }
}
