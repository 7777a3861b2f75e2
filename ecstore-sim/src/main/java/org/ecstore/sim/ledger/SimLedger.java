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

/** The commit ledger of a simulated cluster (rules 6, 7), as all of its nodes share it. */
public interface SimLedger {
  /** Makes the ledger of a world. */
  @FunctionalInterface
  interface Factory {
    SimLedger create(World world, SwarmSettings.LedgerFaults faults);
  }

  /** What a take-over has come to, for those who want to disturb it. */
  enum TakeOverStep {
    LIST_READ,
    FENCED,
    RECOVERED,
    CREATED,
    SWAPPED
  }

  /** Every durable entry, trimmed ones too. */
  List<LedgerEntry> durable();

  /** The last durable position. */
  long end();

  /** The first position that is kept; one above the last if none is. */
  long first();

  /** While full, appends are refused for lack of room. */
  void full(boolean isFull);

  /** The writer begins a new segment. */
  void rollNow();

  /** Cuts a node off from the ledger for a while: its calls wait. */
  void cutOff(NodeId node, long nanos);

  /**
   * A node alone does not reach the ledger for a while: its calls fail, each when it has had its
   * time, as those of the real adapter do.
   */
  void outOfReach(NodeId node, long nanos);

  /** A node alone cannot read the ledger for a while, and does all else with it. */
  void unreadable(NodeId node, long nanos);

  /** Ends every cut. */
  void heal();

  /** Tells of every trim, in that very moment. */
  void onTrim(Runnable listener);

  /** Tells of every entry that becomes durable, in that very moment. */
  void onWrite(Consumer<LedgerEntry> listener);

  /** Tells of every step of a take-over, in that very moment. */
  void onTakeOver(BiConsumer<TakeOverStep, NodeId> listener);

  /** The port of one life of a node. */
  Ledger port(Life life);

  /** The end of a life: some of its appends under way still arrive. */
  void crashed(Life life);
}
