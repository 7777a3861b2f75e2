package org.ecstore.sim;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.read.SnapshotReads;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.node.ReadBarrier;
import org.ecstore.txn.node.SnapshotBegins;
import org.ecstore.txn.sequencer.SequencerLink;

/** Bugs of who answers reads, and of where snapshots begin, which the simulator must find. */
public final class PlantedReads implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "secondary-answers-beyond-closed", new AnswersBeyondClosed());
    PlantSource.add(
        all,
        "secondary-ignores-base",
        new SecondaryIgnoresBase(),
        new PlantedWindows.AnswersBelowKept());
    PlantSource.add(all, "session-token-ignored", new TokenIgnored());
    PlantSource.add(all, "bounded-of-any-age", new BoundedOfAnyAge());
    PlantSource.add(all, "first-read-where-its-copy-is-closed", new BeginsWhereClosed());
    return all;
  }

  /** Against rule 10: a secondary answers what it cannot know yet. */
  private static final class AnswersBeyondClosed extends NodeParts {
    @Override
    public SnapshotReads reads(
        NodeContext context, LedgerView ledgerView, CopyTable copies, WriteHolds holds) {
      return new SnapshotReads(context, ledgerView, copies, holds) {
        @Override
        protected boolean knows(Copy copy, Position snapshot) {
          return true;
        }
      };
    }
  }

  /** Against rule 10: a secondary answers what it has forgotten, or was built without. */
  private static final class SecondaryIgnoresBase extends NodeParts {
    @Override
    public SnapshotReads reads(
        NodeContext context, LedgerView ledgerView, CopyTable copies, WriteHolds holds) {
      return new SnapshotReads(context, ledgerView, copies, holds) {
        @Override
        protected boolean isBelowBase(Copy copy, Position snapshot) {
          return !copy.following() && super.isBelowBase(copy, snapshot);
        }
      };
    }
  }

  /** Against rule 9: a session begins where the node is, whatever the session has seen. */
  private static final class TokenIgnored extends NodeParts {
    @Override
    public SnapshotBegins begins(
        NodeContext context,
        LedgerView ledgerView,
        CopyTable copies,
        SequencerLink sequencer,
        ReadBarrier positions,
        NodeSettings settings) {
      return new SnapshotBegins(
          context, ledgerView, copies, sequencer, positions, settings.tickNanos()) {
        @Override
        protected ReadPoint seen(ReadPoint token) {
          return ReadPoint.ZERO;
        }
      };
    }
  }

  /** Against rule 9: what begins with a read begins where the copy is, whatever was seen. */
  private static final class BeginsWhereClosed extends NodeParts {
    @Override
    public SnapshotBegins begins(
        NodeContext context,
        LedgerView ledgerView,
        CopyTable copies,
        SequencerLink sequencer,
        ReadBarrier positions,
        NodeSettings settings) {
      return new SnapshotBegins(
          context, ledgerView, copies, sequencer, positions, settings.tickNanos()) {
        @Override
        protected boolean hasSeenNoMore(ReadPoint seen, Position closed) {
          return true;
        }
      };
    }
  }

  /** Against rule 9: a strong answer counts as fresh for ever. */
  private static final class BoundedOfAnyAge extends NodeParts {
    @Override
    public SnapshotBegins begins(
        NodeContext context,
        LedgerView ledgerView,
        CopyTable copies,
        SequencerLink sequencer,
        ReadBarrier positions,
        NodeSettings settings) {
      return new SnapshotBegins(
          context, ledgerView, copies, sequencer, positions, settings.tickNanos()) {
        @Override
        protected Optional<Position> freshWithin(long lagNanos) {
          return super.freshWithin(Long.MAX_VALUE);
        }
      };
    }
  }
}
