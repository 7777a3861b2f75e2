package org.ecstore.tools.settled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

/** A steward by script: its decisions, and the actions of the controller. */
class StewardWorkTest {
  private static final NodeId ONE = new NodeId(1);

  private final List<DecisionLine> decisions = new ArrayList<>();
  private final List<ControlAction> actions = new ArrayList<>();

  private <T extends ClientReply> T answer(ClientRequest request, Class<T> kind) {
    return kind.cast(
        request instanceof ClientRequest.AskControl
            ? new Control(
                ONE, ControlSettings.DEFAULT, "", List.of(), List.of(), List.of(), actions)
            : new Decided(ONE, decisions));
  }

  private void decision(String cause, String what, String outcome) {
    decisions.add(new DecisionLine(5, Optional.of(1L), 9, cause, List.of(), what, "", outcome, ""));
  }

  /** As the controller does it: each of its actions that is not over is a decision, too. */
  private void action(ActionStage stage) {
    ControlAction action =
        new ControlAction(
            7, ActionKind.ADD_NODE, "shop", "", Optional.of(ONE), 0, "", 0, 0, stage, 0, "");
    actions.clear();
    actions.add(action);
    decisions.clear();
    decision("objective", action.what(), stage.isOver() ? "done" : "under way");
  }

  private void assertIsAt(String expected) throws Exception {
    assertEquals(
        Optional.of(expected).filter(words -> !words.isEmpty()),
        StewardWork.underWay(this::answer));
  }

  @Test
  void whatIsNotOverIsUnderWay() throws Exception {
    assertIsAt("");
    decision("size", "split r1", "done");
    assertIsAt("");
    decision("load", "move r2 to n3", "under way");
    assertIsAt("move r2 to n3, under way");
  }

  /** As AdminRequests says it. */
  @Test
  void aNodeIsDrainedWhileThatIsNotOver() throws Exception {
    decision("operator", "drain n12", "under way");
    decision("operator", "drain n3", "done");
    decision("operator", "move range r2 to n1", "under way");
    assertTrue(StewardWork.isDraining(this::answer, 12));
    assertFalse(StewardWork.isDraining(this::answer, 3));
    assertFalse(StewardWork.isDraining(this::answer, 1));
  }

  /** It takes as long as a window, and the next one may follow: no engine would be changed. */
  @Test
  void anActionThatIsProposedOrMeasuredMovesNothing() throws Exception {
    action(ActionStage.PROPOSED);
    assertIsAt("");
    action(ActionStage.MEASURING);
    assertIsAt("");
    action(ActionStage.DONE);
    assertIsAt("");
    action(ActionStage.UNDER_WAY);
    assertIsAt("add n1, under way");
    action(ActionStage.MEASURING);
    decision("failure", "make a copy of r1 on n2", "under way");
    assertIsAt("make a copy of r1 on n2, under way");
  }
}
