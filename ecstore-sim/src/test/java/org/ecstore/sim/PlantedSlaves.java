package org.ecstore.sim;

import java.util.Map;
import java.util.TreeMap;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.hotspot.SlaveHost;
import org.ecstore.replication.hotspot.SlaveStreams;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;

/** Bugs of slaves, which the simulator must find. */
public final class PlantedSlaves implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "slave-answers-beyond-closed", new AnswersBeyondClosed());
    PlantSource.add(all, "slave-offered-too-early", new OfferedTooEarly());
    PlantSource.add(all, "slave-of-a-copy-that-catches-up", new CreatedWhileCatchingUp());
    return all;
  }

  /** Against rule 10: a slave answers at any position. */
  private static final class AnswersBeyondClosed extends NodeParts {
    @Override
    public SlaveHost slaveHost(NodeContext lane, LedgerView knowledge, NodeSettings settings) {
      return new SlaveHost(lane, knowledge, settings.slaves(), settings.askNanos()) {
        @Override
        protected boolean knows(Position closed, Position at) {
          return true;
        }
      };
    }
  }

  /** A slave is made of a secondary that goes on from the ledger, past its slaves. */
  private static final class CreatedWhileCatchingUp extends NodeParts {
    @Override
    public SlaveStreams slaveStreams(NodeContext lane, CopyTable copies, NodeSettings settings) {
      return new SlaveStreams(lane, copies, settings.slaves(), settings.askNanos()) {
        @Override
        protected boolean hasAllPassBy(Copy copy) {
          return true;
        }
      };
    }
  }

  /** A slave is filled at a stamp below writes that were readable before any were kept for it. */
  private static final class OfferedTooEarly extends NodeParts {
    @Override
    public SlaveStreams slaveStreams(NodeContext lane, CopyTable copies, NodeSettings settings) {
      return new SlaveStreams(lane, copies, settings.slaves(), settings.askNanos()) {
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
