package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.txn.qos.control.book.ControlBook.HotThreshold;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * One key is read too much for the nodes that have it, and too little for hot-spot replicas by
 * their configuration: the controller lowers the threshold, and takes that back (decision 0090).
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class HotKeysControlSimTest {
  private static final long MINUTE = ControlledRun.MINUTE;

  @ParameterizedTest
  @Seeds(few = 1, many = 3)
  void aLowerThresholdKeepsTheObjectiveOfReadsOfOneKey(long seed) {
    try (HotKeysRun run = new HotKeysRun(seed)) {
      run.readFor(MINUTE);
      assertTrue(run.busiest() > 0.8, () -> "the busiest node uses " + run.busiest());
      assertEquals(List.of(), run.hotReplicas());
      run.act();
      for (int i = 0; i < 60 && !isLowered(run.actions()); i++) {
        run.readFor(MINUTE / 6);
      }
      ControlAction last = run.actions().getLast();
      assertEquals(ActionKind.LOWER_THRESHOLD, last.kind(), () -> run.actions().toString());
      assertTrue(last.detail().startsWith("kept: "), last::toString);
      assertTrue(run.busiest() < 0.7, () -> "the busiest node uses " + run.busiest());
      assertNotEquals(List.of(), run.hotReplicas());
      run.rest(6 * MINUTE);
      assertEquals(List.of(), run.hotReplicas(), "no client reads them any more");
      assertEquals(HotThreshold.CONFIGURED, run.book().hotThreshold());
      assertEquals(ActionKind.RAISE_THRESHOLD, run.actions().getLast().kind());
      assertEquals(List.of(), run.violations());
    }
  }

  private static boolean isLowered(List<ControlAction> actions) {
    return actions.stream()
        .anyMatch(
            action ->
                action.kind() == ActionKind.LOWER_THRESHOLD && action.stage() == ActionStage.DONE);
  }
}
