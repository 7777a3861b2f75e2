package org.ecstore.txn.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.core.lane.Lane;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.id.Position;
import org.ecstore.replication.copy.LedgerReplay;
import org.ecstore.wire.client.KeyWrite;
import org.jspecify.annotations.Nullable;

/**
 * Reads the writes of commits from the ledger, for marks whose decision is known and whose writes
 * did not come (rule 5). After a take-over, or when a coordinator is gone, there are many of them
 * at once; each by itself would read, and hold, about the same part of the ledger. So one reading
 * at a time serves all that are there when it begins; those that come meanwhile are next.
 */
public final class CommittedWrites {
  /** A commit that is wanted, and below which no record of it is. */
  private record Wanted(Position from, Position number, Consumer<Optional<List<KeyWrite>>> taken) {}

  private final Lane lane;
  private final List<Wanted> waiting = new ArrayList<>();

  /** What the reading under way is for, by the number of the commit. */
  private final NavigableMap<Position, List<Wanted>> reading = new TreeMap<>();

  private @Nullable LedgerReplay replay;
  private boolean busy;

  public CommittedWrites(Lane lane) {
    this.lane = lane;
  }

  /**
   * Reads what a commit wrote.
   *
   * @param from no part of the commit's record is below
   * @param number of the commit, which is durable
   * @param taken given all writes of the commit; nothing if the ledger has them no more
   */
  public void fetch(Position from, Position number, Consumer<Optional<List<KeyWrite>>> taken) {
    waiting.add(new Wanted(from, number, taken));
    if (!busy) {
      busy = true;
      lane.atFlush(this::read);
    }
  }

  private void read() {
    busy = !waiting.isEmpty();
    if (busy) {
      waiting.forEach(one -> reading.computeIfAbsent(one.number, _ -> new ArrayList<>(1)).add(one));
      Position from = Collections.min(waiting.stream().map(Wanted::from).toList());
      waiting.clear();
      replay = new LedgerReplay(lane, from, reading.lastKey(), this::take, this::ended);
      replay.read();
    }
  }

  private void take(List<LedgerReplay.Placed> records, Position through, Runnable more) {
    for (LedgerReplay.Placed placed : records) {
      if (placed.record() instanceof LedgerRecord.Commit commit) {
        List<Wanted> found = reading.remove(placed.position());
        if (found != null) {
          found.forEach(one -> one.taken.accept(Optional.of(commit.writes())));
        }
      }
    }
    more.run();
  }

  /** Those whose records are trimmed go without; the others are read again. */
  private void ended(LedgerReplay.End end) {
    Position firstKept = Objects.requireNonNull(replay).firstKept();
    List<Wanted> left = reading.values().stream().flatMap(List::stream).toList();
    reading.clear();
    for (Wanted one : left) {
      if (end == LedgerReplay.End.TRIMMED && !firstKept.isAfter(one.from)) {
        waiting.add(one);
      } else {
        one.taken.accept(Optional.empty());
      }
    }
    lane.atFlush(this::read);
  }
}
