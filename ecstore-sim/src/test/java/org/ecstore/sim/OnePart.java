package org.ecstore.sim;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.replication.copy.CopyPersistence;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.Pruner;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.commit.Participant;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.sequencer.SequencerLink;

/** Nodes of which one part overrides a rule, and all others are as they are. */
final class OnePart {
  private OnePart() {}

  /** Nodes with another table of copies. */
  static NodeParts table(Function<TableParts, Table> made) {
    return new NodeParts() {
      @Override
      public CopyTable copies(
          NodeContext context,
          LedgerView ledgerView,
          EngineWriter writer,
          WriteHolds holds,
          CopyTable.Listener listener) {
        return made.apply(new TableParts(context, ledgerView, writer, holds, listener));
      }
    };
  }

  /** Nodes with another pruner. */
  static NodeParts pruner(Function<PrunerParts, Folding> made) {
    return new NodeParts() {
      @Override
      public Pruner pruner(
          NodeContext context,
          CopyTable copies,
          CopyPersistence persistence,
          EngineWriter writer,
          NodeSettings settings) {
        return made.apply(new PrunerParts(context, copies, persistence, settings.folds()));
      }
    };
  }

  /** Nodes with another sequencer. */
  static NodeParts sequencer(Function<SequencerParts, Sequencing> made) {
    return new NodeParts() {
      @Override
      public Sequencer sequencer(
          NodeContext context,
          LedgerView ledgerView,
          NodeSettings settings,
          Supplier<List<Member>> members,
          Runnable activated) {
        return made.apply(
            new SequencerParts(context, ledgerView, settings.sequencer(), members, activated));
      }
    };
  }

  /** Nodes with another participant. */
  static NodeParts participant(Function<ParticipantParts, Participating> made) {
    return new NodeParts() {
      @Override
      public Participant participant(
          NodeContext context,
          LedgerView ledgerView,
          EngineWriter writer,
          SequencerLink sequencer,
          NodeSettings settings) {
        return made.apply(
            new ParticipantParts(context, ledgerView, writer, sequencer, settings.participant()));
      }
    };
  }

  /** Of what a table of copies is made. */
  record TableParts(
      NodeContext context,
      LedgerView ledgerView,
      EngineWriter writer,
      WriteHolds holds,
      CopyTable.Listener listener) {}

  /** A table of copies to override a rule of. */
  abstract static class Table extends CopyTable {
    final TableParts parts;

    Table(TableParts parts) {
      super(parts.context, parts.ledgerView, parts.writer, parts.holds, parts.listener);
      this.parts = parts;
    }
  }

  /** Of what a pruner is made. */
  record PrunerParts(
      NodeContext context, CopyTable copies, CopyPersistence persistence, Pruner.Bounds folds) {}

  /** A pruner to override a rule of. */
  abstract static class Folding extends Pruner {
    final PrunerParts parts;

    Folding(PrunerParts parts) {
      super(parts.context, parts.copies, parts.persistence, parts.folds);
      this.parts = parts;
    }
  }

  /** Of what a sequencer is made. */
  record SequencerParts(
      NodeContext context,
      LedgerView ledgerView,
      Sequencer.Bounds bounds,
      Supplier<List<Member>> members,
      Runnable activated) {}

  /** A sequencer to override a rule of. */
  abstract static class Sequencing extends Sequencer {
    final SequencerParts parts;

    Sequencing(SequencerParts parts) {
      super(parts.context, parts.ledgerView, parts.bounds, parts.members, parts.activated);
      this.parts = parts;
    }
  }

  /** Of what a participant is made. */
  record ParticipantParts(
      NodeContext context,
      LedgerView ledgerView,
      EngineWriter writer,
      SequencerLink sequencer,
      Participant.Timing timing) {}

  /** A participant to override a rule of. */
  abstract static class Participating extends Participant {
    final ParticipantParts parts;

    Participating(ParticipantParts parts) {
      super(parts.context, parts.ledgerView, parts.writer, parts.sequencer, parts.timing);
      this.parts = parts;
    }
  }
}
