package org.ecstore.sim;

import java.util.Map;
import java.util.TreeMap;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;

/** Bugs of copies that are filled from others, which the simulator must find. */
public final class PlantedTransfers implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "transfer-answers-from-its-first-chunk", new AnswersFromFirstChunk());
    PlantSource.add(all, "transfer-closed-at-its-last-chunk", new ClosedAtLastChunk());
    PlantSource.add(all, "transfer-stamped-above-closed", new StampedAboveClosed());
    return all;
  }

  /** Against rules 10 and W7: a copy answers below positions as of which some of its rows are. */
  static final class AnswersFromFirstChunk extends NodeParts {
    @Override
    public CopyBuilder builder(
        NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
      return new Builder(context, copies, writer, settings);
    }

    static final class Builder extends CopyBuilder {
      Builder(NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
        super(context, copies, writer, settings.copyFetches());
      }

      @Override
      protected Position base(Position stamp, Position newest) {
        return stamp;
      }
    }
  }

  /** Against rules 10 and W7: what early chunks lack of later commits is not read of the ledger. */
  static final class ClosedAtLastChunk extends NodeParts {
    @Override
    public CopyBuilder builder(
        NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
      return new Builder(context, copies, writer, settings);
    }

    static final class Builder extends CopyBuilder {
      Builder(NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
        super(context, copies, writer, settings.copyFetches());
      }

      @Override
      protected Position closed(Position stamp, Position newest) {
        return newest;
      }
    }
  }

  /** Against rule 10: a transfer begins where a commit may come that is not readable yet. */
  private static final class StampedAboveClosed extends NodeParts {
    @Override
    public CopySource source(NodeContext context, CopyTable copies, NodeSettings settings) {
      return new CopySource(context, copies, settings.leaseNanos(), settings.copyChunks()) {
        @Override
        protected Position stamp(Copy copy) {
          return super.stamp(copy).next();
        }
      };
    }
  }
}
