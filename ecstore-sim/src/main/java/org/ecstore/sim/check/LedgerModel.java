package org.ecstore.sim.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.RecordAssembler;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.port.Ledger;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Row;
import org.jspecify.annotations.Nullable;

/**
 * What the durable ledger says, by the rules alone (1, 4, 15): which transactions are committed,
 * every version of every key, and the map at every position. Written apart from the nodes' own
 * replay, to be compared with it: what writes make of values and changes of the map is found anew.
 * Only how records are decoded, and put together of parts, is the nodes'. It reads the whole
 * ledger, trimmed or not.
 */
public final class LedgerModel {
  /** What decided a transaction. */
  public record Decision(long number, boolean committed, LedgerRecord record) {}

  /**
   * A checkpoint forgets more than those before it.
   *
   * @param next the position that comes after all of which it knows
   * @param versionFloor as recorded before it
   */
  private record FloorRaise(long next, long versionFloor) {}

  /** Records that a checkpoint and the floors take themselves. */
  private static final int CHECKPOINT_SLACK = 4;

  private final List<Finding> findings = new ArrayList<>();
  private final RecordAssembler assembler = new RecordAssembler();
  private final Map<TxnId, Decision> decisions = new TreeMap<>();
  private final TreeMap<Bytes, TreeMap<Long, Optional<Bytes>>> versions = new TreeMap<>();
  private final TreeMap<Long, RangeMap> maps = new TreeMap<>();
  private final TreeMap<Long, LedgerRecord.Commit> commits = new TreeMap<>();
  private final TreeMap<Long, Long> beginnings = new TreeMap<>();
  private final TreeMap<Long, Long> catalogs = new TreeMap<>();

  /** What is decided, by number. */
  private final TreeMap<Long, TxnId> decided = new TreeMap<>();

  /** Where checkpoints have raised the outcome floor, by the floors. */
  private final TreeMap<Long, FloorRaise> outcomeFloors = new TreeMap<>();

  private RangeMap map = RangeMap.EMPTY;

  /** The ranges of the map, in order, by the changes alone. */
  private List<RangeDescriptor> ranges = List.of();

  private long versionFloor;
  private int entriesRead;
  private long end;
  private long voidCommits;
  private long lastCheckpoint;
  private int outcomesInCheckpoint;

  public LedgerModel() {
    maps.put(0L, RangeMap.EMPTY);
    catalogs.put(0L, 0L);
  }

  /** Takes in what has been appended since the last call. */
  public void catchUp(List<Ledger.LedgerEntry> durable) {
    while (entriesRead < durable.size()) {
      Ledger.LedgerEntry entry = durable.get(entriesRead++);
      long position = entry.first().value();
      for (Bytes raw : entry.records()) {
        Optional<RecordAssembler.Assembled> whole = assembler.feed(new Position(position), raw);
        if (whole.isPresent()) {
          take(position, whole.get().record());
        }
        end = position++;
      }
    }
  }

  /**
   * What is wrong if no checkpoint was written for long, though nothing holds one back.
   *
   * @param atRest where the ledger ended when the last client had stopped
   * @param records from one checkpoint to the next
   */
  public Optional<Finding> checkpointFollows(long atRest, long records) {
    long outcomes = outcomesInCheckpoint + Math.max(0, atRest - lastCheckpoint);
    long step = Math.max(records, outcomes / 4) + CHECKPOINT_SLACK;
    return lastCheckpoint + step >= atRest
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "checkpoints follow (rule 7)",
                "the last is at " + lastCheckpoint + ", the ledger was at " + atRest));
  }

  private void take(long position, LedgerRecord record) {
    switch (record) {
      case LedgerRecord.Commit commit -> commit(position, commit);
      case LedgerRecord.Abort abort -> decide(abort.txn(), new Decision(position, false, abort));
      case LedgerRecord.EpochChange epochChange -> change(position, epochChange.change());
      case LedgerRecord.Checkpoint checkpoint -> {
        if (!checkpoint.map().equals(map)) {
          found(
              "a checkpoint holds the map as of its place (rule 7)",
              "at " + position + " it holds " + checkpoint.map() + ", the records say " + map);
        }
        if (checkpoint.catalogVersion() != catalogs.lastEntry().getValue()) {
          found(
              "a checkpoint holds the version of the catalog as of its place (rules 7, 27)",
              "at %d it holds %d, the records say %d"
                  .formatted(
                      position, checkpoint.catalogVersion(), catalogs.lastEntry().getValue()));
        }
        checkpoint.outcomes().forEach(settled -> checkSettled(position, settled));
        checkFloor(position, checkpoint);
        lastCheckpoint = position;
        outcomesInCheckpoint = checkpoint.outcomes().size();
      }
      case LedgerRecord.NoOp noOp -> {}
      case LedgerRecord.VersionFloor floor ->
          versionFloor = Math.max(versionFloor, floor.floor().value());
    }
  }

  private void decide(TxnId txn, Decision decision) {
    if (decisions.putIfAbsent(txn, decision) == null) {
      decided.put(decision.number(), txn);
    }
  }

  private void checkFloor(long position, LedgerRecord.Checkpoint checkpoint) {
    long floor = checkpoint.outcomeFloor().value();
    long before = outcomeFloors.isEmpty() ? 0 : outcomeFloors.lastKey();
    if (floor < before) {
      found(
          "the outcome floor never goes back (rule 7)",
          "at %d it is %d, it was %d".formatted(position, floor, before));
    } else if (floor > before) {
      long next = assembler.completedFrom().value();
      outcomeFloors.put(floor, new FloorRaise(next, versionFloor));
    }
    Set<TxnId> kept = new HashSet<>();
    checkpoint.outcomes().forEach(settled -> kept.add(settled.txn()));
    decided
        .tailMap(floor)
        .forEach(
            (number, txn) -> {
              if (!kept.contains(txn)) {
                found(
                    "a checkpoint holds every outcome from its floor on (rule 7)",
                    "at %d, of floor %d, it lacks %s of %d"
                        .formatted(position, floor, txn, number));
              }
            });
  }

  private void checkSettled(long position, LedgerRecord.Settled settled) {
    Decision known = decisions.get(settled.txn());
    if (known == null
        || known.number() != settled.number().value()
        || known.committed() != settled.committed()) {
      found(
          "a checkpoint holds true outcomes (rule 7)",
          "at " + position + " it says " + settled + ", the records say " + known);
    }
  }

  private void commit(long position, LedgerRecord.Commit commit) {
    if (decisions.containsKey(commit.txn())) {
      voidCommits++;
      return;
    }
    for (LedgerRecord.RangeVote vote : commit.votes()) {
      Optional<RangeDescriptor> range = range(vote.range());
      if (range.isEmpty() || !range.get().epoch().equals(vote.epoch())) {
        voidCommits++;
        return;
      }
    }
    for (KeyWrite write : commit.writes()) {
      Optional<RangeDescriptor> range =
          ranges.stream().filter(one -> one.keys().contains(write.key())).findFirst();
      if (range.isEmpty()
          || commit.votes().stream().noneMatch(vote -> vote.range().equals(range.get().id()))) {
        found(
            "every range written has voted (rule 1)",
            "commit " + position + " of " + commit.txn() + " writes " + write.key());
      }
    }
    if (commit.catalogVersion() != 0) {
      if (commit.catalogVersion() != catalogs.lastEntry().getValue() + 1) {
        found(
            "versions of the catalog begin one after the other (rule 27)",
            "at %d begins %d after %d"
                .formatted(position, commit.catalogVersion(), catalogs.lastEntry().getValue()));
      }
      catalogs.put(position, commit.catalogVersion());
    }
    decide(commit.txn(), new Decision(position, true, commit));
    commits.put(position, commit);
    beginnings.put(position, assembler.completedFrom().value());
    for (KeyWrite write : commit.writes()) {
      TreeMap<Long, Optional<Bytes>> history =
          versions.computeIfAbsent(write.key(), k -> new TreeMap<>());
      Optional<Bytes> before =
          history.isEmpty() ? Optional.empty() : history.lastEntry().getValue();
      history.put(position, ValueByHand.after(before, write.mutation()));
    }
  }

  private void change(long position, MapChange change) {
    if (change.version().isAtOrBelow(map.version())) {
      return;
    }
    if (!change.version().equals(map.version().next())) {
      found(
          "map changes are recorded in order (rule 15)",
          "at " + position + " comes " + change + " after version " + map.version());
      return;
    }
    for (RangeDescriptor placed : change.placed()) {
      Optional<RangeDescriptor> before = range(placed.id());
      if (before.isPresent() && !placed.epoch().isAfter(before.get().epoch())) {
        found("epochs only grow", "at " + position + ": " + before.get() + " becomes " + placed);
      }
    }
    List<RangeDescriptor> next = new ArrayList<>(ranges);
    next.removeIf(range -> change.retired().contains(range.id()));
    next.addAll(change.placed());
    next.sort(Comparator.comparing(range -> range.keys().start()));
    if (!isTiled(next)) {
      found("each key is in one range (rule 15)", "at %d of %s".formatted(position, next));
      return;
    }
    ranges = next;
    map = map.apply(change);
    maps.put(position, map);
    if (!map.ranges().equals(ranges)) {
      found(
          "a change of the map retires and places what it says (rule 15)",
          "at %d %s makes %s, should be %s".formatted(position, change, map, ranges));
    }
  }

  private Optional<RangeDescriptor> range(RangeId id) {
    return ranges.stream().filter(range -> range.id().equals(id)).findFirst();
  }

  private static boolean isTiled(List<RangeDescriptor> inOrder) {
    Optional<Bytes> next = Optional.of(Bytes.EMPTY);
    for (RangeDescriptor range : inOrder) {
      if (!next.equals(Optional.of(range.keys().start()))) {
        return false;
      }
      next = range.keys().end();
    }
    return next.isEmpty();
  }

  private void found(String rule, String detail) {
    findings.add(new Finding(rule, detail));
  }

  /** What the ledger itself breaks. */
  public List<Finding> findings() {
    return findings;
  }

  /** The last durable position taken in. */
  public long end() {
    return end;
  }

  /** The map as of the end. */
  public RangeMap map() {
    return map;
  }

  /** The map as of a position. */
  public RangeMap mapAt(long position) {
    return maps.floorEntry(position).getValue();
  }

  /** The maps from one on, in order. */
  public List<RangeMap> mapsSince(MapVersion version) {
    return maps.values().stream().filter(one -> one.version().value() >= version.value()).toList();
  }

  /** The version of the catalog by all records below a position. */
  public long catalogBefore(long position) {
    return catalogs.lowerEntry(position).getValue();
  }

  /** M as of a position. */
  public MapVersion mapVersionAt(long position) {
    return mapAt(position).version();
  }

  /** F of each checkpoint that has raised it. */
  public NavigableSet<Long> outcomeFloors() {
    return outcomeFloors.navigableKeySet();
  }

  /**
   * Outcomes that were forgotten too soon: F stays low enough for every snapshot in use, and for so
   * many outcomes, as far as that keeps them within their bound (rule 7).
   *
   * @param kept outcomes that are remembered in any case
   * @param most outcomes that may be remembered
   */
  public List<Finding> forgottenTooSoon(long kept, long most) {
    List<Finding> found = new ArrayList<>();
    outcomeFloors.forEach(
        (floor, raise) -> {
          long wanted = Math.min(raise.versionFloor(), raise.next() - kept);
          if (floor > Math.max(wanted, raise.next() - most / 2)) {
            found.add(
                new Finding(
                    "outcomes are kept as long as was said (rule 7)",
                    "F is %d at %d, where the version floor is %d, and %d are kept of %d"
                        .formatted(floor, raise.next(), raise.versionFloor(), kept, most)));
          }
        });
    return found;
  }

  /** What decided a transaction; null if nothing has. */
  public @Nullable Decision decision(TxnId txn) {
    return decisions.get(txn);
  }

  /** Commit records that counted for nothing: of decided transactions, or with old epochs. */
  public long voidCommits() {
    return voidCommits;
  }

  /** The commits above a position and up to another, by number. */
  public NavigableMap<Long, LedgerRecord.Commit> commits(long after, long through) {
    return commits.subMap(after, false, Math.max(after, through), true);
  }

  /** Where the first part of a commit is. */
  public long beginningOf(long number) {
    return beginnings.getOrDefault(number, number);
  }

  /** Every key that has ever been written. */
  public Iterable<Bytes> keys() {
    return versions.keySet();
  }

  /** A key as of a position. */
  public Optional<Row> read(Bytes key, long position) {
    NavigableMap<Long, Optional<Bytes>> history = versions.get(key);
    Map.Entry<Long, Optional<Bytes>> entry = history == null ? null : history.floorEntry(position);
    if (entry == null || entry.getValue().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Row(key, new Position(entry.getKey()), entry.getValue().get()));
  }

  /** The rows of an interval as of a position, in ascending order. */
  public List<Row> scan(KeyRange interval, long position) {
    List<Row> rows = new ArrayList<>();
    keysOf(interval).forEach(key -> read(key, position).ifPresent(rows::add));
    return rows;
  }

  /** Whether a key was so, a row or none, at some position from one through another. */
  public boolean was(Bytes key, Optional<Row> row, long from, long through) {
    NavigableMap<Long, Optional<Bytes>> history = versions.get(key);
    return read(key, from).equals(row)
        || (history != null
            && history.subMap(from, false, through, true).keySet().stream()
                .anyMatch(version -> read(key, version).equals(row)));
  }

  /** The keys of an interval that have ever been written, in ascending order. */
  public List<Bytes> keysOf(KeyRange interval) {
    List<Bytes> keys = new ArrayList<>();
    for (Bytes key : versions.tailMap(interval.start(), true).keySet()) {
      if (!interval.isBelowEnd(key)) {
        break;
      }
      keys.add(key);
    }
    return keys;
  }

  /** The last version of a key at or below a position, deletions too; 0 if there is none. */
  public long lastChange(Bytes key, long position) {
    NavigableMap<Long, Optional<Bytes>> history = versions.get(key);
    Long found = history == null ? null : history.floorKey(position);
    return found == null ? 0 : found;
  }

  /** The first version of a key strictly between two positions; 0 if there is none. */
  public long versionBetween(Bytes key, long above, long below) {
    NavigableMap<Long, Optional<Bytes>> history = versions.get(key);
    Long found = history == null ? null : history.higherKey(above);
    return found != null && found < below ? found : 0;
  }

  /** A key of an interval with a version strictly between two positions; null if there is none. */
  public @Nullable Bytes keyChangedBetween(KeyRange interval, long above, long below) {
    for (Bytes key : versions.tailMap(interval.start(), true).keySet()) {
      if (!interval.isBelowEnd(key)) {
        return null;
      }
      if (versionBetween(key, above, below) != 0) {
        return key;
      }
    }
    return null;
  }
}
