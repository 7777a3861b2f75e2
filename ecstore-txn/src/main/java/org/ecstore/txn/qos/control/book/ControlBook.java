package org.ecstore.txn.qos.control.book;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;

/**
 * What the controller may do, is doing and has done, as it is kept in coordination. Immutable. An
 * action is in it before it is begun; one at most is not over, and it is the last.
 *
 * @param caps what an application of best effort may have, and by it all of them, each by its
 *     weight (decision 0088); of several, as books of earlier releases may have, the one that is
 *     least for its weight counts
 * @param added nodes that the controller has asked for and not taken away again, the oldest first
 * @param lastNode the highest number of a node that the controller has asked for; 0 if it has not
 * @param patience for so many windows something must be able to go until it is taken back
 * @param actions the newest last, {@link #ACTIONS_MAX} at most
 */
public record ControlBook(
    ControlSettings settings,
    List<Cap> caps,
    List<NodeId> added,
    long lastNode,
    int patience,
    List<ControlAction> actions) {
  /** Actions that are remembered. */
  public static final int ACTIONS_MAX = 100;

  /** Nodes that it may have asked for at a time. */
  public static final int ADDED_MAX = 256;

  static final int PATIENCE_MAX = 16;

  /** What has brought less is not done twice in a row. */
  private static final double GAIN = 0.9;

  /** Nothing was ever done. */
  public static final ControlBook EMPTY =
      new ControlBook(ControlSettings.DEFAULT, List.of(), List.of(), 0, 1, List.of());

  /** An application may have so many operations a second. */
  public record Cap(String application, long perSecond) {}

  public ControlBook {
    caps = List.copyOf(caps);
    added = List.copyOf(added);
    actions = List.copyOf(actions);
  }

  /** The action that is not over. */
  public Optional<ControlAction> current() {
    return actions.isEmpty() || actions.getLast().stage().isOver()
        ? Optional.empty()
        : Optional.of(actions.getLast());
  }

  /** The number of the next action. */
  public long nextNumber() {
    return actions.isEmpty() ? 1 : actions.getLast().number() + 1;
  }

  /** What an application may have; empty if that is not limited. */
  public Optional<Long> cap(String application) {
    return caps.stream()
        .filter(cap -> cap.application().equals(application))
        .map(Cap::perSecond)
        .findFirst();
  }

  /** The book with an action more, which is done from now on if it is under way. */
  public ControlBook begun(ControlAction action) {
    List<ControlAction> more = new ArrayList<>(actions);
    more.add(action);
    int from = Math.max(0, more.size() - ACTIONS_MAX);
    ControlBook with =
        new ControlBook(settings, caps, added, lastNode, patience, more.subList(from, more.size()));
    return action.stage() == ActionStage.UNDER_WAY ? with.applied(action) : with;
  }

  /** The book in which the last action is this, further than it was. */
  public ControlBook moved(ControlAction action) {
    List<ControlAction> all = new ArrayList<>(actions);
    ActionStage before = all.getLast().stage();
    all.set(all.size() - 1, action);
    ControlBook with = new ControlBook(settings, caps, added, lastNode, patience, all);
    return before == ActionStage.PROPOSED && action.stage() == ActionStage.UNDER_WAY
        ? with.applied(action)
        : with;
  }

  private ControlBook applied(ControlAction action) {
    return switch (action.kind()) {
      case LIMIT, RELEASE -> capped(action).withPatience(patienceAfter(action.kind()));
      case ADD_NODE ->
          asked(action.node().orElseThrow()).withPatience(patienceAfter(action.kind()));
      case REBALANCE, REMOVE_NODE -> this;
    };
  }

  /**
   * What was taken back and is wanted again was taken back too soon: it takes twice as long then.
   */
  private int patienceAfter(ActionKind kind) {
    boolean isMore = kind == ActionKind.LIMIT || kind == ActionKind.ADD_NODE;
    boolean wasLess =
        actions.size() > 1
            && actions.subList(0, actions.size() - 1).reversed().stream()
                .filter(action -> action.stage() == ActionStage.DONE)
                .findFirst()
                .filter(
                    action ->
                        action.kind() == ActionKind.RELEASE
                            || action.kind() == ActionKind.REMOVE_NODE)
                .isPresent();
    return isMore && wasLess ? Math.min(PATIENCE_MAX, patience * 2) : patience;
  }

  private ControlBook withPatience(int windows) {
    return new ControlBook(settings, caps, added, lastNode, windows, actions);
  }

  /** One cap says what all applications of best effort may have, by their weights. */
  private ControlBook capped(ControlAction action) {
    List<Cap> with =
        action.perSecond() > 0 ? List.of(new Cap(action.limited(), action.perSecond())) : List.of();
    return new ControlBook(settings, with, added, lastNode, patience, actions);
  }

  private ControlBook asked(NodeId node) {
    List<NodeId> with = new ArrayList<>(added);
    with.add(node);
    return new ControlBook(
        settings, caps, with, Math.max(lastNode, node.value()), patience, actions);
  }

  /** The book without nodes that are gone. */
  public ControlBook without(NodeId node) {
    List<NodeId> left = new ArrayList<>(added);
    left.remove(node);
    return new ControlBook(settings, caps, left, lastNode, patience, actions);
  }

  /** The book in which applications that have no objective any more are not limited. */
  public ControlBook withoutCaps(List<String> applications) {
    List<Cap> left = new ArrayList<>(caps);
    left.removeIf(cap -> applications.contains(cap.application()));
    return withCaps(left);
  }

  /** The book in which applications may have this. */
  public ControlBook withCaps(List<Cap> other) {
    return new ControlBook(settings, other, added, lastNode, patience, actions);
  }

  /** With other settings of an operator's; patience begins anew. */
  public ControlBook with(ControlSettings other) {
    return new ControlBook(other, caps, added, lastNode, 1, actions);
  }

  /** Whether primaries may be moved: not if that was the last action, and brought nothing. */
  public boolean mayRebalance() {
    if (actions.isEmpty() || actions.getLast().kind() != ActionKind.REBALANCE) {
      return true;
    }
    ControlAction last = actions.getLast();
    return last.afterMicros() > 0 && last.afterMicros() < last.beforeMicros() * GAIN;
  }

  /** Why a request cannot be done; absent if it can. */
  public Optional<String> refusal(ControlSettings wanted) {
    return wanted.nodesMax() < 1 || wanted.nodesMax() > ControlSettings.NODES_MAX
        ? Optional.of("the most nodes are a number from 1 to " + ControlSettings.NODES_MAX)
        : Optional.empty();
  }

  /** The action of that number, if it waits for an operator. */
  public Optional<ControlAction> proposed(long number) {
    return current()
        .filter(action -> action.number() == number)
        .filter(action -> action.stage() == ActionStage.PROPOSED)
        .filter(_ -> settings.mode() == ControlMode.ASK);
  }
}
