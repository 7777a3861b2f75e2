package org.ecstore.sim;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.model.Quorum;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.quorum.CopyAnswer;
import org.ecstore.replication.quorum.QuorumCopies;
import org.ecstore.replication.quorum.QuorumReads;
import org.ecstore.replication.quorum.QuorumTally;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;

/** Bugs of quorum reads (rule 13), which the simulator must find. */
public final class PlantedQuorums implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "quorum-read-without-write-back", new WithoutWriteBack());
    PlantSource.add(all, "unconfirmed-copy-counts", new UnconfirmedCounts());
    PlantSource.add(all, "old-version-beats-absence", new OldVersionBeatsAbsence());
    PlantSource.add(all, "value-under-another-version", new ValueUnderAnotherVersion());
    PlantSource.add(all, "quorum-counts-copies-that-lag", new CountsCopiesThatLag());
    PlantSource.add(all, "quorum-read-meets-no-write", new MeetsNoWrite());
    PlantSource.add(all, "quorum-read-not-confirmed", new NotConfirmed());
    PlantSource.add(all, "quorum-read-behind-its-client", new BehindItsClient());
    return all;
  }

  /** Against rule 13: every copy counts as one that has the commit. */
  private static final class CountsCopiesThatLag extends NodeParts {
    @Override
    public QuorumCopies quorumCopies(
        NodeContext context,
        LedgerView ledgerView,
        CopyTable copies,
        CopyStreams streams,
        NodeSettings settings) {
      return new QuorumCopies(context, ledgerView, copies, streams, settings.quorumCopies()) {
        @Override
        protected int holders(Copy copy, List<NodeId> members, Position number) {
          return members.size();
        }
      };
    }
  }

  /** Against rule 13: one copy's answer is enough. */
  private static final class MeetsNoWrite extends NodeParts {
    @Override
    public QuorumReads quorumReads(
        NodeContext context, LedgerView ledgerView, NodeSettings settings) {
      return new QuorumReads(context, ledgerView, settings.quorumReads()) {
        @Override
        protected int needed(Quorum quorum, int members) {
          return 1;
        }
      };
    }
  }

  /** Against rule 13: copies that were taken out of the range answer as if they were in it. */
  private static final class NotConfirmed extends NodeParts {
    @Override
    public QuorumReads quorumReads(
        NodeContext context, LedgerView ledgerView, NodeSettings settings) {
      return new QuorumReads(context, ledgerView, settings.quorumReads()) {
        @Override
        protected boolean mustConfirm(Quorum quorum) {
          return false;
        }
      };
    }
  }

  /** What no sequencer confirms is given though it is older than what its client has seen. */
  private static final class BehindItsClient extends NodeParts {
    @Override
    public QuorumReads quorumReads(
        NodeContext context, LedgerView ledgerView, NodeSettings settings) {
      return new QuorumReads(context, ledgerView, settings.quorumReads()) {
        @Override
        protected boolean hasSeen(Position seen, Position at) {
          return true;
        }
      };
    }
  }

  /** A version that one copy has is returned though the next read may not meet that copy. */
  private static final class WithoutWriteBack extends NodeParts {
    @Override
    public QuorumReads quorumReads(
        NodeContext context, LedgerView ledgerView, NodeSettings settings) {
      return new QuorumReads(context, ledgerView, settings.quorumReads()) {
        @Override
        protected boolean mustWriteBack(Quorum quorum, int holders, int members) {
          return false;
        }
      };
    }
  }

  /**
   * A copy that was built from an older stamp, or lost a suffix in a crash, answers as if whole.
   */
  private static final class UnconfirmedCounts extends NodeParts {
    @Override
    public QuorumCopies quorumCopies(
        NodeContext context,
        LedgerView ledgerView,
        CopyTable copies,
        CopyStreams streams,
        NodeSettings settings) {
      return new QuorumCopies(context, ledgerView, copies, streams, settings.quorumCopies()) {
        @Override
        protected boolean isCounted(Copy copy) {
          return copy.serving() || copy.following();
        }
      };
    }
  }

  /** A copy that lags has a version; that the newer ones have none is taken for ignorance. */
  private static final class OldVersionBeatsAbsence extends NodeParts {
    @Override
    public QuorumReads quorumReads(
        NodeContext context, LedgerView ledgerView, NodeSettings settings) {
      return new QuorumReads(context, ledgerView, settings.quorumReads()) {
        @Override
        protected QuorumTally newTally() {
          return new QuorumTally() {
            @Override
            protected Comparator<CopyAnswer> order() {
              return Comparator.comparing(
                  (CopyAnswer answer) -> answer.version().orElse(Position.ZERO));
            }
          };
        }
      };
    }
  }

  /** The value came from one copy, the version from another. */
  private static final class ValueUnderAnotherVersion extends NodeParts {
    @Override
    public QuorumReads quorumReads(
        NodeContext context, LedgerView ledgerView, NodeSettings settings) {
      return new QuorumReads(context, ledgerView, settings.quorumReads()) {
        @Override
        protected QuorumTally newTally() {
          return new QuorumTally() {
            @Override
            protected boolean isSameVersion(CopyAnswer one, CopyAnswer other) {
              return true;
            }
          };
        }
      };
    }
  }
}
