package org.ecstore.txn.qos.control;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.junit.jupiter.api.Test;

class DrivenActionTest {
  private static final long MINUTE = 60_000_000_000L;
  private static final ControlTiming TEN_MINUTES = ControlTiming.DEFAULT;

  private static final ControlAction REMOVE =
      new ControlAction(
          1,
          ActionKind.REMOVE_NODE,
          "shop",
          "",
          Optional.of(new NodeId(4)),
          0,
          "",
          0,
          0,
          ActionStage.UNDER_WAY,
          0,
          "");

  /** Each copy takes longer than a node may take to come or to go. */
  @Test
  void aDrainMayTakeAsLongAsItGivesUpAnything() {
    DrivenAction driven = DrivenAction.of(REMOVE, 0);
    for (int held = 10; held > 0; held--) {
      long now = (11L - held) * 30 * MINUTE;
      driven = driven.seen(OptionalInt.of(held), now);
      assertFalse(driven.isLate(TEN_MINUTES, now));
      assertFalse(driven.isStuck(TEN_MINUTES, now + 59 * MINUTE));
    }
    DrivenAction last = driven.seen(OptionalInt.of(1), 320 * MINUTE);
    assertTrue(last.isStuck(TEN_MINUTES, 361 * MINUTE));
  }

  /** In between the map is being changed: what is left then is not nothing. */
  @Test
  void howMuchIsLeftIsNoStepWhileItIsNotKnown() {
    DrivenAction driven = DrivenAction.of(REMOVE, 0).seen(OptionalInt.of(9), MINUTE);
    driven = driven.seen(OptionalInt.empty(), 30 * MINUTE);
    assertTrue(driven.isStuck(TEN_MINUTES, 62 * MINUTE));
    driven = driven.seen(OptionalInt.of(8), 40 * MINUTE);
    assertFalse(driven.isStuck(TEN_MINUTES, 62 * MINUTE));
  }

  @Test
  void whatIsAnotherStageBeginsAnew() {
    DrivenAction driven = DrivenAction.of(REMOVE, 0);
    assertTrue(driven.isOf(REMOVE));
    assertFalse(driven.isOf(REMOVE.at(ActionStage.MEASURING, "n4 has gone")));
    assertFalse(DrivenAction.NONE.isOf(REMOVE));
  }
}
