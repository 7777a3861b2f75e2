package org.ecstore.sim;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.model.CatalogStamp;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;

/** Planted bugs of what commits say of the catalog (rule 27). */
public final class PlantedCatalogs implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "catalog-is-not-checked", new NotChecked());
    PlantSource.add(all, "catalog-lost-in-checkpoint", new LostInCheckpoint());
    return all;
  }

  /** Against rule 27: a commit counts whatever version of the catalog it was made under. */
  private static final class NotChecked extends NodeParts {
    @Override
    public Sequencer sequencer(
        NodeContext context,
        LedgerView ledgerView,
        NodeSettings settings,
        Supplier<List<Member>> members,
        Runnable activated) {
      return new Sequencer(context, ledgerView, settings.sequencer(), members, activated) {
        @Override
        protected boolean isUnderNewestCatalog(CatalogStamp stamp) {
          return !stamp.changes() || super.isUnderNewestCatalog(stamp);
        }
      };
    }
  }

  /** Against rules 7 and 27: who goes on from a checkpoint knows of no catalog. */
  private static final class LostInCheckpoint extends NodeParts {
    @Override
    public Sequencer sequencer(
        NodeContext context,
        LedgerView ledgerView,
        NodeSettings settings,
        Supplier<List<Member>> members,
        Runnable activated) {
      return new Sequencer(context, ledgerView, settings.sequencer(), members, activated) {
        @Override
        protected long catalogForCheckpoint() {
          return 0;
        }
      };
    }
  }
}
