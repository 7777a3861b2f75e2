package org.ecstore.txn.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.replication.copy.LedgerReplay;

/**
 * Reads the writes of commits from the ledger, for intents whose decision is known and whose writes
 * did not come (rule 5). After a take-over, or when a coordinator is gone, there are many of them
 * at once; each by itself would read, and hold, about the same part of the ledger. So one reading
 * serves all that are there when it begins, and those that come meanwhile are for the next. A few
 * may be under way, as one may meet a part of the ledger that cannot be read for a while.
 */
public final class CommittedWrites {
  private static final int READINGS_MAX = 3;

  /** A commit that is wanted, and below which no record of it is. */
  private record Wanted(
      Position from, Position number, Consumer<Optional<LedgerRecord.Commit>> taken) {}

  private final NodeContext context;
  private final List<Wanted> waiting = new ArrayList<>();
  private boolean asked;
  private int readings;

  public CommittedWrites(NodeContext context) {
    this.context = context;
  }

  /**
   * Reads what a commit wrote.
   *
   * @param from no part of the commit's record is below
   * @param number of the commit, which is durable
   * @param taken given the commit; nothing if the ledger has it no more
   */
  public void fetch(Position from, Position number, Consumer<Optional<LedgerRecord.Commit>> taken) {
    waiting.add(new Wanted(from, number, taken));
    readSoon();
  }

  private void readSoon() {
    if (!asked && readings < READINGS_MAX && !waiting.isEmpty()) {
      asked = true;
      context.atFlush(
          () -> {
            asked = false;
            new Reading().begin();
          });
    }
  }

  /** One reading of the ledger, for commits by their numbers. */
  private final class Reading {
    private final NavigableMap<Position, List<Wanted>> wanted = new TreeMap<>();
    private final LedgerReplay replay;

    Reading() {
      waiting.forEach(one -> wanted.computeIfAbsent(one.number, _ -> new ArrayList<>(1)).add(one));
      Position from = Collections.min(waiting.stream().map(Wanted::from).toList());
      waiting.clear();
      replay = new LedgerReplay(context, from, wanted.lastKey(), this::take, this::ended);
    }

    void begin() {
      readings++;
      replay.read();
    }

    private void take(List<LedgerReplay.Placed> records, Position through, Runnable more) {
      for (LedgerReplay.Placed placed : records) {
        if (placed.record() instanceof LedgerRecord.Commit commit) {
          List<Wanted> found = wanted.remove(placed.position());
          if (found != null) {
            found.forEach(one -> one.taken.accept(Optional.of(commit)));
          }
        }
      }
      more.run();
    }

    /** Those whose records are trimmed go without; the others are read again. */
    private void ended(LedgerReplay.End end) {
      readings--;
      for (Wanted one : wanted.values().stream().flatMap(List::stream).toList()) {
        if (end == LedgerReplay.End.TRIMMED && !replay.firstKept().isAfter(one.from)) {
          waiting.add(one);
        } else {
          one.taken.accept(Optional.empty());
        }
      }
      readSoon();
    }
  }
}
