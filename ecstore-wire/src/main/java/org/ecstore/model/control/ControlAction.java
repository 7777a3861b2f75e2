package org.ecstore.model.control;

import java.util.Optional;
import org.ecstore.id.NodeId;

/**
 * Something that the controller does, or would do.
 *
 * @param number counts them, in all of the cluster's life
 * @param about the application whose objective it is for
 * @param limited the application that it limits or releases; empty of other kinds
 * @param node that it adds or removes
 * @param perSecond the limit after it, in operations a second, or the threshold of hot-spot
 *     replicas after it, in reads a second of a copy; 0 for none
 * @param why with the figures that led to it
 * @param beforeMicros the response time that the objective is about, before; 0 if there was none
 * @param predictedMicros what it was predicted to become; 0 if nothing was
 * @param afterMicros what it became; 0 while that is not known, and where there was no load
 * @param detail of what it waits for, or what came of it
 */
public record ControlAction(
    long number,
    ActionKind kind,
    String about,
    String limited,
    Optional<NodeId> node,
    long perSecond,
    String why,
    long beforeMicros,
    long predictedMicros,
    ActionStage stage,
    long afterMicros,
    String detail) {
  /** The same, further. */
  public ControlAction at(ActionStage next, String text) {
    return new ControlAction(
        number,
        kind,
        about,
        limited,
        node,
        perSecond,
        why,
        beforeMicros,
        predictedMicros,
        next,
        afterMicros,
        text);
  }

  /** The same, over, with what it has brought. */
  public ControlAction measured(long micros, String text) {
    return new ControlAction(
        number,
        kind,
        about,
        limited,
        node,
        perSecond,
        why,
        beforeMicros,
        predictedMicros,
        ActionStage.DONE,
        micros,
        text);
  }

  /** Whether it would do the same, whatever the figures that led to it. */
  public boolean isLike(ControlAction other) {
    return kind == other.kind && about.equals(other.about) && limited.equals(other.limited);
  }

  /** What is done, in words: {@code limit reports to 200/s}. */
  public String what() {
    return switch (kind) {
      case LIMIT -> "limit %s to %d/s".formatted(limited, perSecond);
      case RELEASE ->
          perSecond == 0
              ? "limit %s no more".formatted(limited)
              : "let %s have %d/s".formatted(limited, perSecond);
      case REBALANCE -> "move primaries off busy nodes";
      case LOWER_THRESHOLD ->
          "lower the threshold of hot-spot replicas to %d reads/s".formatted(perSecond);
      case RAISE_THRESHOLD -> "raise the threshold of hot-spot replicas to what is configured";
      case ADD_NODE -> "add " + node.map(NodeId::toString).orElse("a node");
      case REMOVE_NODE -> "remove " + node.map(NodeId::toString).orElse("a node");
    };
  }
}
