package org.ecstore.sim;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.node.Departure;
import org.ecstore.txn.node.NodeParts;

/** Bugs of nodes that leave, which the simulator must find. */
public final class PlantedDepartures implements PlantSource {
  @Override
  public Map<String, NodeMutation> plants() {
    Map<String, NodeMutation> all = new TreeMap<>();
    PlantSource.add(all, "leaver-serves-on", OnePart.table(LeaverServesOn::new));
    PlantSource.add(all, "leave-before-handover", new LeaveBeforeHandover());
    PlantSource.add(all, "heir-skips-replay", OnePart.table(HeirSkipsReplay::new));
    return all;
  }

  /** Against rule 10: a node to which nothing is left goes on answering for what it has given. */
  private static final class LeaverServesOn extends OnePart.Table {
    LeaverServesOn(OnePart.TableParts parts) {
      super(parts);
    }

    @Override
    protected boolean isReplaced(Copy old, RangeMap map) {
      boolean given =
          map.ranges().stream().noneMatch(range -> range.primary().equals(parts.context().self()));
      return super.isReplaced(old, map) && !(given && old.serving());
    }
  }

  /** Against §5.4: a node says that it may be stopped, and its disk thrown away, at once. */
  private static final class LeaveBeforeHandover extends NodeParts {
    @Override
    public Departure departure(
        NodeContext context,
        LedgerView ledgerView,
        CopyTable copies,
        CopyBuilder builder,
        Coordinator coordinator,
        Supplier<List<Member>> members) {
      return new Departure(context, ledgerView, copies, builder, coordinator, members) {
        @Override
        protected boolean hasHandedOver() {
          return true;
        }
      };
    }
  }

  /** Against rule 15: a copy that was just built serves without the replay through its record. */
  private static final class HeirSkipsReplay extends OnePart.Table {
    HeirSkipsReplay(OnePart.TableParts parts) {
      super(parts);
    }

    @Override
    protected boolean mustReplay(Copy copy) {
      return !copy.base().equals(copy.closed()) || copy.closed().value() == 0;
    }
  }
}
