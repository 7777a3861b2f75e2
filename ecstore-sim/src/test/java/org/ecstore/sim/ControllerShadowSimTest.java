package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.sim.ControlledRun.Parts;
import org.ecstore.sim.ControlledRun.Weather;
import org.ecstore.txn.qos.control.book.ControlBook.HotThreshold;
import org.ecstore.txn.steward.decision.Decision;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * The node that leads is killed at each step of each action of the controller: as soon as it is
 * written down, ordered, there, measured and over. Who leads next goes on with it, does nothing
 * twice, and leaves no node half added (issue 19.8). Planted bugs are found.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ControllerShadowSimTest {
  private static final long MINUTE = ControlledRun.MINUTE;
  private static final Set<String> NODE_STEPS =
      Set.of(
          "add node: begun",
          "add node: ordered",
          "add node: runs",
          "add node: has its place",
          "add node: measuring",
          "add node: done",
          "remove node: begun",
          "remove node: drained",
          "remove node: gone",
          "remove node: measuring",
          "remove node: done");

  private static ControlledRun promised(long seed, ControlledRun.Controllers controllers) {
    return ControlledRun.promised(seed, Weather.CALM, controllers);
  }

  /** The load doubles, and goes: one node comes, and goes. */
  private static ControlledRun doubled(long seed, ControlledRun.Controllers controllers) {
    ControlledRun run = promised(seed, controllers);
    run.crashLeaderAtEachStep();
    return run.doubled(20 * MINUTE);
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 12)
  void aNodeComesAndGoesOnce(long seed) {
    ControlledRun run = doubled(seed, Parts::right);
    assertEquals(ControlledRun.NODES + 1, run.places(), () -> run.actions().toString());
    assertEquals(List.of(1L, 2L, 3L, 4L), run.running());
    run.ask(ControlledRun.SHOP, 900);
    run.run(30 * MINUTE);
    assertEquals(List.of(), run.faults());
    assertEquals(List.of(1L, 2L, 3L), run.running(), () -> run.actions().toString());
    assertEquals(ControlledRun.NODES, run.places());
    assertEquals(ControlledRun.NODES, run.placesLeast());
    assertEquals(2, run.actions().size(), () -> run.actions().toString());
    assertEquals(1, run.done(ActionKind.ADD_NODE));
    assertEquals(1, run.done(ActionKind.REMOVE_NODE));
    assertEquals(NODE_STEPS, run.killedAt());
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 6)
  void aLimitComesAndGoes(long seed) {
    ControlledRun run = promised(seed, Parts::right);
    run.promise(ControlledRun.REPORTS, ServiceClass.BEST_EFFORT);
    run.crashLeaderAtEachStep();
    run.ask(ControlledRun.SHOP, 1_200);
    run.ask(ControlledRun.REPORTS, 1_350);
    run.run(10 * MINUTE);
    assertEquals(1, run.done(ActionKind.LIMIT), () -> run.actions().toString());
    assertEquals(1, run.book().caps().size());
    run.ask(ControlledRun.SHOP, 100);
    run.run(30 * MINUTE);
    assertEquals(List.of(), run.faults());
    assertEquals(List.of(), run.book().caps(), () -> run.actions().toString());
    assertEquals(0, run.done(ActionKind.ADD_NODE));
    assertEquals(
        Set.of(
            "limit: begun",
            "limit: measuring",
            "limit: done",
            "release: begun",
            "release: measuring",
            "release: done"),
        run.killedAt());
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 6)
  void primariesMoveOnce(long seed) {
    ControlledRun run = promised(seed, Parts::right);
    run.crashLeaderAtEachStep();
    run.hot(new NodeId(1), 1.7);
    run.ask(ControlledRun.SHOP, 1_500);
    run.run(15 * MINUTE);
    assertEquals(List.of(), run.faults());
    assertEquals(1, run.done(ActionKind.REBALANCE), () -> run.actions().toString());
    assertEquals(1, run.actions().size(), () -> run.actions().toString());
    assertEquals(
        Set.of("rebalance: begun", "rebalance: measuring", "rebalance: done"), run.killedAt());
  }

  /** Few keys of one node are hot, until the load goes. */
  private static ControlledRun hotKeys(long seed, ControlledRun.Controllers controllers) {
    ControlledRun run = ControlledRun.hotKeys(seed, Weather.CALM, controllers);
    run.crashLeaderAtEachStep();
    run.run(20 * MINUTE);
    return run;
  }

  @ParameterizedTest
  @Seeds(few = 1, many = 6)
  void aThresholdIsLoweredAndRaisedOnce(long seed) {
    ControlledRun run = hotKeys(seed, Parts::right);
    assertTrue(run.book().hotThreshold().isLowered(), () -> run.actions().toString());
    run.ask(ControlledRun.SHOP, 100);
    run.run(20 * MINUTE);
    assertEquals(List.of(), run.faults());
    assertEquals(HotThreshold.CONFIGURED, run.book().hotThreshold());
    assertEquals(3, run.actions().size(), () -> run.actions().toString());
    assertEquals(
        Set.of(
            "rebalance: begun",
            "rebalance: measuring",
            "rebalance: done",
            "lower threshold: begun",
            "lower threshold: measuring",
            "lower threshold: done",
            "raise threshold: begun",
            "raise threshold: measuring",
            "raise threshold: done"),
        run.killedAt());
  }

  /**
   * The leader has begun to add a node, and reaches coordination no more. It does not hear that
   * another leads, which gets the node; for five minutes it goes on with what it has begun.
   */
  private static ControlledRun cutOff(long seed, ControlledRun.Controllers controllers) {
    ControlledRun run = promised(seed, controllers);
    run.provisionerRests(true);
    run.ask(ControlledRun.SHOP, 2_600);
    for (int i = 0; i < 60 && run.actions().isEmpty(); i++) {
      run.run(10 * ControlledRun.SECOND);
    }
    NodeId deposed = run.leader();
    run.cutLeaderOff(10 * MINUTE);
    run.provisionerRests(false);
    run.run(8 * MINUTE);
    assertNotEquals(deposed, run.leader());
    assertEquals(
        ActionStage.DONE, run.actions().getFirst().stage(), () -> run.actions().toString());
    run.run(10 * MINUTE);
    return run;
  }

  @ParameterizedTest
  @Seeds(few = 2, many = 12)
  void aLeaderThatIsCutOffFromCoordinationOrdersNothing(long seed) {
    ControlledRun run = cutOff(seed, Parts::right);
    assertEquals(List.of(), run.faults());
    assertTrue(run.running().contains(4L), () -> run.actions().toString());
  }

  /** What nothing could be done about, and what was done. */
  @Test
  void whoTakesOverSaysWhatWasDecidedBefore() {
    ControlledRun run = promised(1, Parts::right);
    run.mode(ControlMode.ACT, ControlledRun.NODES);
    run.ask(ControlledRun.SHOP, 2_900);
    run.run(5 * MINUTE);
    run.mode(ControlMode.ACT, ControlledRun.NODES + 1);
    run.run(15 * MINUTE);
    List<Decision> before = run.decidedForObjectives();
    assertEquals(
        List.of("keep the objective of shop", "add n4"),
        before.stream().map(Decision::what).toList());
    assertTrue(run.crashLeader());
    run.run(2 * MINUTE);
    List<Decision> after = run.decidedForObjectives();
    assertEquals(before.size(), after.size(), after::toString);
    for (int i = 0; i < before.size(); i++) {
      Decision was = before.get(i);
      Decision is = after.get(i);
      assertEquals(was.what(), is.what());
      assertEquals(was.why(), is.why());
      assertEquals(was.outcome(), is.outcome());
      assertEquals(was.detail(), is.detail());
      assertTrue(is.nanos() != 0, is::toString);
    }
    assertTrue(after.getFirst().nanos() < after.getLast().nanos(), after::toString);
    assertTrue(after.getLast().why().contains("; predicted: "), after::toString);
    assertTrue(after.getLast().detail().startsWith("kept: "), after::toString);
    // Said once, however long it leads.
    run.run(2 * MINUTE);
    assertEquals(after, run.decidedForObjectives());
  }

  // --- planted bugs

  /** It tells again what another has done with long ago. */
  @Test
  void aControllerThatOrdersWithoutReadingIsFound() {
    List<String> faults = cutOff(1, PlantedControllers.OrdersUnread::new).faults();
    assertTrue(
        faults.stream().anyMatch(fault -> fault.contains("orders n4 and was over long before")),
        faults::toString);
  }

  /** The threshold that the node that was killed has lowered is forgotten. */
  @Test
  void aControllerThatForgetsTheThresholdOfAnotherIsFound() {
    List<String> faults = hotKeys(1, PlantedControllers.ForgetsThreshold::new).faults();
    assertTrue(
        faults.stream().anyMatch(fault -> fault.contains("other than is written down")),
        faults::toString);
  }

  /** The decision of the node that was killed is lost. */
  @Test
  void aControllerThatForgetsWhatAnotherHasBegunIsFound() {
    List<String> faults = doubled(1, PlantedControllers.ForgetsOthers::new).faults();
    assertTrue(
        faults.stream().anyMatch(fault -> fault.contains("two actions at a time")),
        faults::toString);
  }

  /** Who takes over orders by its own count, and so the second node for one action. */
  @Test
  @Tag("slow")
  void aControllerThatOrdersAnewAfterTakingOverIsFound() {
    List<String> faults = doubled(1, PlantedControllers.OrdersAnew::new).faults();
    assertTrue(faults.stream().anyMatch(fault -> fault.contains("has ordered")), faults::toString);
  }
}
