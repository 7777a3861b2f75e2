package org.ecstore.sim;

import java.util.Map;
import java.util.TreeMap;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.hotspot.HotReplicaHost;
import org.ecstore.replication.hotspot.HotReplicaStreams;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;

/** Bugs of hot-spot replicas, which the simulator must find. */
public final class PlantedHotReplicas implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "hot-replica-answers-beyond-closed", new AnswersBeyondClosed());
    PlantSource.add(all, "hot-replica-offered-too-early", new OfferedTooEarly());
    PlantSource.add(all, "hot-replica-of-a-copy-that-catches-up", new CreatedWhileCatchingUp());
    return all;
  }

  /** Against rule 10: a hot-spot replica answers at any position. */
  private static final class AnswersBeyondClosed extends NodeParts {
    @Override
    public HotReplicaHost hotReplicaHost(
        NodeContext context, LedgerView ledgerView, NodeSettings settings) {
      return new HotReplicaHost(context, ledgerView, settings.hotReplicas(), settings.askNanos()) {
        @Override
        protected boolean knows(Position closed, Position at) {
          return true;
        }
      };
    }
  }

  /**
   * A hot-spot replica is made of a secondary that goes on from the ledger, past its hot-spot
   * replicas.
   */
  private static final class CreatedWhileCatchingUp extends NodeParts {
    @Override
    public HotReplicaStreams hotReplicaStreams(
        NodeContext context, CopyTable copies, NodeSettings settings) {
      return new HotReplicaStreams(context, copies, settings.hotReplicas(), settings.askNanos()) {
        @Override
        protected boolean hasAllPassBy(Copy copy) {
          return true;
        }
      };
    }
  }

  /**
   * A hot-spot replica is filled at a stamp below writes that were readable before any were kept
   * for it.
   */
  private static final class OfferedTooEarly extends NodeParts {
    @Override
    public HotReplicaStreams hotReplicaStreams(
        NodeContext context, CopyTable copies, NodeSettings settings) {
      return new HotReplicaStreams(context, copies, settings.hotReplicas(), settings.askNanos()) {
        @Override
        protected boolean mayOffer(Position closed, Position from) {
          return true;
        }

        @Override
        protected boolean isMissing(Position from, Position closed) {
          return false;
        }
      };
    }
  }
}
