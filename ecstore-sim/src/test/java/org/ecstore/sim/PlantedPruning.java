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

/** Bugs at the floor below which versions go, which the simulator must find. */
public final class PlantedPruning implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "floor-told-before-durable", new FloorToldEarly());
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
}
