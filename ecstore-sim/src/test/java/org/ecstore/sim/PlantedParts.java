package org.ecstore.sim;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.core.ledger.RecordAssembler;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.replication.copy.LedgerReplay;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.node.NodeParts;

/** Bugs of records that stand in several parts, which the simulator must find (rules 1, 6). */
public final class PlantedParts implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(
        all, "replay-forgets-parts-before-its-chunk", new CopiesReplayWith(ForgetsParts::new));
    PlantSource.add(
        all, "copy-closes-between-parts", new CopiesReplayWith(ClosesBetweenParts::new));
    PlantSource.add(
        all, "take-over-begins-between-parts", OnePart.sequencer(TakesOverBetweenParts::new));
    return all;
  }

  /** Each chunk is read as if the ledger began with it. */
  private static final class ForgetsParts extends LedgerReplay {
    ForgetsParts(
        NodeContext context, Position from, Position target, Chunks chunks, Consumer<End> end) {
      super(context, from, target, chunks, end);
    }

    @Override
    protected RecordAssembler goesOnWith(RecordAssembler before) {
      return new RecordAssembler();
    }
  }

  /** What was read is complete, whether its last record is or not. */
  private static final class ClosesBetweenParts extends LedgerReplay {
    ClosesBetweenParts(
        NodeContext context, Position from, Position target, Chunks chunks, Consumer<End> end) {
      super(context, from, target, chunks, end);
    }

    @Override
    protected Position complete(Optional<Position> openSince) {
      return super.complete(Optional.empty());
    }
  }

  /** Copies that read the ledger wrongly. */
  private static final class CopiesReplayWith extends NodeParts {
    private final LedgerReplay.Factory replays;

    CopiesReplayWith(LedgerReplay.Factory replays) {
      this.replays = replays;
    }

    @Override
    public CopyTable copies(
        NodeContext context,
        LedgerView ledgerView,
        EngineWriter writer,
        WriteHolds holds,
        CopyTable.Listener listener) {
      return new CopyTable(context, ledgerView, writer, holds, listener, replays) {};
    }
  }

  /** A standby has read some parts of a record, and goes on after them as the sequencer. */
  private static final class TakesOverBetweenParts extends OnePart.Sequencing {
    TakesOverBetweenParts(OnePart.SequencerParts parts) {
      super(parts);
    }

    @Override
    protected LedgerReplay newReplay(
        Position from,
        Position target,
        LedgerReplay.Chunks chunks,
        Consumer<LedgerReplay.End> end) {
      return new ClosesBetweenParts(parts.context(), from, target, chunks, end);
    }
  }
}
