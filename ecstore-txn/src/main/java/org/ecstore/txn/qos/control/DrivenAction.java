package org.ecstore.txn.qos.control;

import java.util.OptionalInt;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;

/**
 * Which action this node drives, how far it is, and since when.
 *
 * @param held what a node that is drained had then; as much as there can be if that is not known
 */
record DrivenAction(long action, ActionStage stage, long nanos, int held) {
  /** None. */
  static final DrivenAction NONE = new DrivenAction(0, ActionStage.DONE, 0, 0);

  /** So many times as long as a node may take a drain may take to give up one thing. */
  private static final int DRAIN_TIMES = 6;

  /** One that is driven from now on. */
  static DrivenAction of(ControlAction action, long nowNanos) {
    return new DrivenAction(action.number(), action.stage(), nowNanos, Integer.MAX_VALUE);
  }

  boolean isOf(ControlAction other) {
    return action == other.number() && stage == other.stage();
  }

  /**
   * The same after a node that is drained was seen to have so much: less than before is a step.
   * What is not known is none.
   */
  DrivenAction seen(OptionalInt nowHeld, long nowNanos) {
    return nowHeld.isPresent() && nowHeld.getAsInt() < held
        ? new DrivenAction(action, stage, nowNanos, nowHeld.getAsInt())
        : this;
  }

  /** Whether it has taken longer than a node may take to come or to go. */
  boolean isLate(ControlTiming timing, long nowNanos) {
    return nowNanos - nanos > timing.provisionNanos();
  }

  /** Whether a drain has given up nothing for so long that it will not. */
  boolean isStuck(ControlTiming timing, long nowNanos) {
    return nowNanos - nanos > DRAIN_TIMES * timing.provisionNanos();
  }
}
