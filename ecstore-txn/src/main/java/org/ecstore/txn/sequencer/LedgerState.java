package org.ecstore.txn.sequencer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.ecstore.check.Check;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.LedgerRecord.CoordinatorLife;
import org.ecstore.core.ledger.LedgerRecord.Settled;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.TxnId;

/**
 * What a sequencer must know of the ledger to go on with it: every range's epoch, the outcomes that
 * are not forgotten, the floors, the version of the catalog. A fold over the records from one that
 * the ledger still holds; what comes before the first checkpoint of a trimmed ledger says too
 * little and is passed over (rule 7). Filled by a replay, or bit by bit by a standby that tails the
 * ledger (rule 6).
 */
final class LedgerState {
  private static final int LIVES_MAX = 1_000;

  private final Map<TxnId, Settled> outcomes = new LinkedHashMap<>();

  /** Each coordinator that has committed something, so that outcomes share them. */
  private final Map<CoordinatorLife, CoordinatorLife> lives = new LinkedHashMap<>();

  private RangeMap map = RangeMap.EMPTY;
  private Position outcomeFloor = Position.ZERO;
  private Position versionFloor = Position.ZERO;
  private long catalogVersion;
  private Position lastCheckpoint = Position.ZERO;
  private Position through;
  private boolean known;

  /** Of a ledger that is read from {@code first}, the first position it still has. */
  LedgerState(Position first) {
    this.through = new Position(first.value() - 1);
    this.known = first.value() == 1;
  }

  /** Everything up to here was taken in; a reader goes on after it. */
  Position through() {
    return through;
  }

  void through(Position position) {
    Check.that(through.isAtOrBelow(position), "a fold only goes on", through, position);
    through = position;
  }

  /** Whether a checkpoint, or the very beginning, was among the records. */
  boolean known() {
    return known;
  }

  /**
   * Takes the next logical record.
   *
   * @param upToDate whether votes carry the epochs of the map as it is before this record (rule 4)
   */
  void take(Position at, LedgerRecord record, Predicate<LedgerRecord.Commit> upToDate) {
    if (record instanceof LedgerRecord.Checkpoint checkpoint) {
      known = true;
      map = checkpoint.map();
      outcomeFloor = checkpoint.outcomeFloor();
      versionFloor = checkpoint.versionFloor();
      catalogVersion = checkpoint.catalogVersion();
      // Those that were read as records say whose they are (decision 0118).
      forgetBelow(outcomeFloor);
      checkpoint.outcomes().forEach(settled -> outcomes.putIfAbsent(settled.txn(), settled));
      lastCheckpoint = at;
    } else if (known) {
      switch (record) {
        case LedgerRecord.Commit commit -> {
          Check.that(
              !outcomes.containsKey(commit.txn()) && upToDate.test(commit),
              "a record in the ledger is valid (rules 1, 4)",
              at,
              commit.txn());
          committed(commit, at);
          catalogBegins(commit.catalogVersion());
        }
        case LedgerRecord.Abort abort ->
            outcomes.putIfAbsent(abort.txn(), new Settled(abort.txn(), at, false));
        case LedgerRecord.EpochChange change -> map = map.apply(change.change());
        case LedgerRecord.VersionFloor floor -> versionFloor = floor.floor();
        case LedgerRecord.NoOp noOp -> {}
        case LedgerRecord.Checkpoint checkpoint -> {}
      }
    }
  }

  /** Rule 4: the first vote whose epoch is not the range's by all records taken. */
  Optional<RangeId> changedRange(Iterable<LedgerRecord.RangeVote> votes) {
    for (LedgerRecord.RangeVote vote : votes) {
      Optional<RangeDescriptor> range = map.range(vote.range());
      if (range.isEmpty() || !range.get().epoch().equals(vote.epoch())) {
        return Optional.of(vote.range());
      }
    }
    return Optional.empty();
  }

  RangeMap map() {
    return map;
  }

  void map(RangeMap next) {
    map = next;
  }

  /** In the order they were decided. */
  Map<TxnId, Settled> outcomes() {
    return outcomes;
  }

  void settle(Settled settled) {
    outcomes.put(settled.txn(), settled);
  }

  /** A commit is decided by its record. */
  Settled committed(LedgerRecord.Commit commit, Position at) {
    if (lives.size() >= LIVES_MAX) {
      lives.clear();
    }
    CoordinatorLife by = lives.computeIfAbsent(commit.by(), life -> life);
    Settled settled = new Settled(commit.txn(), at, true, by);
    settle(settled);
    return settled;
  }

  /** F (rule 7). */
  Position outcomeFloor() {
    return outcomeFloor;
  }

  Position versionFloor() {
    return versionFloor;
  }

  void versionFloor(Position floor) {
    versionFloor = Position.max(versionFloor, floor);
  }

  /** The newest version of the catalog by all records taken (rule 27); 0 before the first. */
  long catalogVersion() {
    return catalogVersion;
  }

  /** A commit has begun a version of the catalog; 0 if it has begun none. */
  void catalogBegins(long version) {
    if (version != 0) {
      Check.that(
          version == catalogVersion + 1,
          "versions of the catalog begin one after the other (rule 27)",
          catalogVersion,
          version);
      catalogVersion = version;
    }
  }

  Position lastCheckpoint() {
    return lastCheckpoint;
  }

  /** A checkpoint became durable: outcomes below its floor are forgotten. */
  void checkpointed(Position at, Position floor) {
    lastCheckpoint = at;
    outcomeFloor = floor;
    forgetBelow(floor);
  }

  private void forgetBelow(Position floor) {
    outcomes.values().removeIf(settled -> settled.number().value() < floor.value());
  }
}
