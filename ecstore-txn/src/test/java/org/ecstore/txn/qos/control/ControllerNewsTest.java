package org.ecstore.txn.qos.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Provisioner;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.Objective;
import org.ecstore.txn.message.TxnMessage.LimitNews;
import org.ecstore.txn.qos.control.book.ControlBook;
import org.ecstore.txn.qos.control.book.ControlBookForm;
import org.ecstore.txn.qos.control.book.ControlPatience;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.junit.jupiter.api.Test;

/** What nodes and operators hear of a controller that looks every two seconds. */
class ControllerNewsTest extends ControlledPair {
  ControllerNewsTest() {
    super(new ControlTiming(2 * SECOND, 20, 600 * SECOND), new Starting());
  }

  /** Nodes can be started. */
  private static final class Starting implements Provisioner {
    @Override
    public boolean isThere() {
      return true;
    }

    @Override
    public String words() {
      return "";
    }

    @Override
    public void add(long action, NodeId node) {}

    @Override
    public void remove(long action, NodeId node) {}
  }

  private void check() {
    nanos += 2 * SECOND;
    controller.tick();
    settle();
  }

  private List<String> limited() {
    LimitNews news = Objects.requireNonNull(heard.get(SECOND_NODE));
    return news.limits().stream().map(ServiceLimit::application).toList();
  }

  /** The check that follows tells it, and who has begun anew meanwhile hears it as well. */
  @Test
  void thatNothingIsPromisedAnyMoreIsTold() {
    lead();
    assertEquals(Outcome.DONE, asked(Objective.bestEffort("reports")).outcome());
    nanos += 10 * SECOND;
    told(FIRST);
    told(SECOND_NODE);
    check();
    assertEquals(List.of("reports"), limited());
    requests++;
    objectives.add(new AdminRequest.RemoveObjective("reports", 1), requests);
    look();
    check();
    assertEquals(List.of(), limited());
    heard.clear();
    controller.heard(SECOND_NODE, 8);
    assertTrue(heard.containsKey(SECOND_NODE));
    assertEquals(List.of(), limited());
  }

  /** Three nodes may be: n3 is down and may return, which is not known without the map. */
  @Test
  void anApprovedNodeWaitsUntilItIsKnownWhoMayReturn() {
    ControlAction proposed =
        new ControlAction(
            1,
            ActionKind.ADD_NODE,
            "shop",
            "",
            Optional.of(new NodeId(4)),
            0,
            "shop violated",
            2_000,
            1_000,
            ActionStage.PROPOSED,
            0,
            "");
    ControlBook book =
        new ControlBook(
            new ControlSettings(ControlMode.ASK, 3, 0),
            List.of(),
            List.of(),
            0,
            ControlPatience.FIRST,
            ControlBook.HotThreshold.CONFIGURED,
            List.of(proposed));
    values.put(
        Controller.KEY,
        new CoordinationResult.Stored(1, Optional.of(new ControlBookForm().encode(book))));
    absent = Set.of(new NodeId(3));
    isMapKnown = false;
    lead();
    long approved = controller.add(new AdminRequest.AnswerAction(1, true), 9);
    settle();
    Decision waits = decisions.of(approved);
    assertEquals(Outcome.UNDER_WAY, waits.outcome(), waits::toString);
    assertTrue(waits.detail().contains("the map of the ranges"), waits::toString);
    isMapKnown = true;
    check();
    Decision refused = decisions.of(approved);
    assertEquals(Outcome.REFUSED, refused.outcome(), refused::toString);
    assertEquals(
        "there are 3 nodes already, as many as may be; n3 may return",
        refused.detail(),
        refused::toString);
  }
}
