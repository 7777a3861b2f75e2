package org.ecstore.sim;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.replication.hotspot.HotReplicaSettings;
import org.ecstore.sim.ControlledRun.Parts;
import org.ecstore.txn.qos.control.ControlledCluster;
import org.ecstore.txn.qos.control.Controller;
import org.ecstore.txn.qos.control.book.ControlBook;
import org.ecstore.txn.qos.measured.TableBook;
import org.ecstore.txn.qos.measured.TableKeeper;
import org.ecstore.txn.qos.objective.ObjectiveBook;
import org.ecstore.txn.qos.objective.ObjectiveBook.Promise;
import org.ecstore.txn.qos.table.TableSubject;
import org.ecstore.txn.steward.decision.Decisions;

/** Controllers with a fault each, which {@link ControllerSimTest} finds. */
final class PlantedControllers {
  private static final long RETRY_NANOS = 100 * ControlledRun.MILLI;

  private PlantedControllers() {}

  abstract static class Faulty extends Controller {
    Faulty(Parts parts) {
      super(
          parts.context(),
          parts.leads(),
          parts.timing(),
          RETRY_NANOS,
          parts.cluster(),
          parts.objectives(),
          parts.provisioner(),
          parts.decisions());
    }
  }

  /** Orders another node each time that it orders one. */
  static final class OrdersTwice extends Faulty {
    private long more;

    OrdersTwice(Parts parts) {
      super(parts);
    }

    @Override
    protected NodeId ordered(ControlAction action) {
      more++;
      return new NodeId(super.ordered(action).value() + more - 1);
    }
  }

  /** Does not go on with what has been begun. */
  static final class Forgets extends Faulty {
    Forgets(Parts parts) {
      super(parts);
    }

    @Override
    protected boolean goesOn(ControlAction action) {
      return false;
    }
  }

  /** Does not go on with what another node has begun. */
  static final class ForgetsOthers extends Faulty {
    private boolean looked;
    private long others;

    ForgetsOthers(Parts parts) {
      super(parts);
    }

    @Override
    public void start() {
      super.start();
      looked = false;
      others = 0;
    }

    /** Of the first look: then what is under way is another's. */
    @Override
    protected boolean goesOn(ControlAction action) {
      others = looked ? others : action.number();
      looked = true;
      return action.number() != others;
    }

    /** Asked as something is looked for: nothing was under way. */
    @Override
    protected boolean mayShrink(ControlledCluster of) {
      looked = true;
      return super.mayShrink(of);
    }
  }

  /** Each one that leads orders a node of its own, one and the same each time. */
  static final class OrdersAnew extends Faulty {
    private final NodeId self;

    OrdersAnew(Parts parts) {
      super(parts);
      self = parts.context().self();
    }

    @Override
    protected NodeId ordered(ControlAction action) {
      return new NodeId(super.ordered(action).value() + self.value());
    }
  }

  /** Orders without looking whether what it knows still holds. */
  static final class OrdersUnread extends Faulty {
    OrdersUnread(Parts parts) {
      super(parts);
    }

    @Override
    protected void order(Runnable order) {
      order.run();
    }
  }

  /** Takes a node away whatever copies there are. */
  static final class Shrinks extends Faulty {
    Shrinks(Parts parts) {
      super(parts);
    }

    @Override
    protected boolean mayShrink(ControlledCluster of) {
      return true;
    }
  }

  /** Takes a node to have nothing while it is not known what it has. */
  static final class TakesUnseen extends Faulty {
    TakesUnseen(Parts parts) {
      super(parts);
    }

    @Override
    protected boolean hasNothing(ControlledCluster of, NodeId node) {
      return !of.isKnown() || super.hasNothing(of, node);
    }
  }

  /** Says whether a guarantee can be given by what it happens to know. */
  static final class AnswersUnseen extends Faulty {
    AnswersUnseen(Parts parts) {
      super(parts);
    }

    @Override
    protected Optional<String> unknown(ObjectiveBook promised) {
      return Optional.empty();
    }
  }

  /** Goes by tables whatever nodes are there. */
  static final class TrustsStaleTables extends Faulty {
    TrustsStaleTables(Parts parts) {
      super(parts);
    }

    @Override
    protected TableKeeper newTables(
        NodeContext of, BooleanSupplier leading, ControlledCluster nodes, Decisions decided) {
      return new TableKeeper(of, leading, RETRY_NANOS, nodes::members, decided) {
        @Override
        protected List<String> differences(TableSubject measured, List<Member> there) {
          return List.of();
        }
      };
    }
  }

  /** Takes no node away where the others would be busy, whatever a table foretells. */
  static final class TrustsNoTable extends Faulty {
    TrustsNoTable(Parts parts) {
      super(parts);
    }

    @Override
    protected boolean isTrusted(double closedPart, double slower) {
      return false;
    }
  }

  /** Does not look whether nodes have more to do than they had for the table. */
  static final class TrustsTablesBlindly extends Faulty {
    TrustsTablesBlindly(Parts parts) {
      super(parts);
    }

    @Override
    protected boolean isTrusted(double closedPart, double slower) {
      return super.isTrusted(closedPart, Math.min(slower, 1));
    }
  }

  /** Says that a table is kept though it is not known whether it is. */
  static final class HopefulOfTables extends Faulty {
    HopefulOfTables(Parts parts) {
      super(parts);
    }

    @Override
    protected TableKeeper newTables(
        NodeContext of, BooleanSupplier leading, ControlledCluster nodes, Decisions decided) {
      return new TableKeeper(of, leading, RETRY_NANOS, nodes::members, decided) {
        @Override
        protected boolean isTaken(CoordinationResult result) {
          return true;
        }
      };
    }
  }

  /** Does not look whether it has changed its tables without hearing of it. */
  static final class ForgetfulOfTables extends Faulty {
    ForgetfulOfTables(Parts parts) {
      super(parts);
    }

    @Override
    protected TableKeeper newTables(
        NodeContext of, BooleanSupplier leading, ControlledCluster nodes, Decisions decided) {
      return new TableKeeper(of, leading, RETRY_NANOS, nodes::members, decided) {
        @Override
        protected boolean isDone(TableBook book, long request) {
          return false;
        }
      };
    }
  }

  /** What one application of best effort may have each of the others may have too. */
  static final class IgnoresWeights extends Faulty {
    IgnoresWeights(Parts parts) {
      super(parts);
    }

    @Override
    protected List<ServiceLimit> limits(ControlBook book, List<Promise> promises) {
      long cap = book.caps().stream().mapToLong(ControlBook.Cap::perSecond).min().orElse(0);
      return super.limits(book, promises).stream()
          .map(
              limit ->
                  new ServiceLimit(
                      limit.application(),
                      limit.tables(),
                      limit.perSecond() == 0 ? 0 : cap,
                      limit.promisedPerSecond()))
          .toList();
    }
  }

  /** Limits the application that the action names, and no other. */
  static final class LimitsOne extends Faulty {
    LimitsOne(Parts parts) {
      super(parts);
    }

    @Override
    protected List<ServiceLimit> limits(ControlBook book, List<Promise> promises) {
      return super.limits(book, promises).stream()
          .map(
              limit ->
                  new ServiceLimit(
                      limit.application(),
                      limit.tables(),
                      book.cap(limit.application()).map(ControlBook.Cap::perSecond).orElse(0L),
                      limit.promisedPerSecond()))
          .toList();
    }
  }

  /** Of nodes that make no hot-spot replicas. */
  static Controller withoutHotReplicas(Parts parts) {
    return new Controller(
        parts.context(),
        parts.leads(),
        ControlledRun.TIMING.with(HotReplicaSettings.NONE),
        RETRY_NANOS,
        parts.cluster(),
        parts.objectives(),
        parts.provisioner(),
        parts.decisions());
  }

  /** Remembers which threshold it has lowered itself, and does not look what others have. */
  static final class ForgetsThreshold extends Faulty {
    private long lowered;

    ForgetsThreshold(Parts parts) {
      super(parts);
    }

    @Override
    public void start() {
      super.start();
      lowered = 0;
    }

    @Override
    protected long hotThreshold(ControlBook book) {
      book.current()
          .filter(action -> action.kind() == ActionKind.LOWER_THRESHOLD)
          .ifPresent(action -> lowered = action.perSecond());
      return book.hotThreshold().isLowered() ? lowered : 0;
    }
  }

  /** Lowers the threshold further each time that it tells it. */
  static final class LowersFurther extends Faulty {
    private long told;

    LowersFurther(Parts parts) {
      super(parts);
    }

    @Override
    protected long hotThreshold(ControlBook book) {
      long written = super.hotThreshold(book);
      told = written == 0 || told == 0 ? written : Math.max(1, told / 2);
      return told;
    }
  }

  /** Never takes back anything. */
  static final class TakesNothingBack extends Faulty {
    TakesNothingBack(Parts parts) {
      super(parts);
    }

    @Override
    protected int quietWindows(ControlBook book) {
      return 1_000_000;
    }
  }

  /** Takes a limit to be by the weight that the application which it names has now. */
  static final class ForgetsWeights extends Faulty {
    ForgetsWeights(Parts parts) {
      super(parts);
    }

    @Override
    protected List<ServiceLimit> limits(ControlBook book, List<Promise> promises) {
      List<ControlBook.Cap> caps =
          book.caps().stream()
              .map(cap -> new ControlBook.Cap(cap.application(), cap.perSecond(), 0))
              .toList();
      return super.limits(
          new ControlBook(
              book.settings(),
              caps,
              book.added(),
              book.lastNode(),
              book.patience(),
              book.hotThreshold(),
              book.actions()),
          promises);
    }
  }

  /** Has no more patience than at first. */
  static final class Impatient extends Faulty {
    Impatient(Parts parts) {
      super(parts);
    }

    @Override
    protected int quietWindows(ControlBook book) {
      return 1;
    }
  }

  /** What was taken back is proven by the first window in which it is not needed. */
  static final class LosesPatience extends Faulty {
    LosesPatience(Parts parts) {
      super(parts);
    }

    @Override
    protected int proofWindows() {
      return 1;
    }
  }

  /** Nothing that was taken back is ever proven. */
  static final class PatientForEver extends Faulty {
    PatientForEver(Parts parts) {
      super(parts);
    }

    @Override
    protected int proofWindows() {
      return Integer.MAX_VALUE;
    }
  }
}
