package org.ecstore.replication.copy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.id.Position;

/**
 * Makes durable, beside the data of a node's copies, how far they are closed and where their bases
 * are (rules 7, 14).
 */
public final class CopyPersistence {
  /** What is made durable of a copy: as it was when its metadata entry was written. */
  private record Written(Copy copy, Position closed, Position base) {
    static Written of(Copy copy) {
      return new Written(copy, copy.closed(), copy.base());
    }
  }

  private final CopyTable copies;
  private final EngineWriter writer;

  /** The closed positions that rounds have made durable, of copies that are still the node's. */
  private final Map<Copy, Position> persisted = new HashMap<>();

  private boolean running;

  public CopyPersistence(CopyTable copies, EngineWriter writer) {
    this.copies = copies;
    this.writer = writer;
  }

  /**
   * Makes closed positions durable in the engine (rule 7), then runs the action. One round at a
   * time.
   */
  public void persist(Runnable then) {
    if (running) {
      return;
    }
    persisted.keySet().removeIf(copy -> !copies.isCurrent(copy));
    List<Copy> changed = copies.all().stream().filter(this::hasGrown).toList();
    if (changed.isEmpty()) {
      then.run();
      return;
    }
    running = true;
    List<Written> written = write(changed);
    writer.sync(
        () -> {
          running = false;
          written.stream().filter(one -> copies.isCurrent(one.copy())).forEach(this::persisted);
          then.run();
        });
  }

  private boolean hasGrown(Copy copy) {
    boolean stable = copy.live() || copy.state() == Copy.State.REPLAYING;
    return stable && copies.closed(copy).isAfter(persisted.getOrDefault(copy, Position.ZERO));
  }

  private void persisted(Written one) {
    one.copy().durable(one.closed(), one.base());
    persisted.put(one.copy(), one.closed());
  }

  /**
   * Makes the bases of copies that answer reads durable (rule 14), then runs the action: a restart
   * would otherwise answer below them.
   */
  void persistBases(Runnable then) {
    List<Written> written = write(copies.all().stream().filter(Copy::live).toList());
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
