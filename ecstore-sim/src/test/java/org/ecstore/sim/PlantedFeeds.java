package org.ecstore.sim;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.replication.copy.LedgerReplay;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.changes.ChangeReads;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;

/** Bugs of the feed of changes (rule 29), which the simulator must find. */
public final class PlantedFeeds implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    add(all, "changes-above-what-is-durable", new AboveDurable());
    add(all, "no-changes-told-unconfirmed", new Unconfirmed());
    add(all, "changes-begin-amid-a-record", new AmidARecord());
    add(all, "ledger-is-trimmed-before-readers", OnePart.sequencer(TrimmedBeforeReaders::new));
    add(all, "one-too-many-changes-are-lost", new LosesOneTooMany());
    return all;
  }

  private static void add(Map<String, NodeMutation> all, String name, NodeParts parts) {
    PlantSource.add(all, name, parts);
    all.computeIfPresent(name, (_, plant) -> plant.withReaders());
  }

  /** Against rule 8: what the ledger may take back is told. */
  private static final class AboveDurable extends NodeParts {
    @Override
    public ChangeReads changes(
        NodeContext context,
        LedgerView ledgerView,
        ChangeReads.Confirmation confirmation,
        NodeSettings settings) {
      return new ChangeReads(context, ledgerView, confirmation, settings.changes()) {
        @Override
        protected Position durable() {
          return new Position(super.durable().value() + 5);
        }
      };
    }
  }

  /** Against rule 29: a node that is cut off says that there is nothing. */
  private static final class Unconfirmed extends NodeParts {
    @Override
    public ChangeReads changes(
        NodeContext context,
        LedgerView ledgerView,
        ChangeReads.Confirmation confirmation,
        NodeSettings settings) {
      return new ChangeReads(context, ledgerView, confirmation, settings.changes()) {
        @Override
        protected boolean isSureOfNothing() {
          return true;
        }
      };
    }
  }

  /** Against rule 1: the reading goes on one part too far. */
  private static final class AmidARecord extends NodeParts {
    @Override
    public ChangeReads changes(
        NodeContext context,
        LedgerView ledgerView,
        ChangeReads.Confirmation confirmation,
        NodeSettings settings) {
      return new ChangeReads(context, ledgerView, confirmation, settings.changes()) {
        @Override
        protected LedgerReplay replay(
            Position from,
            Position target,
            LedgerReplay.Chunks chunks,
            Consumer<LedgerReplay.End> end) {
          return new LedgerReplay(context, from, target, chunks, end) {
            @Override
            protected Position complete(Optional<Position> openSince) {
              return super.complete(Optional.empty());
            }
          };
        }
      };
    }
  }

  /** Against rule 29: the first record that is kept is said to be gone as well. */
  private static final class LosesOneTooMany extends NodeParts {
    @Override
    public ChangeReads changes(
        NodeContext context,
        LedgerView ledgerView,
        ChangeReads.Confirmation confirmation,
        NodeSettings settings) {
      return new ChangeReads(context, ledgerView, confirmation, settings.changes()) {
        @Override
        protected LedgerReplay replay(
            Position from,
            Position target,
            LedgerReplay.Chunks chunks,
            Consumer<LedgerReplay.End> end) {
          return new LedgerReplay(context, from, target, chunks, end) {
            @Override
            public Position firstKept() {
              return super.firstKept().next();
            }
          };
        }
      };
    }
  }

  /** Against rule 29: what is kept for readers is trimmed as if there were none. */
  private static final class TrimmedBeforeReaders extends OnePart.Sequencing {
    TrimmedBeforeReaders(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected Position trimmedFor(Position below, Optional<Position> kept) {
      return below;
    }
  }
}
