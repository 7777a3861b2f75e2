package org.ecstore.sim;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;

/** Bugs at the floors below which versions and outcomes go, which the simulator must find. */
public final class PlantedPruning implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "floor-told-before-durable", new FloorToldEarly());
    PlantSource.add(all, "outcome-floor-one-too-high", new OneTooHigh());
    PlantSource.add(all, "outcome-of-the-floor-is-forgotten", new ForgetsOneMore());
    return all;
  }

  /** Against rule 14: nodes hear of a floor that the ledger may never have. */
  private static final class FloorToldEarly extends NodeParts {
    @Override
    public Sequencer sequencer(
        NodeContext context,
        LedgerView ledgerView,
        NodeSettings settings,
        Supplier<List<Member>> members,
        Runnable activated) {
      return new Sequencer(context, ledgerView, settings.sequencer(), members, activated) {
        @Override
        protected Position toldFloor(Position appended) {
          return appended;
        }
      };
    }
  }

  /** Against rule 7: what begins at the floor counts as below it. */
  private static final class OneTooHigh extends NodeParts {
    @Override
    public Sequencer sequencer(
        NodeContext context,
        LedgerView ledgerView,
        NodeSettings settings,
        Supplier<List<Member>> members,
        Runnable activated) {
      return new Sequencer(context, ledgerView, settings.sequencer(), members, activated) {
        @Override
        protected Position outcomeFloor() {
          Position floor = super.outcomeFloor();
          return floor.equals(Position.ZERO) ? floor : floor.next();
        }
      };
    }
  }

  /** Against rule 7: one outcome more is forgotten than may be. */
  private static final class ForgetsOneMore extends NodeParts {
    @Override
    public Sequencer sequencer(
        NodeContext context,
        LedgerView ledgerView,
        NodeSettings settings,
        Supplier<List<Member>> members,
        Runnable activated) {
      return new Sequencer(context, ledgerView, settings.sequencer(), members, activated) {
        @Override
        protected Position nextOutcomeFloor(Position trim) {
          return super.nextOutcomeFloor(trim).next();
        }
      };
    }
  }
}
