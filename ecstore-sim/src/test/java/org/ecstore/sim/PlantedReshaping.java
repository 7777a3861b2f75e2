package org.ecstore.sim;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.ecstore.core.ledger.LedgerRecord.RangeVote;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.read.ReadOutcome;
import org.ecstore.replication.read.SnapshotReads;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;

/** Bugs of ranges that are split, merged and moved, which the simulator must find. */
public final class PlantedReshaping implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "split-children-closed-at-d", OnePart.table(ChildrenClosedAtD::new));
    PlantSource.add(
        all, "merged-closed-where-the-greater-is", OnePart.table(MergedClosedAtGreater::new));
    PlantSource.add(all, "bounds-not-checked-after-snapshot", new BoundsCheckedOnce());
    PlantSource.add(all, "vote-on-retired-range-counts", OnePart.sequencer(RetiredVoteCounts::new));
    PlantSource.add(all, "next-steward-forgets-change", new NextStewardForgets());
    PlantSource.add(all, "scan-piece-misses-keys", new PieceMissesKeys());
    PlantSource.add(all, "scan-piece-repeats-a-key", new PieceRepeatsKey());
    PlantSource.add(all, "change-without-a-pin", new ChangeWithoutPin());
    PlantSource.add(all, "older-map-acted-on-after-restart", new OlderMapActedOn());
    return all;
  }

  /** Against rule 17: the first map after a restart counts, also one older than what is noted. */
  static final class OlderMapActedOn extends NodeParts {
    @Override
    public CopyTable copies(
        NodeContext context,
        LedgerView ledgerView,
        EngineWriter writer,
        WriteHolds holds,
        CopyTable.Listener listener) {
      return new Copies(context, ledgerView, writer, holds, listener);
    }

    static final class Copies extends CopyTable {
      Copies(
          NodeContext context,
          LedgerView ledgerView,
          EngineWriter writer,
          WriteHolds holds,
          CopyTable.Listener listener) {
        super(context, ledgerView, writer, holds, listener);
      }

      @Override
      protected boolean isOlderThanMetadata(RangeMap map) {
        return false;
      }
    }
  }

  /** Against rule 17: the ledger is trimmed above the stamp that a change rests on. */
  private static final class ChangeWithoutPin extends NodeParts {
    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      return new Steward(context, sequencer, members, settings.steward(), settings.balance()) {
        @Override
        protected boolean pin(RangeId id, Position stamp) {
          return true;
        }
      };
    }
  }

  /** Against rule 17: children of a split take D for their closed position. */
  private static final class ChildrenClosedAtD extends OnePart.Table {
    ChildrenClosedAtD(OnePart.TableParts parts) {
      super(parts);
    }

    @Override
    protected Position inherited(RangeDescriptor descriptor, List<Copy> sources) {
      Position right = super.inherited(descriptor, sources);
      boolean isChild = !sources.getFirst().keys().equals(descriptor.keys());
      return isChild
              && sources.size() == 1
              && (sources.getFirst().serving() || sources.getFirst().following())
          ? Position.max(right, parts.ledgerView().adopted().position())
          : right;
    }
  }

  /** Against rule 17: what comes of a merge is taken to be as far as the better of its parts. */
  private static final class MergedClosedAtGreater extends OnePart.Table {
    MergedClosedAtGreater(OnePart.TableParts parts) {
      super(parts);
    }

    @Override
    protected Position inherited(RangeDescriptor descriptor, List<Copy> sources) {
      return sources.stream()
          .map(this::closedUnderMapBefore)
          .max(Position::compareTo)
          .orElseThrow();
    }
  }

  /** Against rule 17: what the engine answers counts though the range was changed meanwhile. */
  private static final class BoundsCheckedOnce extends NodeParts {
    @Override
    public SnapshotReads reads(
        NodeContext context, LedgerView ledgerView, CopyTable copies, WriteHolds holds) {
      return new SnapshotReads(context, ledgerView, copies, holds) {
        @Override
        protected boolean isStillHere(Copy copy) {
          return true;
        }
      };
    }

    @Override
    public CopySource source(NodeContext context, CopyTable copies, NodeSettings settings) {
      return new CopySource(context, copies, settings.leaseNanos(), settings.copyChunks()) {
        @Override
        protected boolean isStillHere(Copy copy) {
          return true;
        }
      };
    }
  }

  /** Against rule 4: a range that is no more cannot have another epoch. */
  private static final class RetiredVoteCounts extends OnePart.Sequencing {
    RetiredVoteCounts(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Optional<RangeId> changedRange(List<RangeVote> votes) {
      return super.changedRange(votes).filter(range -> appendedMap().range(range).isPresent());
    }
  }

  /**
   * Against rule 15: one steward stops between the change of the map and its record, and the next
   * goes on without that.
   */
  private static final class NextStewardForgets extends NodeParts {
    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      return new Steward(context, sequencer, members, settings.steward(), settings.balance()) {
        @Override
        protected boolean mustComplete() {
          return false;
        }
      };
    }
  }

  /** Against rule 18: a piece that ends at a limit is taken for the whole of what was asked. */
  private static final class PieceMissesKeys extends NodeParts {
    @Override
    public SnapshotReads reads(
        NodeContext context, LedgerView ledgerView, CopyTable copies, WriteHolds holds) {
      return new SnapshotReads(context, ledgerView, copies, holds) {
        @Override
        public void scan(At at, ScanSpec spec, Consumer<ReadOutcome> then) {
          super.scan(
              at,
              spec,
              outcome ->
                  then.accept(
                      outcome instanceof ReadOutcome.Rows rows && !rows.rows().isEmpty()
                          ? new ReadOutcome.Rows(rows.rows(), true, rows.source())
                          : outcome));
        }
      };
    }
  }

  /**
   * Against rule 18: a page that goes on behind a key begins with that key, which its reader has.
   */
  private static final class PieceRepeatsKey extends NodeParts {
    @Override
    public SnapshotReads reads(
        NodeContext context, LedgerView ledgerView, CopyTable copies, WriteHolds holds) {
      return new SnapshotReads(context, ledgerView, copies, holds) {
        @Override
        public void scan(At at, ScanSpec spec, Consumer<ReadOutcome> then) {
          Bytes start = spec.interval().start();
          int last = start.length() - 1;
          boolean goesOn = last > 0 && start.at(last) == 0;
          super.scan(
              at,
              goesOn
                  ? new ScanSpec(
                      KeyRange.between(start.slice(0, last), spec.interval().end()),
                      spec.at(),
                      spec.reverse(),
                      spec.recordsMax() + 1,
                      spec.bytesMax(),
                      spec.keysOnly())
                  : spec,
              then);
        }
      };
    }
  }
}
