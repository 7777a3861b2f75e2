package org.ecstore.txn.qos.control;

import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;

/**
 * Something that could be done, and what it is predicted to bring.
 *
 * @param about the application whose objective it is for
 * @param limited the application that it limits or releases; empty of other kinds
 * @param perSecond the limit then; 0 for none
 * @param why with figures
 * @param beforeMicros the response time now; 0 if there is none
 * @param afterMicros what it is predicted to become
 */
record Remedy(
    ActionKind kind,
    String about,
    String limited,
    Optional<NodeId> node,
    long perSecond,
    String why,
    long beforeMicros,
    long afterMicros) {
  /** As the action of that number. */
  ControlAction action(long number, ActionStage stage, String detail) {
    return new ControlAction(
        number,
        kind,
        about,
        limited,
        node,
        perSecond,
        why,
        beforeMicros,
        afterMicros,
        stage,
        0,
        detail);
  }
}
