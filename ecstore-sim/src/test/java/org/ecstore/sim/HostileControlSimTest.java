package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlChange;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.model.objective.Statistic;
import org.ecstore.protocol.ClientReply;
import org.ecstore.sim.ControlledRun.Parts;
import org.ecstore.sim.ControlledRun.Weather;
import org.ecstore.txn.qos.control.ControlledCluster;
import org.ecstore.txn.qos.control.Controller;
import org.ecstore.txn.steward.decision.Decision;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the controller does not rely on: that a provisioner does what it says, that clocks go on
 * evenly, that an operator answers while a proposal still holds. And what it keeps to: the cap on
 * cost.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class HostileControlSimTest {
  private static final long MINUTE = ControlledRun.MINUTE;
  private static final long CHECK = 10 * ControlledRun.SECOND;

  private static ControlledRun promised(
      long seed, ControlledRun.Controllers controllers, Optional<BigDecimal> price) {
    return ControlledRun.promised(seed, Weather.CALM, controllers, Statistic.P99, price);
  }

  private static ControlledRun promised(long seed) {
    return promised(seed, Parts::right, Optional.empty());
  }

  /**
   * It says each time that all is there: it brings another node, then one that ends at once, then
   * the right one; and does not take it away until it is told for the third time.
   */
  @ParameterizedTest
  @Seeds(few = 2, many = 8)
  void aProvisionerThatLiesIsSurvived(long seed) {
    ControlledRun run = promised(seed);
    run.provisionerLies();
    run.ask(ControlledRun.SHOP, 2_600);
    run.run(20 * MINUTE);
    assertEquals(List.of(1L, 2L, 3L, 4L, 9L), run.running(), () -> run.actions().toString());
    assertEquals(1, run.done(ActionKind.ADD_NODE), () -> run.actions().toString());
    run.ask(ControlledRun.SHOP, 600);
    run.run(40 * MINUTE);
    assertEquals(List.of(), run.faults());
    // What it has not asked for it does not take away.
    assertEquals(List.of(1L, 2L, 3L, 9L), run.running(), () -> run.actions().toString());
    assertEquals(ControlledRun.NODES + 1, run.places());
    assertEquals(1, run.done(ActionKind.REMOVE_NODE));
    assertEquals(2, run.actions().size(), () -> run.actions().toString());
  }

  @Test
  void aProvisionerThatDoesNothingMakesTheActionFailAndTheNextOneIsAnother() {
    ControlledRun run = promised(3);
    run.provisionerRests(true);
    run.ask(ControlledRun.SHOP, 2_600);
    run.run(8 * MINUTE);
    ControlAction first = run.actions().getFirst();
    assertEquals(ActionStage.FAILED, first.stage(), first::toString);
    assertTrue(first.detail().contains("the provisioner does not bring n4"), first::detail);
    run.provisionerRests(false);
    run.run(15 * MINUTE);
    assertEquals(List.of(1L, 2L, 3L, 5L), run.running(), () -> run.actions().toString());
    assertEquals(List.of(), run.faults());
  }

  /**
   * What was ordered and has not come counts, until it was ordered away: it may cost as much. Four
   * nodes may be, and it is the fifth that comes.
   */
  @Test
  void whatHasNotComeCountsUntilItWasOrderedAway() {
    ControlledRun run = promised(17);
    run.mode(ControlMode.ACT, ControlledRun.NODES + 1);
    run.provisionerRests(true);
    run.ask(ControlledRun.SHOP, 2_600);
    run.run(8 * MINUTE);
    assertEquals(ActionStage.FAILED, run.actions().getFirst().stage(), run.actions()::toString);
    run.provisionerRests(false);
    run.run(15 * MINUTE);
    assertEquals(
        List.of(ActionKind.ADD_NODE, ActionKind.REMOVE_NODE, ActionKind.ADD_NODE),
        run.actions().stream().map(ControlAction::kind).toList(),
        () -> run.actions().toString());
    assertEquals(Optional.of(new NodeId(4)), run.actions().get(1).node());
    assertTrue(run.removalsOf(new NodeId(4)) >= 2, "as it had not come, and for the action");
    assertEquals(List.of(1L, 2L, 3L, 5L), run.running(), () -> run.actions().toString());
    assertEquals(List.of(), run.faults());
  }

  /** A node that was drained, and that the provisioner leaves there, keeps no other from coming. */
  @Test
  void aNodeThatHasNothingMakesRoomForOneThatHelps() {
    ControlledRun run = promised(18);
    run.mode(ControlMode.ACT, ControlledRun.NODES + 1);
    run.ask(ControlledRun.SHOP, 2_600);
    run.run(10 * MINUTE);
    run.provisionerRests(true);
    run.ask(ControlledRun.SHOP, 900);
    for (int i = 0; i < 120 && run.actions().getLast().stage() != ActionStage.FAILED; i++) {
      run.run(CHECK);
    }
    assertEquals(ActionStage.FAILED, run.actions().getLast().stage(), run.actions()::toString);
    assertEquals(ControlledRun.NODES, run.places());
    run.ask(ControlledRun.SHOP, 2_600);
    run.provisionerRests(false);
    run.run(15 * MINUTE);
    assertEquals(List.of(1L, 2L, 3L, 5L), run.running(), () -> run.actions().toString());
    assertEquals(ControlledRun.NODES + 1, run.places());
    assertEquals(List.of(), run.faults());
  }

  private static final String NOT_THIS_ONE = "no other node has its kind";

  /** A cluster whose steward refuses to drain a node. */
  private static final class WithoutDrainOf extends UnseenCluster {
    private final NodeId kept;

    WithoutDrainOf(ControlledCluster seen, NodeId kept) {
      super(seen, () -> false);
      this.kept = kept;
    }

    @Override
    public Decision ask(AdminRequest.OfRanges request, long id) {
      return request.equals(new AdminRequest.Drain(kept))
          ? new Decision(
              1,
              0,
              MapVersion.ZERO,
              Decision.Cause.OPERATOR,
              List.of(),
              "drain " + kept,
              "",
              Decision.Outcome.REFUSED,
              NOT_THIS_ONE,
              id)
          : super.ask(request, id);
    }
  }

  /** Two nodes come, and both could go; the second one cannot be drained. */
  @Test
  void aNodeThatCannotBeDrainedKeepsNoOther() {
    ControlledRun run =
        promised(
            20,
            parts -> parts.with(new WithoutDrainOf(parts.cluster(), new NodeId(5))).right(),
            Optional.empty());
    run.ask(ControlledRun.SHOP, 3_700);
    run.run(20 * MINUTE);
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L), run.running(), () -> run.actions().toString());
    run.ask(ControlledRun.SHOP, 900);
    run.run(30 * MINUTE);
    ControlAction failed = run.actions().get(2);
    assertEquals(Optional.of(new NodeId(5)), failed.node(), failed::toString);
    assertEquals(ActionStage.FAILED, failed.stage(), failed::toString);
    assertEquals(NOT_THIS_ONE, failed.detail());
    assertEquals(List.of(1L, 2L, 3L, 5L), run.running(), () -> run.actions().toString());
    assertEquals(List.of(), run.faults());
  }

  // --- clocks

  /** A node takes 5 minutes at most; it does not take longer where a clock has jumped by 7. */
  @ParameterizedTest
  @Seeds(few = 2, many = 8)
  void aClockThatJumpsDoesNotEndWhatIsUnderWay(long seed) {
    ControlledRun run = promised(seed);
    run.provisionerRests(true);
    run.ask(ControlledRun.SHOP, 2_600);
    for (int i = 0; i < 60 && run.actions().isEmpty(); i++) {
      run.run(CHECK);
    }
    run.run(2 * CHECK);
    assertEquals(ActionStage.UNDER_WAY, run.actions().getLast().stage());
    run.jumpLeadersClock(7 * MINUTE);
    run.run(3 * CHECK);
    assertEquals(ActionStage.UNDER_WAY, run.actions().getLast().stage(), run.actions()::toString);
    run.provisionerRests(false);
    run.run(5 * MINUTE);
    assertEquals(1, run.actions().size(), () -> run.actions().toString());
    assertEquals(1, run.done(ActionKind.ADD_NODE), () -> run.actions().toString());
    assertEquals(List.of(), run.faults());
  }

  /** How many checks it takes from a doubled load to the first action, 60 at most. */
  private static int checksUntilItActs(long jump, int jumpsAt) {
    ControlledRun run = promised(5);
    run.ask(ControlledRun.SHOP, 1_500);
    run.run(5 * MINUTE);
    run.ask(ControlledRun.SHOP, 2_600);
    int checks = 0;
    while (checks < 60 && run.actions().isEmpty()) {
      if (checks == jumpsAt) {
        run.jumpLeadersClock(jump);
      }
      run.run(CHECK);
      checks++;
    }
    assertEquals(ActionKind.ADD_NODE, run.actions().getFirst().kind());
    return checks;
  }

  @Test
  void aClockThatJumpsMakesTheWindowBeginAnew() {
    int still = checksUntilItActs(0, -1);
    int jumping = checksUntilItActs(MINUTE, still - 1);
    // A whole window, of six checks, from the jump on.
    assertTrue(jumping >= still - 1 + 6, () -> jumping + " checks, and without a jump " + still);
  }

  // --- what is refused

  /** Nodes that use two thirds refuse five of a hundred at once; the others are fast enough. */
  @Test
  void whatIsRefusedAtOnceIsNotKept() {
    ControlledRun run = promised(15);
    run.refused(0.6, 0.05);
    run.ask(ControlledRun.SHOP, 2_000);
    run.run(10 * MINUTE);
    assertEquals(1, run.actions().size(), () -> run.actions().toString());
    ControlAction added = run.actions().getFirst();
    assertEquals(ActionKind.ADD_NODE, added.kind(), added::toString);
    assertTrue(added.why().contains(", 5 % without an answer; nodes use 67 %"), added::why);
    assertTrue(added.detail().startsWith("kept: "), added::toString);
    assertEquals(List.of(), run.faults());
  }

  /** A node more would refuse as many. */
  @Test
  void whatIdleNodesRefuseIsNotHelpedByANode() {
    ControlledRun run = promised(16);
    run.refused(0, 1);
    run.ask(ControlledRun.SHOP, 200);
    run.run(10 * MINUTE);
    assertEquals(List.of(), run.actions());
    assertEquals(
        List.of("keep the objective of shop"),
        run.decidedForObjectives().stream().map(Decision::what).toList());
    assertEquals(List.of(), run.faults());
  }

  // --- what is reported

  /** Names are what clients say: 320 applications and tables are told apart by no node. */
  @Test
  void whoInventsNamesKeepsNoObjectiveFromBeingKept() {
    SortedMap<NodeId, Controller> made = new TreeMap<>();
    ControlledRun run = promised(19, noting(made), Optional.empty());
    run.ask(ControlledRun.SHOP, 1_500);
    run.inventNames();
    run.run(2 * MINUTE);
    assertEquals(1, found(made, ServiceVerdict.KEPT));
    run.ask(ControlledRun.SHOP, 2_600);
    run.run(6 * MINUTE);
    assertEquals(1, run.done(ActionKind.ADD_NODE), () -> run.actions().toString());
    assertEquals(List.of(), run.faults());
  }

  // --- limits

  /** Reports flood, and are limited. */
  private static ControlledRun limited(long seed) {
    ControlledRun run = promised(seed);
    run.mode(ControlMode.ACT, ControlledRun.NODES);
    run.promise(ControlledRun.REPORTS, ServiceClass.BEST_EFFORT);
    run.ask(ControlledRun.SHOP, 1_000);
    run.ask(ControlledRun.REPORTS, 100_000);
    run.run(10 * MINUTE);
    assertTrue(run.done(ActionKind.LIMIT) > 0, run.actions()::toString);
    return run;
  }

  /** A node that does not lead. */
  private static NodeId follower(ControlledRun run) {
    return run.running().stream()
        .map(NodeId::new)
        .filter(node -> !node.equals(run.leader()))
        .findFirst()
        .orElseThrow();
  }

  /**
   * What a node knew of limits is gone with its process: until the next check a flood would have
   * all of it. Checks are 10 s apart, and crashes 7.
   */
  @ParameterizedTest
  @Seeds(few = 2, many = 8)
  void aNodeThatHasJustStartedIsToldOfLimitsAtOnce(long seed) {
    ControlledRun run = limited(seed);
    NodeId node = follower(run);
    for (int i = 0; i < 4; i++) {
      run.crash(node);
      run.run(ControlledRun.SECOND);
      run.start(node);
      run.run(2 * ControlledRun.SECOND);
      long refused = overloaded(run.burst(node, ControlledRun.REPORTS, 300));
      assertTrue(refused >= 150, () -> refused + " are refused");
      run.run(2 * ControlledRun.SECOND);
    }
    assertEquals(List.of(), run.faults());
  }

  /** Another objective is heard of at once, and not at the next check. */
  @Test
  void nodesAreToldAtOnceWhatIsPromised() {
    ControlledRun run = limited(21);
    for (int i = 0; i < 3; i++) {
      run.promise(ControlledRun.LOGS, ServiceClass.BEST_EFFORT);
      run.run(2 * ControlledRun.SECOND);
      long refused = overloaded(run.burst(ControlledRun.LOGS, 300));
      assertTrue(refused >= 150, () -> refused + " are refused");
      run.tell(new AdminRequest.RemoveObjective(ControlledRun.LOGS, 1));
      run.run(2 * ControlledRun.SECOND);
      assertEquals(0, overloaded(run.burst(ControlledRun.LOGS, 300)));
    }
    assertEquals(List.of(), run.faults());
  }

  // --- operators

  /** What the metric of objectives is told. */
  @Test
  void theNodeThatLeadsCountsWhatItFindsOfObjectives() {
    SortedMap<NodeId, Controller> made = new TreeMap<>();
    ControlledRun run = promised(12, noting(made), Optional.empty());
    run.mode(ControlMode.OBSERVE, 5);
    run.ask(ControlledRun.SHOP, 1_500);
    run.run(3 * MINUTE);
    assertEquals(1, found(made, ServiceVerdict.KEPT));
    assertEquals(0, found(made, ServiceVerdict.VIOLATED));
    run.ask(ControlledRun.SHOP, 2_900);
    run.run(3 * MINUTE);
    assertEquals(0, found(made, ServiceVerdict.KEPT));
    assertEquals(1, found(made, ServiceVerdict.VIOLATED));
    // Another node leads; of the one before nothing is counted any more.
    run.crashLeader();
    run.run(3 * MINUTE);
    assertEquals(1, found(made, ServiceVerdict.VIOLATED));
  }

  /**
   * Clients report half a second later each time than the controller looks, so that two reports of
   * theirs come within little more than one interval. They ask for nine tenths of what is promised:
   * that is never taken to be more.
   */
  @Test
  void atTheUsualPaceWhoIsWithinItsPromiseIsNotTakenToBeBeyondIt() {
    SortedMap<NodeId, Controller> made = new TreeMap<>();
    ControlledRun run = new ControlledRun(14, Weather.CALM, noting(made), ControlledRun.Pace.USUAL);
    run.promiseRate(ControlledRun.SHOP, 2_900);
    run.ask(ControlledRun.SHOP, 2_600);
    run.run(3 * MINUTE);
    for (int i = 0; i < 180; i++) {
      run.run(CHECK);
      assertEquals(1, found(made, ServiceVerdict.VIOLATED), "after " + i * 10 + " s");
    }
    run.mode(ControlMode.ACT, 5);
    run.run(30 * MINUTE);
    assertEquals(1, run.done(ActionKind.ADD_NODE), () -> run.actions().toString());
    assertEquals(ControlledRun.NODES + 1, run.places(), () -> run.actions().toString());
    assertEquals(1, found(made, ServiceVerdict.KEPT));
    assertEquals(List.of(), run.faults());
  }

  /** Interference, both ways (issue 19.7): without a controller the same flood is felt. */
  @Test
  void besideAFloodTheShopIsKeptByTheControllerAlone() {
    for (ControlMode mode : List.of(ControlMode.FREEZE, ControlMode.ACT)) {
      SortedMap<NodeId, Controller> made = new TreeMap<>();
      ControlledRun run = promised(13, noting(made), Optional.empty());
      run.mode(mode, ControlledRun.NODES);
      run.promise(ControlledRun.REPORTS, ServiceClass.BEST_EFFORT);
      run.ask(ControlledRun.SHOP, 1_000);
      run.run(5 * MINUTE);
      assertEquals(0, found(made, ServiceVerdict.VIOLATED), mode::word);
      run.ask(ControlledRun.REPORTS, 100_000);
      run.run(10 * MINUTE);
      boolean acts = mode == ControlMode.ACT;
      assertEquals(acts ? 0 : 1, found(made, ServiceVerdict.VIOLATED), run.actions()::toString);
      assertEquals(acts, run.done(ActionKind.LIMIT) > 0, run.actions()::toString);
      assertEquals(0, overloaded(run.burst(ControlledRun.SHOP, 300)), mode::word);
      long refused = overloaded(run.burst(ControlledRun.REPORTS, 300));
      assertTrue(acts ? refused >= 150 : refused == 0, () -> refused + " are refused");
      assertEquals(List.of(), run.faults());
    }
  }

  /** How many are told that this is too much, each with a time to come back. */
  private static long overloaded(List<ClientReply> replies) {
    assertEquals(300, replies.size());
    return replies.stream()
        .filter(
            reply ->
                reply instanceof ClientReply.Refused refused
                    && refused.code() == RefusalCode.OVERLOADED
                    && refused.againMillis() > 0)
        .count();
  }

  /** Keeps the controller of the last life of each node. */
  private static ControlledRun.Controllers noting(SortedMap<NodeId, Controller> made) {
    return parts -> {
      Controller right = parts.right();
      made.put(parts.context().self(), right);
      return right;
    };
  }

  private static int found(SortedMap<NodeId, Controller> made, ServiceVerdict verdict) {
    return made.values().stream().mapToInt(one -> one.found(verdict)).sum();
  }

  /** Two commands at the same time, of which one is about the bound of nodes alone. */
  @Test
  void aFreezeIsNotUndoneByACommandBesideIt() {
    ControlledRun run = promised(22);
    ControlSettings before = run.book().settings();
    run.tell(
        new AdminRequest.ChangeControl(
            new ControlChange(
                Optional.of(ControlMode.FREEZE), OptionalInt.empty(), OptionalLong.empty())));
    run.tell(
        new AdminRequest.ChangeControl(
            new ControlChange(Optional.empty(), OptionalInt.of(7), OptionalLong.empty())));
    assertEquals(
        new ControlSettings(ControlMode.FREEZE, 7, before.costMaxMilli()), run.book().settings());
    assertEquals(
        Optional.of(Decision.Outcome.REFUSED),
        run.outcomeOf(
            new AdminRequest.ChangeControl(
                new ControlChange(
                    Optional.of(ControlMode.ACT), OptionalInt.of(0), OptionalLong.empty()))));
    assertEquals(ControlMode.FREEZE, run.book().settings().mode());
    assertEquals(List.of(), run.faults());
  }

  /** A node may go, says a proposal; before it is answered the load is back. */
  @Test
  void aProposalToTakeBackIsWithdrawnAsItIsNeededAgain() {
    ControlledRun run = promised(9);
    run.ask(ControlledRun.SHOP, 2_600);
    run.run(10 * MINUTE);
    assertEquals(1, run.done(ActionKind.ADD_NODE), () -> run.actions().toString());
    run.mode(ControlMode.ASK, 5);
    run.ask(ControlledRun.SHOP, 900);
    run.run(10 * MINUTE);
    ControlAction back = run.actions().getLast();
    assertEquals(ActionKind.REMOVE_NODE, back.kind(), () -> run.actions().toString());
    assertEquals(ActionStage.PROPOSED, back.stage());
    run.ask(ControlledRun.SHOP, 3_800);
    run.run(10 * MINUTE);
    assertEquals(
        ActionStage.WITHDRAWN, run.actions().get(1).stage(), () -> run.actions().toString());
    ControlAction more = run.actions().getLast();
    assertEquals(ActionKind.ADD_NODE, more.kind(), () -> run.actions().toString());
    assertEquals(ActionStage.PROPOSED, more.stage());
    assertEquals(List.of(), run.faults());
  }

  // --- the cap on cost

  private static final Optional<BigDecimal> DIME = Optional.of(new BigDecimal("0.1"));

  @Test
  void aNodeThatWouldCostTooMuchIsNotAdded() {
    ControlledRun run = promised(10, Parts::right, DIME);
    run.mode(ControlMode.ACT, 5, 399);
    run.ask(ControlledRun.SHOP, 3_700);
    run.run(10 * MINUTE);
    assertEquals(ControlledRun.NODES, run.places());
    assertEquals(List.of(), run.actions());
    // Four at that price, and not five, though one is wanted.
    run.mode(ControlMode.ACT, 5, 400);
    run.run(20 * MINUTE);
    assertEquals(ControlledRun.NODES + 1, run.places(), () -> run.actions().toString());
    assertEquals(1, run.actions().size(), () -> run.actions().toString());
    run.mode(ControlMode.ACT, 5, 0);
    run.run(20 * MINUTE);
    assertEquals(5, run.places(), () -> run.actions().toString());
    assertEquals(List.of(), run.faults());
  }

  /**
   * A node is down for minutes and comes back: until it does it counts for both bounds, which would
   * be exceeded with another one in its place.
   */
  @ParameterizedTest
  @CsvSource({"3, 0", "5, 399"})
  void aNodeThatIsDownMakesNoRoomForAnother(int nodesMax, long costMaxMilli) {
    ControlledRun run = ControlledRun.waiting(22, DIME.orElseThrow());
    run.mode(ControlMode.ACT, nodesMax, costMaxMilli);
    NodeId node = follower(run);
    run.crash(node);
    run.ask(ControlledRun.SHOP, 2_600);
    run.run(4 * MINUTE);
    assertEquals(List.of(), run.actions());
    Decision helpless = run.decidedForObjectives().getLast();
    assertEquals("keep the objective of shop", helpless.what());
    run.start(node);
    run.run(MINUTE);
    assertEquals(List.of(1L, 2L, 3L), run.running(), () -> run.actions().toString());
    assertEquals(List.of(), run.faults());
  }

  /** Of nodes that do not say what they cost no cap can be kept. */
  @Test
  void withACapNodesWithoutAPriceAreNotAdded() {
    ControlledRun run = promised(11);
    run.mode(ControlMode.ACT, 5, 1_000_000);
    run.ask(ControlledRun.SHOP, 2_600);
    run.run(10 * MINUTE);
    assertEquals(ControlledRun.NODES, run.places(), () -> run.actions().toString());
    assertEquals(List.of(), run.actions());
    run.mode(ControlMode.ACT, 5, 0);
    run.run(10 * MINUTE);
    assertEquals(ControlledRun.NODES + 1, run.places(), () -> run.actions().toString());
    assertEquals(List.of(), run.faults());
  }
}
