package org.ecstore.sim.node;

import java.util.List;
import org.ecstore.core.port.Engine;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;
import org.ecstore.sim.ledger.RecordedFloor;
import org.ecstore.sim.world.World;

/** An engine of one life at a node, whose calls are watched. */
public final class SimEngine implements Engine {
  /** Folds have gone past the stamp of a transfer before its last chunk was read (rule W7). */
  public static final String FILLED = "a copy is filled beside folds";

  /** What a run counts each fold as that takes versions which snapshots still need. */
  public static final String NO_ROOM = "snapshots end for want of room";

  /** Above it snapshots may end. */
  private static final double SNAPSHOTS_FILL = 0.75;

  private final World world;
  private final NodeId node;
  private final Engine engine;
  private final RecordedFloor floor;
  private final Runnable changes;

  /** Whether this life has taken rows of a transfer: what is restored before is what it had. */
  private boolean loaded;

  /**
   * The engine of one life of a node.
   *
   * @param changes told before each call that may change what it has
   */
  SimEngine(World world, NodeId node, Engine engine, RecordedFloor floor, Runnable changes) {
    this.changes = changes;
    this.world = world;
    this.node = node;
    this.engine = engine;
    this.floor = floor;
  }

  @Override
  public EngineTraits profile() {
    return engine.profile();
  }

  @Override
  public void read(long token, List<Bytes> keys, Position at, int bytesMax) {
    engine.read(token, keys, at, bytesMax);
  }

  @Override
  public void scan(long token, ScanSpec spec) {
    engine.scan(token, spec);
  }

  @Override
  public void newest(long token, List<Bytes> keys, List<KeyRange> intervals, Position above) {
    engine.newest(token, keys, intervals, above);
  }

  @Override
  public void apply(long token, EngineBatch batch) {
    changes.run();
    engine.apply(token, batch);
  }

  @Override
  public double fill() {
    return engine.fill();
  }

  @Override
  public long windowBytes() {
    return engine.windowBytes();
  }

  @Override
  public void load(long token, List<Row> rows) {
    loaded = true;
    changes.run();
    engine.load(token, rows);
  }

  @Override
  public void restore(KeyRange keys, Position folded, Position folding) {
    if (loaded && folding.isAfter(folded)) {
      world.happened(FILLED);
    }
    changes.run();
    engine.restore(keys, folded, folding);
  }

  @Override
  public void sync(long token) {
    changes.run();
    engine.sync(token);
  }

  /** Rule 14: the floor is a ledger record before anything is deleted. */
  @Override
  public void fold(long token, KeyRange keys, Position below, Position through) {
    boolean isFull = engine.fill() > SNAPSHOTS_FILL;
    if (!isFull && !floor.allows(below)) {
      world.violated(
          "versions go only below a recorded floor (rule 14)",
          node + " deletes versions below " + below + ", the ledger says " + floor);
    }
    if (through.isAfter(below)) {
      world.happened("a fold ahead of its readers");
    }
    if (!floor.allows(below)) {
      world.happened(NO_ROOM);
    }
    changes.run();
    engine.fold(token, keys, below, through);
  }

  @Override
  public void clear(long token, KeyRange keys) {
    changes.run();
    engine.clear(token, keys);
  }

  @Override
  public void middle(long token, KeyRange keys) {
    engine.middle(token, keys);
  }

  @Override
  public void size(long token, KeyRange keys) {
    engine.size(token, keys);
  }

  @Override
  public void metadata(long token) {
    engine.metadata(token);
  }
}
