package org.ecstore.replication.copy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.id.Position;

/**
 * Makes durable, beside the data of a node's copies, how far the store has them and where their
 * bases are (rules 7, 14, W3).
 */
public final class CopyPersistence {
  /** What is made durable of a copy: as it was when its metadata entry was written. */
  private record Written(Copy copy, Position folded, Position base) {
    static Written of(Copy copy) {
      return new Written(copy, copy.folded(), copy.rows());
    }
  }

  private final CopyTable copies;
  private final EngineWriter writer;

  /** The fold positions that rounds have made durable, of copies that are still the node's. */
  private final Map<Copy, Position> persisted = new HashMap<>();

  private boolean running;

  /** Of the notes of how far the ledger must reach, so many are durable. */
  private long durableNotes;

  /** What is to follow a round of its own, after the one under way. */
  private Optional<Runnable> last = Optional.empty();

  public CopyPersistence(CopyTable copies, EngineWriter writer) {
    this.copies = copies;
    this.writer = writer;
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
