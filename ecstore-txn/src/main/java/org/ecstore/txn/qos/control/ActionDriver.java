package org.ecstore.txn.qos.control;

import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.core.port.Provisioner;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.txn.qos.control.book.ControlBook;
import org.ecstore.txn.qos.objective.ObjectiveBook.Promise;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decisions;

/**
 * Takes the action that is not over a step further at each check: orders what it needs until that
 * is there, then measures what it has brought. All that has to outlast this node is in the book.
 */
final class ActionDriver {
  /** Ids of what it asks the steward for, beside those of operators, which are random. */
  private static final long REQUESTS = 0x5105_0000_0000_0000L;

  private static final String NEEDLESS = "it is not needed any more";
  private static final double THOUSAND = 1_000;

  /** So many checks after it has come to lead a node has all reports of copies. */
  private static final int SETTLED_CHECKS = 2;

  /** What the controller knows. */
  record Sight(
      ControlledCluster cluster,
      ObjectiveKeeper objectives,
      ClusterOutlook outlook,
      CheckWindow window) {}

  /** What the controller does, and says, for what is driven. */
  interface Hands {
    /** Whether one node less leaves enough for the copies of each range. */
    boolean mayShrink();

    /** Whether a node has nothing for certain. */
    boolean hasNothing(NodeId node);

    /** Tells the provisioner something, once the book was read afresh and is as it was known. */
    void order(Runnable order);

    /** The node that is ordered for an action. */
    NodeId ordered(ControlAction action);

    /** The action is further than it was in the book. */
    void move(ControlBook book, ControlAction next);
  }

  private final NodeContext context;
  private final ControlTiming timing;
  private final ControlledCluster cluster;
  private final ObjectiveKeeper objectives;
  private final ClusterOutlook outlook;
  private final CheckWindow window;
  private final Provisioner provisioner;
  private final Decisions decisions;
  private final ActionDecisions said;
  private final Hands hands;

  private DrivenAction driven = DrivenAction.NONE;

  /** The action for which this node has told the provisioner last to take a node away; or 0. */
  private long toldToGo;

  /** One that drives nothing yet. */
  ActionDriver(
      NodeContext context,
      ControlTiming timing,
      Sight sight,
      Provisioner provisioner,
      Decisions decisions,
      ActionDecisions said,
      Hands hands) {
    this.context = context;
    this.timing = timing;
    this.cluster = sight.cluster();
    this.objectives = sight.objectives();
    this.outlook = sight.outlook();
    this.window = sight.window();
    this.provisioner = provisioner;
    this.decisions = decisions;
    this.said = said;
    this.hands = hands;
  }

  /** This node has come to lead: what it drove before counts no more. */
  void forget() {
    driven = DrivenAction.NONE;
    toldToGo = 0;
  }

  /** What is driven has all its time from now on. */
  void beginAnew() {
    driven = DrivenAction.NONE;
  }

  /** Takes the next step, if it is time to. */
  void drive(ControlBook book, ControlAction action) {
    if (!driven.isOf(action)) {
      driven = DrivenAction.of(action, context.nanos());
    }
    said.say(action);
    switch (action.stage()) {
      case PROPOSED -> reconsider(book, action);
      case UNDER_WAY -> {
        switch (action.kind()) {
          case LIMIT, RELEASE, LOWER_THRESHOLD, RAISE_THRESHOLD ->
              hands.move(book, action.at(ActionStage.MEASURING, "nodes have been told"));
          case REBALANCE -> rebalance(book, action);
          case ADD_NODE -> add(book, action);
          case REMOVE_NODE -> remove(book, action);
        }
      }
      case MEASURING -> measure(book, action);
      case DONE, FAILED, WITHDRAWN -> {}
    }
  }

  private void reconsider(ControlBook book, ControlAction action) {
    boolean isMeant = book.settings().mode() == ControlMode.ASK;
    boolean isNeeded =
        !window.isFull()
            || (ControlBook.takesBack(action.kind())
                ? window.violated().isEmpty() || isUseless(action)
                : window.violated(action.about()) > 0);
    if (!isMeant || !isNeeded) {
      hands.move(
          book,
          action.at(
              ActionStage.WITHDRAWN,
              isMeant ? NEEDLESS : "mode is " + book.settings().mode().word()));
    }
  }

  /** Whether an action takes a node away that has nothing, as far as is known. */
  private boolean isUseless(ControlAction action) {
    return action.kind() == ActionKind.REMOVE_NODE
        && action.node().filter(node -> !cluster.isKnown() || hands.hasNothing(node)).isPresent();
  }

  private void rebalance(ControlBook book, ControlAction action) {
    if (!cluster.isKnown()) {
      return;
    }
    Decision asked = cluster.ask(new AdminRequest.Rebalance(), REQUESTS | action.number());
    switch (asked.outcome()) {
      case UNDER_WAY -> failLate(book, action, "it does not come to an end");
      case DONE -> hands.move(book, action.at(ActionStage.MEASURING, asked.detail()));
      case REFUSED, PUT_OFF -> hands.move(book, action.at(ActionStage.FAILED, asked.detail()));
    }
  }

  private boolean isLate() {
    return driven.isLate(timing, context.nanos());
  }

  private void failLate(ControlBook book, ControlAction action, String why) {
    if (isLate()) {
      hands.move(book, action.at(ActionStage.FAILED, why));
    }
  }

  private void add(ControlBook book, ControlAction action) {
    NodeId node = action.node().orElseThrow();
    if (outlook.isThere(node) && cluster.isServing(node)) {
      hands.move(book, action.at(ActionStage.MEASURING, node + " has its place"));
      return;
    }
    if (outlook.isThere(node)) {
      failLate(book, action, node + " is there and has no place");
    } else if (isLate()) {
      String why =
          "the provisioner does not bring %s: %s".formatted(node, outlook.provisionerWords());
      hands.order(
          () -> {
            // What it may have started for it is not to stay.
            provisioner.remove(action.number(), node);
            hands.move(book, action.at(ActionStage.FAILED, why));
          });
    } else {
      hands.order(() -> provisioner.add(action.number(), hands.ordered(action)));
    }
  }

  private void remove(ControlBook book, ControlAction action) {
    NodeId node = action.node().orElseThrow();
    if (hands.hasNothing(node)) {
      dismiss(book, action, node);
    } else if (cluster.isKnown()) {
      drain(book, action, node);
    }
  }

  /** It has nothing, and was turned away, so that it gets nothing more. */
  private void dismiss(ControlBook book, ControlAction action, NodeId node) {
    if (!outlook.isThere(node) && toldToGo == action.number()) {
      hands.move(book, action.at(ActionStage.MEASURING, node + " has gone"));
      return;
    }
    hands.order(
        () -> {
          if (hands.hasNothing(node)) {
            toldToGo = action.number();
            provisioner.remove(action.number(), node);
          }
        });
    failLate(
        book,
        action,
        "the provisioner does not take %s away: %s".formatted(node, outlook.provisionerWords()));
  }

  private void drain(ControlBook book, ControlAction action, NodeId node) {
    // What a predecessor has begun goes on: the node says itself that it leaves.
    boolean isBegun =
        decisions.ofRequest(REQUESTS | action.number()).isPresent() || cluster.wantsToLeave(node);
    if (!isBegun && !hands.mayShrink()) {
      if (context.nanos() - driven.nanos() >= SETTLED_CHECKS * timing.checkNanos()) {
        hands.move(book, action.at(ActionStage.FAILED, "a copy is missing, or nodes are too few"));
      }
      return;
    }
    // Before it is asked, which may change the map: while that is being changed nothing is known.
    OptionalInt held = cluster.held(node);
    Decision asked = cluster.ask(new AdminRequest.Drain(node), REQUESTS | action.number());
    switch (asked.outcome()) {
      case UNDER_WAY -> awaitDrain(book, action, held);
      case DONE -> failLate(book, action, "it cannot give up what it has");
      case REFUSED, PUT_OFF -> hands.move(book, action.at(ActionStage.FAILED, asked.detail()));
    }
  }

  /** A drain takes as long as it takes, as long as it gives up one thing after the other. */
  private void awaitDrain(ControlBook book, ControlAction action, OptionalInt held) {
    driven = driven.seen(held, context.nanos());
    if (driven.isStuck(timing, context.nanos())) {
      hands.move(book, action.at(ActionStage.FAILED, "it does not give up what it has"));
    }
  }

  private void measure(ControlBook book, ControlAction action) {
    if (!window.isFull()) {
      return;
    }
    Optional<ServiceFigures> had =
        objectives
            .book()
            .flatMap(promised -> promised.of(action.about()))
            .flatMap(promise -> outlook.figures(promise.objective()));
    Optional<Objective> about =
        objectives.book().flatMap(promised -> promised.of(action.about())).map(Promise::objective);
    long micros =
        had.flatMap(figures -> about.flatMap(objective -> Remedies.felt(objective, figures)))
            .orElse(0L);
    String now =
        about
            .map(
                objective ->
                    ServiceVerdict.of(objective, had).word()
                        + (micros == 0
                            ? ""
                            : ": %s ms, predicted %s ms"
                                .formatted(micros / THOUSAND, action.predictedMicros() / THOUSAND))
                        + had.map(figures -> Remedies.unanswered(objective, figures)).orElse(""))
            .orElse("there is no objective to measure it by");
    hands.move(book, action.measured(micros, now));
  }
}
