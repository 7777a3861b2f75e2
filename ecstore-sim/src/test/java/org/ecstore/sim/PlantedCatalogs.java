package org.ecstore.sim;

import java.util.Map;
import java.util.TreeMap;
import org.ecstore.model.CatalogStamp;
import org.ecstore.sim.node.NodeMutation;

/** Planted bugs of what commits say of the catalog (rule 27). */
public final class PlantedCatalogs implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "catalog-is-not-checked", OnePart.sequencer(NotChecked::new));
    PlantSource.add(all, "catalog-lost-in-checkpoint", OnePart.sequencer(LostInCheckpoint::new));
    return all;
  }

  /** Against rule 27: a commit counts whatever version of the catalog it was made under. */
  private static final class NotChecked extends OnePart.Sequencing {
    NotChecked(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected boolean isUnderNewestCatalog(CatalogStamp stamp) {
      return !stamp.changes() || super.isUnderNewestCatalog(stamp);
    }
  }

  /** Against rules 7 and 27: who goes on from a checkpoint knows of no catalog. */
  private static final class LostInCheckpoint extends OnePart.Sequencing {
    LostInCheckpoint(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected long catalogForCheckpoint() {
      return 0;
    }
  }
}
