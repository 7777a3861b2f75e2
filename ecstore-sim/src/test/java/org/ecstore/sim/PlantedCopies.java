package org.ecstore.sim;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyFollower;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.message.ReplicationMessage.StreamUpdate;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;

/** Bugs of copies that follow others, which the simulator must find. */
public final class PlantedCopies implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "heartbeat-overtakes-lost-update", new HeartbeatOvertakes());
    PlantSource.add(all, "follower-closes-before-readable", new ClosesBeforeReadable());
    PlantSource.add(all, "stream-closes-past-marks", new StreamClosesPastMarks());
    PlantSource.add(all, "stream-goes-on-past-what-was-dropped", new GoesOnPastDropped());
    PlantSource.add(all, "promoted-without-replay", OnePart.table(PromotedWithoutReplay::new));
    PlantSource.add(
        all, "returning-primary-keeps-its-role", OnePart.table(ReturningPrimaryStays::new));
    PlantSource.add(all, "tombstone-collected-too-early", OnePart.pruner(CollectsAboveFloor::new));
    return all;
  }

  /** Against rule 11: an update counts though one before it was lost. */
  private static final class HeartbeatOvertakes extends NodeParts {
    @Override
    public CopyFollower follower(
        NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
      return new CopyFollower(context, copies, writer, Long.MAX_VALUE) {
        @Override
        protected boolean isContiguous(Copy copy, StreamUpdate update) {
          return true;
        }
      };
    }
  }

  /** Against rule 11: a secondary says that it has what its engine cannot read yet. */
  private static final class ClosesBeforeReadable extends NodeParts {
    @Override
    public CopyFollower follower(
        NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
      return new CopyFollower(context, copies, writer, Long.MAX_VALUE) {
        @Override
        protected void apply(List<VersionedWrite> writes, Runnable close) {
          close.run();
          super.apply(writes, () -> {});
        }
      };
    }
  }

  /** Against rule 11: a primary says that all is closed through D, intents or not. */
  private static final class StreamClosesPastMarks extends NodeParts {
    @Override
    public CopyStreams streams(
        NodeContext context, LedgerView ledgerView, CopyTable copies, NodeSettings settings) {
      return new CopyStreams(context, ledgerView, copies, settings.askNanos(), settings.streams()) {
        @Override
        protected Position closed(Copy copy) {
          return ledgerView.adopted().position();
        }
      };
    }
  }

  /** Against rule 11: writes that were dropped for want of room are not missed. */
  private static final class GoesOnPastDropped extends NodeParts {
    @Override
    public CopyStreams streams(
        NodeContext context, LedgerView ledgerView, CopyTable copies, NodeSettings settings) {
      return new CopyStreams(context, ledgerView, copies, settings.askNanos(), settings.streams()) {
        @Override
        protected boolean isMissing(Position from, Position acked) {
          return false;
        }
      };
    }
  }

  /** Against rule 14: versions and tombstones go although snapshots may still need them. */
  private static final class CollectsAboveFloor extends OnePart.Folding {
    CollectsAboveFloor(OnePart.PrunerParts parts) {
      super(parts);
    }

    @Override
    protected Position through(Copy copy) {
      return copy.closed();
    }

    @Override
    protected Position readable(Copy copy) {
      return copy.closed();
    }
  }

  /** Against rule 16: the newest secondary is taken for the truth. */
  private static final class PromotedWithoutReplay extends OnePart.Table {
    PromotedWithoutReplay(OnePart.TableParts parts) {
      super(parts);
    }

    private final Set<RangeId> followed = new HashSet<>();

    @Override
    protected Position closedUnderMapBefore(Copy source) {
      if (source.following()) {
        followed.add(source.id());
      }
      return super.closedUnderMapBefore(source);
    }

    @Override
    protected boolean mustReplay(Copy copy) {
      return !followed.remove(copy.id());
    }
  }

  /** Against rule 16: who was replaced while it was away is primary again, by its own word. */
  private static final class ReturningPrimaryStays extends OnePart.Table {
    ReturningPrimaryStays(OnePart.TableParts parts) {
      super(parts);
    }

    @Override
    protected boolean isReplaced(Copy old, RangeMap map) {
      Optional<RangeDescriptor> now = map.range(old.id());
      boolean isSecondary =
          now.isPresent() && now.get().secondaries().contains(parts.context().self());
      return super.isReplaced(old, map) && !(isSecondary && old.serving());
    }
  }
}
