package org.ecstore.sim;

import org.ecstore.id.NodeId;
import org.ecstore.model.control.ControlAction;
import org.ecstore.sim.ControlledRun.Parts;
import org.ecstore.txn.qos.control.ControlBook;
import org.ecstore.txn.qos.control.ControlTiming;
import org.ecstore.txn.qos.control.ControlledCluster;
import org.ecstore.txn.qos.control.Controller;

/** Controllers with a fault each, which {@link ControllerSimTest} finds. */
final class PlantedControllers {
  private PlantedControllers() {}

  abstract static class Faulty extends Controller {
    Faulty(Parts parts) {
      super(
          parts.context(),
          parts.sequencer()::active,
          new ControlTiming(10 * ControlledRun.SECOND, 6, 300 * ControlledRun.SECOND),
          100 * ControlledRun.MILLI,
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
}
