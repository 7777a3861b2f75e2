package org.ecstore.replication.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.view.LedgerView;

/**
 * The copies of one node, held against the map at every change of it (rules 15-17, 19).
 *
 * <p>When the map names this node as primary of a range under a new epoch, a new {@link Copy} takes
 * over base and closed position of the data that covers its keys. It serves once this incarnation
 * holds the epoch and the ledger is replayed from the closed position through the epoch record.
 * That replay settles every vote given under an older epoch: such a transaction is either in the
 * ledger below the epoch record, or will be refused by the sequencer (rule 4). So intents do not
 * pass from copy to copy.
 */
public class CopyTable {
  /** Told when copies come and go. */
  public interface Listener {
    /** The copy serves from now on. */
    void acquired(Copy copy);

    /** The copy answers nothing from now on. */
    void retired(Copy copy);

    /**
     * A following copy goes on from the ledger for a while: writes come to be readable in it that
     * no stream has brought.
     */
    void interrupted(Copy copy);

    /** Some range names an earlier incarnation of this node as primary: ask for new epochs. */
    void needsEpochs();
  }

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final EngineWriter writer;
  private final Map<RangeId, Copy> copies = new TreeMap<>();
  private final CopyReplays replays;
  private final ServingWaits waits;
  private final WriteHolds holds;
  private final Listener listener;
  private Position floor = Position.ZERO;
  private final RoomWait.Rounds folds = new RoomWait.Rounds();
  private long changes;

  /** Whether what a restart has found was held against no map yet. */
  private boolean restarted;

  private List<Returned> returned = List.of();

  /**
   * A copy that a restart has found, and that follows.
   *
   * @param primary of its range
   * @param through D, as of the map by which it follows: the ledger has what it lacks up to there
   */
  record Returned(Copy copy, NodeId primary, Position through) {}

  public CopyTable(
      NodeContext context,
      LedgerView ledgerView,
      EngineWriter writer,
      WriteHolds holds,
      Listener listener) {
    this(context, ledgerView, writer, holds, listener, LedgerReplay::new);
  }

  /** With what reads the ledger; tests that plant a bug put in their own. */
  protected CopyTable(
      NodeContext context,
      LedgerView ledgerView,
      EngineWriter writer,
      WriteHolds holds,
      Listener listener,
      LedgerReplay.Factory replays) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.writer = writer;
    this.holds = holds;
    this.listener = listener;
    this.replays = new CopyReplays(context, writer, replays, folds);
    this.waits = new ServingWaits(context);
  }

  /** Takes up what a restarted engine has noted. Called once, before any map is known. */
  public void load(List<MetadataEntry> metadata) {
    for (MetadataEntry entry : metadata) {
      if (CopyMetadata.isCopy(entry)) {
        CopyMetadata of = CopyMetadata.of(entry.value().orElseThrow());
        Copy.State state = of.epoch().equals(Epoch.ZERO) ? Copy.State.BUILT : Copy.State.WAITING;
        Copy copy = new Copy(of.id(), of.epoch(), of.keys(), state, of.base(), of.folded());
        copy.fold(of.folded());
        copy.durable(of.folded(), of.base());
        context.ports().engine().restore(of.keys(), of.folded(), of.base());
        copies.put(of.id(), copy);
        restarted = true;
      }
    }
  }

  /** What waits for copies to serve. */
  public ServingWaits waits() {
    return waits;
  }

  /** All copies, in order of range ids. */
  public List<Copy> all() {
    return List.copyOf(copies.values());
  }

  /**
   * Another number than before if since then a copy has begun or ceased to answer reads, or any
   * base was raised.
   */
  public long changes() {
    return changes;
  }

  /** The copy of a range under an epoch. */
  public Optional<Copy> find(RangeId range, Epoch epoch) {
    Copy copy = copies.get(range);
    return copy != null && copy.epoch().equals(epoch) ? Optional.of(copy) : Optional.empty();
  }

  /** Whether an epoch is of a map that is not known here yet. */
  boolean isAhead(Epoch epoch) {
    return epoch.value() > ledgerView.map().version().value();
  }

  /** Whether this very copy is still one of the node's. */
  public boolean isCurrent(Copy copy) {
    return copies.get(copy.id()) == copy;
  }

  /**
   * The closed position of a serving copy (rule 11): the least D noted with an unsettled or
   * unreadable write intent, else D.
   */
  public Position closed(Copy copy) {
    if (copy.serving()) {
      Position adopted = ledgerView.adopted().position();
      copy.close(Position.min(holds.leastNoted(copy).orElse(adopted), adopted));
    }
    return copy.closed();
  }

  /** The metadata entry that says what of a copy is in the store. */
  public MetadataEntry entry(Copy copy) {
    return new CopyMetadata(copy.id(), copy.epoch(), copy.keys(), notedBase(copy), noted(copy))
        .toEntry();
  }

  /** W1: at or above what any row may be as of; what is kept of before is only in memory. */
  @RuleSeam(14)
  protected Position notedBase(Copy copy) {
    return copy.rows();
  }

  /** W3: never how far it is closed, for the store has not got that. */
  @RuleSeam(7)
  protected Position noted(Copy copy) {
    return copy.folded();
  }

  /** Holds the copies against the map. Called after every change of the map. */
  public void reconcile() {
    RangeMap map = ledgerView.map();
    if (isOlderThanMetadata(map)) {
      return;
    }
    List<Copy> before = all();
    List<MetadataEntry> metadata = new ArrayList<>();
    List<Copy> fresh = new ArrayList<>();
    List<Copy> replaced = new ArrayList<>();
    List<KeyRange> gone = new ArrayList<>();
    for (RangeDescriptor descriptor : map.ranges()) {
      if (isHere(descriptor) && find(descriptor.id(), descriptor.epoch()).isEmpty()) {
        fresh.add(successor(descriptor, before));
      }
    }
    for (Copy old : before) {
      if (isReplaced(old, map)) {
        retire(old);
        for (KeyRange keys : notOwned(old.keys(), map)) {
          gone.addAll(withoutBuilt(keys, map));
        }
        replaced.add(old);
      }
    }
    List<MetadataEntry> emptied = new ArrayList<>();
    for (Copy copy : fresh) {
      copies.put(copy.id(), copy);
      if (copy.closed().equals(Position.ZERO)) {
        // What lies there is of a copy that no metadata entry speaks of: half built, or forgotten.
        gone.addAll(withoutBuilt(copy.keys(), map));
        emptied.add(entry(copy));
      } else {
        metadata.add(entry(copy));
      }
    }
    write(replaced, metadata);
    clear(gone);
    // After the clear, and so not durable before it: what lay there must not be taken for theirs.
    write(List.of(), emptied);
    fresh.forEach(this::begin);
    followAgain(map);
    if (restarted) {
      restarted = false;
      returned = lagging(map);
    }
    waits.wake(this::isCurrent);
  }

  private List<Returned> lagging(RangeMap map) {
    Position adopted = ledgerView.adopted().position();
    return copies.values().stream()
        .filter(copy -> copy.following() && adopted.isAfter(copy.closed()))
        .map(copy -> new Returned(copy, map.range(copy.id()).orElseThrow().primary(), adopted))
        .toList();
  }

  /**
   * The copies that a restart has found and that follow by the first map since, of those that lack
   * something; once. No stream brings them what was committed while the node was away.
   */
  List<Returned> takeReturned() {
    List<Returned> all = returned;
    returned = List.of();
    return all;
  }

  private void write(List<Copy> replaced, List<MetadataEntry> metadata) {
    if (!replaced.isEmpty() || !metadata.isEmpty()) {
      writer.replace(replaced, metadata);
    }
  }

  /**
   * After the metadata are durable: a crash between must not leave a metadata entry that speaks of
   * data that is gone (rule W4).
   */
  @RuleSeam(17)
  protected void clear(List<KeyRange> gone) {
    if (!gone.isEmpty()) {
      writer.sync(() -> {});
      gone.forEach(keys -> writer.clear(keys, () -> {}));
    }
  }

  /** After a restart a secondary's copy goes on under the epoch it had: no other is needed. */
  private void followAgain(RangeMap map) {
    for (Copy copy : copies.values()) {
      boolean follows =
          copy.state() == Copy.State.WAITING
              && map.range(copy.id())
                  .filter(range -> range.epoch().equals(copy.epoch()))
                  .filter(range -> !range.primary().equals(context.self()))
                  .isPresent();
      if (follows) {
        begin(copy);
      }
    }
  }

  /**
   * After a restart the first map that comes may be older than one this node has already acted on,
   * from a node that lags: by it, copies that are right would be dropped. An epoch is the version
   * of the map change that made it, so what the metadata have seen is known.
   */
  @RuleSeam(17)
  protected boolean isOlderThanMetadata(RangeMap map) {
    return copies.values().stream().anyMatch(copy -> copy.epoch().value() > map.version().value());
  }

  /** Whether the map has taken the range from this copy: it answers nothing from now on. */
  @RuleSeam(17)
  protected boolean isReplaced(Copy old, RangeMap map) {
    if (!old.epoch().equals(Epoch.ZERO)) {
      Optional<RangeDescriptor> now = map.range(old.id());
      return now.isEmpty() || !now.get().epoch().equals(old.epoch()) || !isHere(now.get());
    }
    // Ids are reserved in order, one join at a time: a map with this id or a later one has taken
    // the copy up, or has passed it by for ever.
    return map.ranges().stream().anyMatch(descriptor -> descriptor.id().compareTo(old.id()) >= 0);
  }

  /** Whether this node holds a copy of the range by the map. */
  private boolean isHere(RangeDescriptor descriptor) {
    return descriptor.primary().equals(context.self())
        || descriptor.secondaries().contains(context.self());
  }

  /** A copy for a descriptor, on the ground of what this node already holds of its keys. */
  private Copy successor(RangeDescriptor descriptor, List<Copy> before) {
    // What was built for this very range is newer than any copy of an earlier one. What was built
    // for another is looked at last: it was placed, and the range split since, but a crash has
    // taken back the metadata that said so. It has all through its stamp all the same.
    List<Copy> sources =
        CopyCoverage.by(
            before, copy -> isBuilt(copy) && copy.id().equals(descriptor.id()), descriptor.keys());
    if (sources.isEmpty()) {
      sources =
          CopyCoverage.by(before, copy -> !copy.epoch().equals(Epoch.ZERO), descriptor.keys());
    }
    if (sources.isEmpty()) {
      sources = CopyCoverage.by(before, CopyTable::isBuilt, descriptor.keys());
    }
    Position base = Position.ZERO;
    Position closed = Position.ZERO;
    Position folded = Position.ZERO;
    Position rows = Position.ZERO;
    Copy.State state = Copy.State.WAITING;
    if (!sources.isEmpty()) {
      closed = inherited(descriptor, sources);
      folded = sources.stream().map(Copy::folded).min(Position::compareTo).orElse(folded);
      for (Copy source : sources) {
        base = Position.max(base, source.base());
        rows = Position.max(rows, source.rows());
        state = source.state() == Copy.State.LOST ? Copy.State.LOST : state;
      }
    }
    // Nothing held: the range is filled from the first record of the ledger on. That is right for
    // the first range of all and fails as LOST where those records are trimmed.
    Copy copy =
        new Copy(descriptor.id(), descriptor.epoch(), descriptor.keys(), state, base, closed);
    copy.fold(folded);
    copy.raiseRows(rows);
    return copy;
  }

  /**
   * Rule 17: a child of a split inherits its parent's closed position; what comes of a merge is
   * closed where the least of its sources is. Its base may be above that: it is the greatest of
   * theirs, and until replay or stream have closed it there it answers nothing.
   */
  @RuleSeam(17)
  protected Position inherited(RangeDescriptor descriptor, List<Copy> sources) {
    return sources.stream()
        .map(this::closedUnderMapBefore)
        .min(Position::compareTo)
        .orElse(Position.ZERO);
  }

  /**
   * How far a copy is complete that the map has just taken the epoch from. D has grown past its
   * replacement by now, and in between the keys may have been another node's: A, then B, then A
   * again, learnt of in one step. So its own closed position ends where its map did.
   */
  @RuleSeam(17)
  protected Position closedUnderMapBefore(Copy source) {
    if (source.serving()) {
      Position last = ledgerView.lastUnderMapBefore();
      source.close(Position.min(holds.leastNoted(source).orElse(last), last));
    }
    return source.closed();
  }

  private static boolean isBuilt(Copy copy) {
    return copy.epoch().equals(Epoch.ZERO) && copy.state() != Copy.State.BUILDING;
  }

  private void retire(Copy old) {
    changes++;
    old.state(Copy.State.RETIRED);
    copies.remove(old.id());
    replays.cancel(old);
    listener.retired(old);
  }

  /** The parts of an interval that are other nodes' by the map. */
  private List<KeyRange> notOwned(KeyRange keys, RangeMap map) {
    return map.overlapping(keys).stream()
        .filter(descriptor -> !isHere(descriptor))
        .flatMap(descriptor -> descriptor.keys().intersection(keys).stream())
        .toList();
  }

  /**
   * What was built meanwhile, and is in no map yet, stays: of a restarted node the first map may be
   * one in which it still had these keys, and the next one in which it has not.
   */
  private List<KeyRange> withoutBuilt(KeyRange keys, RangeMap map) {
    List<KeyRange> left = List.of(keys);
    for (Copy copy : copies.values()) {
      if (copy.epoch().equals(Epoch.ZERO) && !isReplaced(copy, map)) {
        left =
            left.stream()
                .flatMap(part -> CopyCoverage.without(part, copy.keys()).stream())
                .toList();
      }
    }
    return left;
  }

  private void begin(Copy copy) {
    RangeDescriptor descriptor = ledgerView.map().range(copy.id()).orElseThrow();
    if (copy.state() == Copy.State.LOST) {
      return;
    }
    if (!descriptor.primary().equals(context.self())) {
      changes++;
      copy.state(Copy.State.FOLLOWING);
      copy.raiseBase(floor);
      return;
    }
    if (descriptor.primaryIncarnation() != context.incarnation()) {
      copy.state(Copy.State.WAITING);
      listener.needsEpochs();
      return;
    }
    copy.state(Copy.State.REPLAYING);
    if (mustReplay(copy)) {
      replay(copy, ledgerView.adopted().position());
    } else {
      serve(copy);
    }
  }

  /** Rule 15: the new primary serves only after it has replayed through its own epoch record. */
  @RuleSeam(15)
  protected boolean mustReplay(Copy copy) {
    return true;
  }

  private void replay(Copy copy, Position target) {
    replay(copy, target, () -> serve(copy));
  }

  private void replay(Copy copy, Position target, Runnable reached) {
    replays.start(
        copy,
        target,
        end -> {
          if (isCurrent(copy)) {
            replayed(copy, end, reached);
          }
        });
  }

  /**
   * Fills a gap of a following copy from the ledger, which has all that the stream has lost (rule
   * 11).
   *
   * @param target at or below D
   * @param reached runs when it is closed there
   */
  public void catchUp(Copy copy, Position target, Runnable reached) {
    if (!isCatchingUp(copy)) {
      listener.interrupted(copy);
      replay(copy, target, reached);
    }
  }

  /**
   * Whether the ledger has more for a copy in no map, as far as this node knows, and it has room.
   */
  boolean hasMoreToRead(Copy built) {
    return ledgerView.adopted().position().isAfter(built.closed()) && replays.takesMore(built);
  }

  /**
   * Applies to a copy in no map what the ledger has for it up to D, or until the window is half
   * full (decision 0131). It ends between two records: D is the end of one.
   *
   * @param then runs also where the ledger is trimmed above it; not once the copy is dropped
   */
  void readOn(Copy built, Runnable then) {
    replays.start(
        built,
        ledgerView.adopted().position(),
        _ -> {
          if (isCurrent(built)) {
            then.run();
          }
        });
  }

  /** A copy in no map reads nothing any more that it has not read yet. */
  void readNoMore(Copy built) {
    replays.cancel(built);
  }

  /** Whether some copy goes on from the ledger at present. */
  boolean isAnyCatchingUp() {
    return replays.isAnyRunning();
  }

  /** Whether a copy goes on from the ledger at present. */
  public boolean isCatchingUp(Copy copy) {
    return replays.isRunning(copy.id());
  }

  private void replayed(Copy copy, LedgerReplay.End end, Runnable reached) {
    switch (end) {
      case REACHED -> reached.run();
      case TRIMMED -> {
        changes++;
        copy.state(Copy.State.LOST);
        context
            .ports()
            .log()
            .warn(
                "range "
                    + copy.id()
                    + " "
                    + copy.keys()
                    + " cannot be served: the ledger is trimmed past "
                    + copy.closed()
                    + ", where this node's copy ends, and no other copy exists");
      }
    }
  }

  private void serve(Copy copy) {
    changes++;
    copy.state(Copy.State.SERVING);
    copy.raiseBase(floor);
    listener.acquired(copy);
    waits.wake(this::isCurrent);
  }

  /** Whether a range of the map waits for new epochs of this incarnation. */
  public boolean wantsEpochs() {
    return copies.values().stream().anyMatch(copy -> copy.state() == Copy.State.WAITING);
  }

  /** A copy that was filled from a source takes its place beside the others. */
  void add(Copy copy) {
    copies.put(copy.id(), copy);
  }

  /** Forgets a copy that is in no map. */
  void drop(Copy copy) {
    replays.cancel(copy);
    copies.remove(copy.id());
    copy.state(Copy.State.RETIRED);
  }

  /** Below the floor nothing is readable any more (rule 14). */
  public void raiseBases(Position recorded) {
    changes++;
    floor = Position.max(floor, recorded);
    for (Copy copy : copies.values()) {
      if (copy.folds()) {
        closed(copy);
        copy.raiseBase(floor);
      }
    }
  }

  /** How often all that could be folded was. */
  RoomWait.Rounds folds() {
    return folds;
  }

  /** There is no room for what snapshots below a position would read in a copy: they end there. */
  void endSnapshots(Copy copy, Position through) {
    changes++;
    copy.raiseBase(through);
  }
}
