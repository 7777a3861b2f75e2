package org.ecstore.sim;

import java.util.List;
import java.util.function.Supplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;

/** Nodes whose sequencers move the version floor by each position, where they may. */
class FloorAtEachPosition extends NodeParts {
  @Override
  public Sequencer sequencer(
      NodeContext context,
      LedgerView ledgerView,
      NodeSettings settings,
      Supplier<List<Member>> members,
      Runnable activated) {
    Sequencer.Bounds bounds = settings.sequencer();
    Sequencer.Bounds small =
        new Sequencer.Bounds(
            bounds.appender(),
            bounds.outcomesKept(),
            bounds.outcomesMax(),
            bounds.checkpointRecords(),
            bounds.retentionNanos(),
            1);
    return new Sequencer(context, ledgerView, small, members, activated);
  }
}
