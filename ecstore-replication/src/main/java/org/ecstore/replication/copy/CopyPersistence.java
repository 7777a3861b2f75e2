package org.ecstore.replication.copy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Position;

/**
 * Makes durable, beside the data of a node's copies, how far the store has them and where their
 * bases are (rules 7, 14, W3); and notices a store with which that does not go on, because it does
 * not answer, refuses what it is told, or has no room (decision 0094).
 */
public class CopyPersistence {
  private static final long SECOND_NANOS = 1_000_000_000L;

  /** What is made durable of a copy: as it was when its metadata entry was written. */
  private record Written(Copy copy, Position folded, Position base) {
    static Written of(Copy copy) {
      return new Written(copy, copy.folded(), copy.rows());
    }
  }

  private final NodeContext context;
  private final CopyTable copies;
  private final EngineWriter writer;
  private final long stuckLooks;

  /** The fold positions that rounds have made durable, of copies that are still the node's. */
  private final Map<Copy, Position> persisted = new HashMap<>();

  private boolean running;

  /** Of the notes of how far the ledger must reach, so many are durable. */
  private long durableNotes;

  /** What is to follow a round of its own, after the one under way. */
  private Optional<Runnable> last = Optional.empty();

  /** How many calls of the engine had succeeded at the last look. */
  private long doneBefore;

  /** At so many looks in a row the same call was under way. */
  private long heldUpLooks;

  private boolean folding;

  /** Whether the last round of folds that has ended has failed. */
  private boolean foldsFail;

  /** At so many looks in a row the last round of folds had failed. */
  private long foldLooks;

  /** When a look last found nothing of that. */
  private long wellNanos;

  private boolean stuck;

  /**
   * What makes the positions of a node's copies durable.
   *
   * @param stuckLooks so often in a row {@link #look} finds that nothing goes on before the store
   *     counts as stuck
   */
  public CopyPersistence(
      NodeContext context, CopyTable copies, EngineWriter writer, long stuckLooks) {
    this.context = context;
    this.copies = copies;
    this.writer = writer;
    this.stuckLooks = stuckLooks;
    this.wellNanos = context.nanos();
  }

  /**
   * Looks whether the store does what it is told; called at intervals of one length. The looks are
   * counted, not the time: a clock that jumps says nothing of a store.
   */
  public void look() {
    boolean isSame = writer.isHeldUp() && writer.done() == doneBefore;
    doneBefore = writer.done();
    heldUpLooks = isSame ? heldUpLooks + 1 : 0;
    if (!folding) {
      foldLooks = foldsFail ? foldLooks + 1 : 0;
    }
    long looks = Math.max(heldUpLooks, foldLooks);
    boolean isStuck = isLong(looks);
    if (isStuck && !stuck) {
      context
          .ports()
          .log()
          .warn(
              "the store of this node's engine does nothing of what it is told, for "
                  + seconds()
                  + " s ("
                  + why()
                  + "): other nodes serve its ranges, and get its copies if it stays so. Start the"
                  + " store again, or make room for it: then the node goes on by itself");
    } else if (stuck && !isStuck) {
      context
          .ports()
          .log()
          .info("the store of this node's engine goes on, after " + seconds() + " s");
    }
    stuck = isStuck;
    wellNanos = looks == 0 ? context.nanos() : wellNanos;
  }

  /** Decision 0094: a store that has done nothing for so many looks is not waited for. */
  @RuleSeam(decisions = 94)
  protected boolean isLong(long looks) {
    return looks >= stuckLooks;
  }

  /** Whether the store has done nothing of what it was told for long. */
  public boolean isStuck() {
    return stuck;
  }

  /** For how many seconds it has done nothing, one at the least; 0 if it is not stuck. */
  public long stuckSeconds() {
    return stuck ? Math.max(1, seconds()) : 0;
  }

  private long seconds() {
    return (context.nanos() - wellNanos) / SECOND_NANOS;
  }

  private String why() {
    return writer.trouble().orElse(foldsFail ? "folds fail" : "it does not answer");
  }

  /** Why the store takes no writes at present, for people, if it takes none. */
  public Optional<String> trouble() {
    return stuck
        ? Optional.of(
            "%s, for %d s: start the store again, or make room for it"
                .formatted(why(), stuckSeconds()))
        : writer.trouble();
  }

  /** A round of folds begins, which may take long: until it has ended it says nothing. */
  void folds() {
    folding = true;
  }

  /** A round of folds has ended. */
  void folded(boolean failed) {
    folding = false;
    foldsFail = failed;
  }

  /**
   * Makes fold positions durable in the engine (rule 7), and how far the ledger must reach, then
   * runs the action. One round at a time.
   */
  public void persist(Runnable then) {
    if (running) {
      return;
    }
    persisted.keySet().removeIf(copy -> !copies.isCurrent(copy));
    List<Copy> changed = copies.all().stream().filter(this::hasGrown).toList();
    writer.note();
    long notes = writer.notes();
    if (changed.isEmpty() && notes == durableNotes) {
      then.run();
      return;
    }
    running = true;
    List<Written> written = write(changed);
    writer.sync(
        () -> {
          running = false;
          durableNotes = notes;
          written.stream().filter(one -> copies.isCurrent(one.copy())).forEach(this::persisted);
          then.run();
          Optional<Runnable> next = last;
          last = Optional.empty();
          next.ifPresent(this::persist);
        });
  }

  /** As {@link #persist}, after the round under way: all that is folded by now is durable then. */
  public void persistLast(Runnable then) {
    if (running) {
      last = Optional.of(then);
    } else {
      persist(then);
    }
  }

  private boolean hasGrown(Copy copy) {
    boolean stable = copy.live() || copy.state() == Copy.State.REPLAYING;
    return stable && copy.folded().isAfter(persisted.getOrDefault(copy, Position.ZERO));
  }

  private void persisted(Written one) {
    one.copy().durable(one.folded(), one.base());
    persisted.put(one.copy(), one.folded());
  }

  /**
   * Makes durable from where on copies that are folded answer after a restart (rules 14, W1), then
   * runs the action.
   */
  void persistBases(Runnable then) {
    List<Written> written = write(copies.all().stream().filter(Copy::folds).toList());
    writer.sync(
        () -> {
          written.forEach(one -> one.copy().durable(Position.ZERO, one.base()));
          then.run();
        });
  }

  private List<Written> write(List<Copy> some) {
    List<MetadataEntry> entries = new ArrayList<>();
    List<Written> written = new ArrayList<>();
    for (Copy copy : some) {
      entries.add(copies.entry(copy));
      written.add(Written.of(copy));
    }
    writer.apply(List.of(), entries, () -> {});
    return List.copyOf(written);
  }
}
