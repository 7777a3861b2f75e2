package org.ecstore.sim;

import java.util.List;
import java.util.function.Supplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;

/** Nodes whose sequencers write a checkpoint every few records, where they may. */
class FrequentCheckpoints extends NodeParts {
  /** What such a sequencer keeps to. */
  static Sequencer.Bounds often(NodeSettings settings) {
    Sequencer.Bounds bounds = settings.sequencer();
    return new Sequencer.Bounds(
        bounds.appender(), 10, bounds.outcomesMax(), 10, bounds.retentionNanos(), 1);
  }

  @Override
  public Sequencer sequencer(
      NodeContext context,
      LedgerView ledgerView,
      NodeSettings settings,
      Supplier<List<Member>> members,
      Runnable activated) {
    return new Sequencer(context, ledgerView, often(settings), members, activated);
  }
}
