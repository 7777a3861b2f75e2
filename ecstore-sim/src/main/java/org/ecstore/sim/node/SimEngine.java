package org.ecstore.sim.node;

import java.util.List;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineProfile;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.sim.ledger.RecordedFloor;
import org.ecstore.sim.world.World;

/** An engine of one life at a node, whose calls are watched and paced. */
final class SimEngine implements Engine {
  private final World world;
  private final NodeId node;
  private final Engine engine;
  private final EnginePace pace;
  private final RecordedFloor floor;

  SimEngine(World world, NodeId node, Engine engine, EnginePace pace, RecordedFloor floor) {
    this.world = world;
    this.node = node;
    this.engine = engine;
    this.pace = pace;
    this.floor = floor;
  }

  @Override
  public EngineProfile profile() {
    return engine.profile();
  }

  @Override
  public void read(long token, List<Bytes> keys, Position at, int bytesMax) {
    pace.read(() -> engine.read(token, keys, at, bytesMax));
  }

  @Override
  public void scan(long token, ScanSpec spec) {
    pace.read(() -> engine.scan(token, spec));
  }

  @Override
  public void newest(long token, List<Bytes> keys, List<KeyRange> intervals, Position above) {
    pace.read(() -> engine.newest(token, keys, intervals, above));
  }

  @Override
  public void apply(long token, EngineBatch batch) {
    engine.apply(token, batch);
  }

  @Override
  public void sync(long token) {
    engine.sync(token);
  }

  /** Rule 14: the floor is a ledger record before anything is deleted. */
  @Override
  public void prune(long token, KeyRange keys, Position below, Position tombstones) {
    if (!floor.allows(below)) {
      world.violated(
          "versions go only below a recorded floor (rule 14)",
          node + " deletes versions below " + below + ", the ledger says " + floor);
    }
    pace.prune(() -> engine.prune(token, keys, below, tombstones));
  }

  @Override
  public void clear(long token, KeyRange keys) {
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
