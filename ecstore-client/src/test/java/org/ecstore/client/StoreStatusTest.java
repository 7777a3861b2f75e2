package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.NodeRole;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

class StoreStatusTest {
  private static final int MANY = 1_200;
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);
  private static final NodeTraits LARGE = new NodeTraits("large", Optional.empty(), "1", "je");

  private static Route route(long range, KeyRange keys, NodeId primary) {
    return new Route(
        new RangeId(range),
        new Epoch(4),
        keys,
        primary,
        "",
        List.of(new Route.Secondary(TWO, "h:2")));
  }

  /** The answer would be longer than a node gives, or a client takes. */
  @Test
  void itIsAskedForInPartsWhereThereAreManyRanges() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      for (int i = 1; i < MANY; i++) {
        fixture.cluster.store().split(StoreFixture.stored(i));
      }
      assertEquals(MANY, fixture.store.status().ranges().size());
      assertEquals(3, fixture.cluster.requests(ClientRequest.Status.class).size());
    }
  }

  @Test
  void itSaysWhatTheNodeSaid() {
    KeyRange low = KeyRange.of(Bytes.EMPTY, Bytes.of(5));
    KeyRange high = KeyRange.from(Bytes.of(5));
    StoreStatus status =
        StoreStatus.of(
            new ClientReply.StatusReport(
                new ReadPoint(new Position(9), new MapVersion(8)),
                List.of(
                    new ClientReply.NodeLine(
                        ONE, "h:1", List.of(NodeRole.STORAGE, NodeRole.COORDINATOR)),
                    new ClientReply.NodeLine(TWO, "h:2", List.of(NodeRole.STORAGE))),
                List.of(route(1, low, ONE), route(2, high, new NodeId(3))),
                List.of(new ClientReply.Holders(new RangeId(1), Optional.of(ONE), List.of())),
                List.of(new ClientReply.TraitsLine(ONE, "rack", LARGE))),
            Instant.EPOCH);
    assertEquals(
        List.of(
            new StoreStatus.StoreNode(
                ONE, "h:1", List.of(NodeRole.STORAGE, NodeRole.COORDINATOR), "rack", LARGE),
            new StoreStatus.StoreNode(
                TWO, "h:2", List.of(NodeRole.STORAGE), "", NodeTraits.UNKNOWN)),
        status.nodes());
    assertEquals(
        List.of(
            new StoreStatus.StoreRange(new RangeId(1), new Epoch(4), low, ONE, true, List.of()),
            new StoreStatus.StoreRange(
                new RangeId(2), new Epoch(4), high, new NodeId(3), false, List.of(TWO))),
        status.ranges());
    assertEquals(new Position(9), status.position());
    assertEquals(new MapVersion(8), status.mapVersion());
    assertFalse(status.age().isNegative());
  }
}
