package org.ecstore.sim;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.model.EngineTraits;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;

/** Bugs of placement by kind and of stores that forget (rules 7, 23, W10). */
public final class PlantedKinds implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "volatile-promoted", new PromotesVolatile());
    PlantSource.add(all, "kind-need-ignored", new IgnoresKinds());
    PlantSource.add(all, "trim-counts-volatile", OnePart.sequencer(CountsVolatile::new));
    PlantSource.add(all, "placed-in-memory-is-overtaken", new OvertakesPlaced());
    PlantSource.add(all, "unfit-node-keeps-its-place", new KeepsUnfit());
    NodeMutation right = NodeMutation.RIGHT;
    String absent = "empty-store-answers-absent";
    all.put(
        absent,
        new NodeMutation(
            absent, right.nodes(), right.behaviour(), right.ledger(), right.engine(), false));
    return all;
  }

  /** Against rule 23: a copy that its server may forget becomes the primary's. */
  private static final class PromotesVolatile extends NodeParts {
    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      return new Steward(context, sequencer, members, settings.steward(), settings.balance()) {
        @Override
        protected boolean isPromotable(EngineTraits engine) {
          return true;
        }
      };
    }
  }

  /** Against rule 23: any copies will do, if there are enough. */
  private static final class IgnoresKinds extends NodeParts {
    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      return new Steward(context, sequencer, members, settings.steward(), settings.balance()) {
        @Override
        protected CopyNeeds needs() {
          return new CopyNeeds(settings.steward().copies(), 0, 0, 0, false);
        }
      };
    }
  }

  /** Against rule 7: what a store in memory has is taken for kept. */
  private static final class CountsVolatile extends OnePart.Sequencing {
    CountsVolatile(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected boolean counts(EngineTraits engine) {
      return true;
    }
  }

  /** Against rule 7: the ledger is trimmed past the stamp of a copy in memory that reads on. */
  static final class OvertakesPlaced extends NodeParts {
    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      return new Steward(context, sequencer, members, settings.steward(), settings.balance()) {
        @Override
        protected boolean isKeptFor(EngineTraits engine) {
          return false;
        }
      };
    }
  }

  /** Against rule 23: a node that may serve nothing has a place, and takes over from others. */
  private static final class KeepsUnfit extends NodeParts {
    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      return new Steward(context, sequencer, members, settings.steward(), settings.balance()) {
        @Override
        protected boolean mayHavePlace(NodeId node) {
          return true;
        }
      };
    }
  }
}
