package org.ecstore.sim;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.id.NodeId;
import org.ecstore.sim.SegmentStore.TakeOverStep;

/**
 * The commit ledger of a simulated cluster (rules 6, 7): segments in a list that is changed by
 * compare-and-set. Each life of a node has its own way to it, a {@link SegmentedLedger}, which
 * takes it over, appends, rolls and trims in steps; each step takes a while and may fail half done.
 */
public final class SimLedger {
  /** Makes the way of one life to the ledger. */
  interface Adapters {
    SegmentedLedger create(SegmentStore store, Life life);
  }

  private final SegmentStore store;
  private final Adapters adapters;

  public SimLedger(World world, SwarmSettings.LedgerFaults faults) {
    this(world, faults, SegmentedLedger::new);
  }

  SimLedger(World world, SwarmSettings.LedgerFaults faults, Adapters adapters) {
    this.store = new SegmentStore(world, faults);
    this.adapters = adapters;
  }

  /** Every durable entry, trimmed ones too. */
  public List<LedgerEntry> durable() {
    return store.durable();
  }

  /** The last durable position. */
  public long end() {
    return store.end();
  }

  /** While full, appends are refused for lack of room. */
  public void full(boolean isFull) {
    store.full(isFull);
  }

  /** Whoever writes begins a new segment. */
  void rollNow() {
    store.rollNow();
  }

  /** Cuts a node off from the ledger for a while. */
  void cutOff(NodeId node, long nanos) {
    store.cutOff(node, nanos);
  }

  /** Ends every cut. */
  void mend() {
    store.mend();
  }

  /** Tells of every trim, in that very moment. */
  void onTrim(Runnable listener) {
    store.onTrim(listener);
  }

  /** Tells of every entry that becomes durable, in that very moment. */
  void onWrite(Consumer<LedgerEntry> listener) {
    store.onWrite(listener);
  }

  /** Tells of every step of a take-over, in that very moment. */
  void onTakeOver(BiConsumer<TakeOverStep, NodeId> listener) {
    store.onTakeOver(listener);
  }

  /** The port of one life of a node. */
  public Ledger port(Life life) {
    SegmentedLedger port = adapters.create(store, life);
    store.add(port);
    return port;
  }

  /** The end of a life: some of its appends under way still arrive. */
  public void crashed(Life life) {
    store.crashed(life);
  }
}
