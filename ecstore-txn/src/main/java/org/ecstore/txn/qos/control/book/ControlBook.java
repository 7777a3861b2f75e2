package org.ecstore.txn.qos.control.book;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
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
 * @param patience how long something must be able to go until it is taken back
 * @param hotThreshold from which load on busiest keys get hot-spot replicas (decision 0090)
 * @param actions the newest last, {@link #ACTIONS_MAX} at most
 * @param past what is said of all that, and nothing is decided by
 */
public record ControlBook(
    ControlSettings settings,
    List<Cap> caps,
    List<NodeId> added,
    long lastNode,
    ControlPatience patience,
    HotThreshold hotThreshold,
    List<ControlAction> actions,
    ControlPast past) {
  /** Actions that are remembered. */
  public static final int ACTIONS_MAX = 100;

  /** Nodes that it may have asked for at a time. */
  public static final int ADDED_MAX = 256;

  /** What has brought less is not done twice in a row. */
  private static final double GAIN = 0.9;

  /** Nothing was ever done. */
  public static final ControlBook EMPTY =
      new ControlBook(
          ControlSettings.DEFAULT,
          List.of(),
          List.of(),
          0,
          ControlPatience.FIRST,
          HotThreshold.CONFIGURED,
          List.of());

  /**
   * An application may have so many operations a second.
   *
   * @param weight by which that was found: a unit of weight has so much of it, whichever weight the
   *     application takes later; 0 in a book of an earlier release
   */
  public record Cap(String application, long perSecond, int weight) {
    /** What a unit of weight may have, of an application that has so many now. */
    public double level(int weightNow) {
      return (double) perSecond / (weight > 0 ? weight : weightNow);
    }
  }

  /**
   * From how many reads a second of a copy on its busiest keys get hot-spot replicas.
   *
   * @param perSecond 0 if that is as nodes are configured
   * @param unevenMilli how many times the mean the busiest node had to do before, in thousandths; 0
   *     if it is as nodes are configured
   */
  public record HotThreshold(long perSecond, long unevenMilli) {
    /** As nodes are configured. */
    public static final HotThreshold CONFIGURED = new HotThreshold(0, 0);

    /** Whether it is lower than nodes are configured. */
    public boolean isLowered() {
      return perSecond > 0;
    }
  }

  /** One of which nothing is known but what is done. */
  public ControlBook(
      ControlSettings settings,
      List<Cap> caps,
      List<NodeId> added,
      long lastNode,
      ControlPatience patience,
      HotThreshold hotThreshold,
      List<ControlAction> actions) {
    this(settings, caps, added, lastNode, patience, hotThreshold, actions, ControlPast.NONE);
  }

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

  /** What an application may have; empty if it is not the one that is named. */
  public Optional<Cap> cap(String application) {
    return caps.stream().filter(cap -> cap.application().equals(application)).findFirst();
  }

  /** As below, where the time is not known. */
  public ControlBook begun(ControlAction action) {
    return begun(action, 0);
  }

  /**
   * The book with an action more, which is done from now on if it is under way.
   *
   * @param millis now, in milliseconds since 1970; 0 if that is not known
   */
  public ControlBook begun(ControlAction action, long millis) {
    List<ControlAction> more = new ArrayList<>(actions);
    more.add(action);
    int from = Math.max(0, more.size() - ACTIONS_MAX);
    ControlBook with =
        new ControlBook(
            settings,
            caps,
            added,
            lastNode,
            patience,
            hotThreshold,
            more.subList(from, more.size()),
            past.begun(action.number(), millis, more.get(from).number()));
    return action.stage() == ActionStage.UNDER_WAY ? with.applied(action) : with;
  }

  /** The book in which the last action is this, further than it was. */
  public ControlBook moved(ControlAction action) {
    List<ControlAction> all = new ArrayList<>(actions);
    ActionStage before = all.getLast().stage();
    all.set(all.size() - 1, action);
    ControlBook with =
        new ControlBook(settings, caps, added, lastNode, patience, hotThreshold, all, past);
    return before == ActionStage.PROPOSED && action.stage() == ActionStage.UNDER_WAY
        ? with.applied(action)
        : with;
  }

  private ControlBook applied(ControlAction action) {
    ControlBook after = withPatience(patienceAfter(action.kind()));
    return switch (action.kind()) {
      case LIMIT, RELEASE -> after.capped(action);
      case ADD_NODE -> after.asked(action.node().orElseThrow());
      case LOWER_THRESHOLD ->
          after.withThreshold(new HotThreshold(action.perSecond(), hotThreshold.unevenMilli()));
      case RAISE_THRESHOLD -> after.withThreshold(HotThreshold.CONFIGURED);
      case REBALANCE, REMOVE_NODE -> after;
    };
  }

  private ControlPatience patienceAfter(ActionKind kind) {
    return switch (kind) {
      case LIMIT, LOWER_THRESHOLD, ADD_NODE -> hasTakenBack() ? patience.missed() : patience.anew();
      case RELEASE, RAISE_THRESHOLD, REMOVE_NODE -> patience.anew();
      case REBALANCE -> patience;
    };
  }

  /**
   * Whether what was done last, but for primaries that have moved, was to take something back. To
   * have a node taken away that never came is not: it was not there.
   */
  private boolean hasTakenBack() {
    return actions.reversed().stream()
        .filter(action -> action.stage() == ActionStage.DONE)
        .filter(action -> action.kind() != ActionKind.REBALANCE)
        .filter(action -> !action.node().map(this::hasNotCome).orElse(false))
        .findFirst()
        .filter(action -> takesBack(action.kind()))
        .isPresent();
  }

  private boolean hasNotCome(NodeId node) {
    return actions.stream()
        .filter(action -> action.kind() == ActionKind.ADD_NODE)
        .filter(action -> action.stage() == ActionStage.FAILED)
        .anyMatch(action -> action.node().filter(node::equals).isPresent());
  }

  /**
   * The book in which what was taken back last was not needed for a window more; as it is if
   * something else was done since, or nothing follows from it.
   *
   * @param enough for how many windows it must not be needed until it is proven
   */
  public ControlBook notNeeded(int enough) {
    return hasTakenBack() ? withPatience(patience.notNeeded(enough)) : this;
  }

  /** Whether an action of that kind takes something back. */
  public static boolean takesBack(ActionKind kind) {
    return switch (kind) {
      case RELEASE, RAISE_THRESHOLD, REMOVE_NODE -> true;
      case LIMIT, REBALANCE, LOWER_THRESHOLD, ADD_NODE -> false;
    };
  }

  private ControlBook withThreshold(HotThreshold other) {
    return new ControlBook(settings, caps, added, lastNode, patience, other, actions, past);
  }

  /**
   * The book in which the busiest node had so many times the mean to do before the threshold of
   * hot-spot replicas was lowered, if it is; of several times the greatest counts.
   */
  public ControlBook uneven(long milli) {
    return hotThreshold.isLowered()
        ? withThreshold(
            new HotThreshold(hotThreshold.perSecond(), Math.max(milli, hotThreshold.unevenMilli())))
        : this;
  }

  private ControlBook withPatience(ControlPatience other) {
    return new ControlBook(settings, caps, added, lastNode, other, hotThreshold, actions, past);
  }

  /** One cap says what all applications of best effort may have, by their weights. */
  private ControlBook capped(ControlAction action) {
    List<Cap> with =
        action.perSecond() > 0
            ? List.of(new Cap(action.limited(), action.perSecond(), 0))
            : List.of();
    return new ControlBook(settings, with, added, lastNode, patience, hotThreshold, actions, past);
  }

  private ControlBook asked(NodeId node) {
    List<NodeId> with = new ArrayList<>(added);
    with.add(node);
    return new ControlBook(
        settings,
        caps,
        with,
        Math.max(lastNode, node.value()),
        patience,
        hotThreshold,
        actions,
        past);
  }

  /**
   * The node that is taken away next, of those that were added and may go: the one that was added
   * last. One that could not be taken away keeps no other: it comes after those that were not
   * tried, and of several the one that was tried longest ago first.
   */
  public Optional<NodeId> nextToGo(Predicate<NodeId> mayGo) {
    return added.reversed().stream()
        .filter(mayGo)
        .min(Comparator.comparingLong(this::lastFailureToGo));
  }

  /** Whether a node could not be taken away when that was tried. */
  public boolean hasFailedToGo(NodeId node) {
    return lastFailureToGo(node) > 0;
  }

  private long lastFailureToGo(NodeId node) {
    return actions.stream()
        .filter(action -> action.kind() == ActionKind.REMOVE_NODE)
        .filter(action -> action.stage() == ActionStage.FAILED)
        .filter(action -> action.node().filter(node::equals).isPresent())
        .mapToLong(ControlAction::number)
        .max()
        .orElse(0);
  }

  /** The book without nodes that are gone. */
  public ControlBook without(NodeId node) {
    List<NodeId> left = new ArrayList<>(added);
    left.remove(node);
    return new ControlBook(settings, caps, left, lastNode, patience, hotThreshold, actions, past);
  }

  /** The book in which applications that have no objective any more are not limited. */
  public ControlBook withoutCaps(List<String> applications) {
    List<Cap> left = new ArrayList<>(caps);
    left.removeIf(cap -> applications.contains(cap.application()));
    return withCaps(left);
  }

  /** The book in which caps that do not say so are by the weights that applications have now. */
  public ControlBook weighed(Map<String, Integer> weights) {
    return withCaps(
        caps.stream()
            .map(
                cap ->
                    cap.weight() > 0
                        ? cap
                        : new Cap(
                            cap.application(),
                            cap.perSecond(),
                            weights.getOrDefault(cap.application(), 0)))
            .toList());
  }

  private ControlBook withCaps(List<Cap> other) {
    return new ControlBook(settings, other, added, lastNode, patience, hotThreshold, actions, past);
  }

  /**
   * With other settings of an operator's; patience begins anew. One that is frozen forgets its
   * past: the releases before decision 0097 cannot read it, and an upgrade or the way back begins
   * so.
   */
  public ControlBook with(ControlSettings other) {
    return new ControlBook(
        other,
        caps,
        added,
        lastNode,
        ControlPatience.FIRST,
        hotThreshold,
        actions,
        other.mode() == ControlMode.FREEZE ? ControlPast.NONE : past);
  }

  /** With something that could not be helped. */
  public ControlBook with(ControlPast.Helpless helpless) {
    return new ControlBook(
        settings, caps, added, lastNode, patience, hotThreshold, actions, past.with(helpless));
  }

  /** Whether primaries may be moved: not if that was tried last, and brought nothing. */
  public boolean mayRebalance() {
    return mayTry(ActionKind.REBALANCE);
  }

  /** As {@link #mayRebalance}, of a lower threshold of hot-spot replicas. */
  public boolean mayLowerThreshold() {
    return mayTry(ActionKind.LOWER_THRESHOLD);
  }

  /** Whether a limit is the first thing to try: not if one was done last, and brought nothing. */
  public boolean mayLimit() {
    return mayTry(ActionKind.LIMIT);
  }

  /**
   * Of actions against one node that is busier than others: not if it brought nothing the last
   * time, and nothing but the other one was done since; and so of a limit. What was withdrawn was
   * not done.
   */
  private boolean mayTry(ActionKind kind) {
    for (ControlAction action : actions.reversed()) {
      if (action.stage() == ActionStage.WITHDRAWN) {
        continue;
      }
      if (action.kind() == kind) {
        return action.afterMicros() > 0 && action.afterMicros() < action.beforeMicros() * GAIN;
      }
      if (action.kind() != ActionKind.REBALANCE && action.kind() != ActionKind.LOWER_THRESHOLD) {
        return true;
      }
    }
    return true;
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
