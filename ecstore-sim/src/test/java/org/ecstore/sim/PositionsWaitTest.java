package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.txn.node.ReadBarrier;
import org.ecstore.txn.sequencer.SequencerLink;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Requests that wait until a node has reached what their client has seen. */
final class PositionsWaitTest {
  private static final int WAITING_MAX = 5_000;
  private static final ReadPoint FAR = new ReadPoint(new Position(1_000), new MapVersion(0));

  private final LoneNode node = new LoneNode(new NodeId(1));
  private final ReadBarrier positions =
      new ReadBarrier(
          node.context, node.ledgerView, new SequencerLink(node.context, 1_000_000_000L));
  private final List<ClientReply.Refused> refused = new ArrayList<>();

  private void reach(ReadPoint point) {
    positions.reach(point, 0, Assertions::fail, (ClientReply.Refused why) -> refused.add(why));
  }

  @Test
  void tooManyAreToldSoAtOnceAndTheOthersWhenTheirTimeIsOver() {
    for (int i = 0; i < WAITING_MAX; i++) {
      reach(FAR);
    }
    assertEquals(List.of(), refused);
    reach(FAR);
    assertEquals(1, refused.size());
    assertEquals(RefusalCode.UNAVAILABLE, refused.getFirst().code());
    assertTrue(refused.getFirst().detail().contains("too many"), refused::toString);
    refused.clear();
    node.ledgerView.expire();
    assertEquals(WAITING_MAX, refused.size());
    assertTrue(refused.stream().allMatch(why -> why.detail().contains("not reached")));
    refused.clear();
    reach(FAR);
    assertEquals(List.of(), refused, "there is room again");
  }
}
