package org.ecstore.sim.ledger;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.id.NodeId;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * A ledger whose services and whose ways to them are both simulated: segments in a list that is
 * changed by compare-and-set. Each life of a node has its own way to it, a {@link SegmentedLedger},
 * which takes it over, appends, rolls and trims in steps; each step takes a while and may fail half
 * done.
 */
public final class SteppedLedger implements SimLedger {
  /** Makes the way of one life to the ledger. */
  public interface Adapters {
    SegmentedLedger create(SimSegments store, Life life);
  }

  private final SimSegments store;
  private final Adapters adapters;

  public SteppedLedger(World world, SwarmSettings.LedgerFaults faults) {
    this(world, faults, SegmentedLedger::new);
  }

  public SteppedLedger(World world, SwarmSettings.LedgerFaults faults, Adapters adapters) {
    this.store = new SimSegments(world, faults);
    this.adapters = adapters;
  }

  @Override
  public List<LedgerEntry> durable() {
    return store.durable();
  }

  @Override
  public long end() {
    return store.end();
  }

  @Override
  public long first() {
    return store.first();
  }

  @Override
  public void full(boolean isFull) {
    store.full(isFull);
  }

  @Override
  public void rollNow() {
    store.rollNow();
  }

  @Override
  public void cutOff(NodeId node, long nanos) {
    store.cutOff(node, nanos);
  }

  @Override
  public void outOfReach(NodeId node, long nanos) {
    store.outOfReach(node, nanos);
  }

  @Override
  public void unreadable(NodeId node, long nanos) {
    store.unreadable(node, nanos);
  }

  @Override
  public void heal() {
    store.heal();
  }

  @Override
  public void onTrim(Runnable listener) {
    store.onTrim(listener);
  }

  @Override
  public void onWrite(Consumer<LedgerEntry> listener) {
    store.onWrite(listener);
  }

  @Override
  public void onTakeOver(BiConsumer<TakeOverStep, NodeId> listener) {
    store.onTakeOver(listener);
  }

  @Override
  public Ledger port(Life life) {
    SegmentedLedger port = adapters.create(store, life);
    store.add(port);
    return port;
  }

  @Override
  public void crashed(Life life) {
    store.crashed(life);
  }
}
