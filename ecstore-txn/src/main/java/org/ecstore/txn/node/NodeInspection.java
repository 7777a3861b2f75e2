package org.ecstore.txn.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyState;
import org.ecstore.model.NodeFact;
import org.ecstore.model.NodeRole;
import org.ecstore.replication.copy.Copy;
import org.ecstore.txn.sequencer.BatchSizes;
import org.ecstore.txn.sequencer.Sequencer;

/**
 * A node's state as checkers and operators see it.
 *
 * @param stateKnown whether this is no sequencer, or has found the cluster's state to be that of
 *     the ledger
 * @param falseAlarms how often this node had another lead in place of one that lived
 * @param pruned the floor below which old versions are gone, in all copies that were there then
 * @param placed whether it has a place in the tree of nodes, as far as it knows, or needs none, for
 *     its engine holds secondaries only
 * @param placement what an operator should know of the placement of copies, if this is the steward
 */
public record NodeInspection(
    boolean ready,
    boolean stateKnown,
    boolean placed,
    long incarnation,
    ReadPoint adopted,
    Sequencer.State sequencer,
    List<CopyView> copies,
    int holders,
    int parked,
    int committing,
    long writesWaiting,
    Position pruned,
    BatchSizes batches,
    long falseAlarms,
    Departure.Progress departure,
    Optional<String> engineRefuses,
    Optional<String> placement) {
  /** Whether this node is the sequencer, as far as it knows. */
  public boolean sequencing() {
    return sequencer == Sequencer.State.ACTIVE;
  }

  /** What the node waits for before it serves all that it holds; absent if it does. */
  public Optional<String> waitsFor() {
    if (!ready) {
      return Optional.of("it has not read its own notes yet");
    }
    if (adopted.mapVersion().value() == 0) {
      return Optional.of(
          "it has not learnt who owns which range, because no node leads yet or none answers");
    }
    if (!stateKnown) {
      return Optional.of("it has not held the cluster's state in coordination against the ledger");
    }
    List<CopyView> held =
        copies.stream()
            .filter(copy -> copy.state() != Copy.State.BUILDING && copy.state() != Copy.State.BUILT)
            .toList();
    if (held.isEmpty()) {
      return holdsNothing();
    }
    if (held.stream().anyMatch(copy -> copy.state() == Copy.State.LOST)) {
      return Optional.of("it lacks records that the ledger no longer has");
    }
    return held.stream()
            .allMatch(
                copy -> copy.state() == Copy.State.SERVING || copy.state() == Copy.State.FOLLOWING)
        ? Optional.empty()
        : Optional.of("its ranges are being recovered from the ledger");
  }

  /** One with a place whose ranges have been moved elsewhere lacks nothing (decision 0015). */
  private Optional<String> holdsNothing() {
    if (isDrained()) {
      return Optional.of("it was drained: it has nothing, and takes part anew once started again");
    }
    if (departure.stage() != Departure.Stage.STAYS) {
      return Optional.of("it has handed its ranges over and leaves");
    }
    return placed ? Optional.empty() : Optional.of("it has no range yet");
  }

  /** Whether it has left by an operator's command; its process runs on. */
  private boolean isDrained() {
    return departure.drained() && departure.stage() == Departure.Stage.DEPARTED;
  }

  /** What the node does beside serving ranges. */
  public List<NodeRole> roles() {
    List<NodeRole> roles =
        new ArrayList<>(
            switch (sequencer) {
              case IDLE -> List.of();
              case STANDBY -> List.of(NodeRole.STANDBY);
              case FENCING, REPLAYING -> List.of(NodeRole.TAKING_OVER);
              case ACTIVE -> List.of(NodeRole.SEQUENCER, NodeRole.STEWARD);
            });
    if (departure.stage() != Departure.Stage.STAYS) {
      roles.add(isDrained() ? NodeRole.DRAINED : NodeRole.LEAVING);
    }
    return roles;
  }

  /** What operators should know of it beside. */
  public List<NodeFact> facts() {
    List<NodeFact> facts = new ArrayList<>();
    if (falseAlarms > 0) {
      facts.add(new NodeFact(NodeFact.SUSPECTED_IN_VAIN, String.valueOf(falseAlarms)));
    }
    placement.ifPresent(what -> facts.add(new NodeFact(NodeFact.PLACEMENT, what)));
    engineRefuses.ifPresent(why -> facts.add(new NodeFact(NodeFact.ENGINE_REFUSES, why)));
    return facts;
  }

  /** How a copy is: one whose engine takes no writes does not follow. */
  public CopyState state(CopyView copy) {
    return engineRefuses.isPresent() && copy.takesWrites()
        ? CopyState.REFUSES_WRITES
        : switch (copy.state()) {
          case BUILDING -> CopyState.BUILDING;
          case BUILT -> CopyState.BUILT;
          case WAITING -> CopyState.WAITING;
          case REPLAYING -> CopyState.REPLAYING;
          case SERVING -> CopyState.SERVING;
          case FOLLOWING -> CopyState.FOLLOWING;
          case RETIRED -> CopyState.RETIRED;
          case LOST -> CopyState.LOST;
        };
  }

  /** One copy. */
  public record CopyView(
      RangeId id,
      Epoch epoch,
      KeyRange keys,
      Copy.State state,
      Position base,
      Position rows,
      Position closed,
      Position durableFolded) {
    private boolean takesWrites() {
      return switch (state) {
        case SERVING, FOLLOWING, REPLAYING, BUILDING -> true;
        case WAITING, BUILT, RETIRED, LOST -> false;
      };
    }
  }
}
