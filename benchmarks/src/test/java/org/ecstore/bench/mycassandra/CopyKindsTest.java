package org.ecstore.bench.mycassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ecstore.client.StoreStatus;
import org.ecstore.client.StoreStatus.StoreNode;
import org.ecstore.client.StoreStatus.StoreRange;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.NodeTraits;
import org.junit.jupiter.api.Test;

final class CopyKindsTest {
  private static final List<EngineTraits> KINDS =
      List.of(
          new EngineTraits("rocksdb", true, false, false, true),
          new EngineTraits("mysql", false, true, false, true),
          new EngineTraits("redis", true, true, true, false));

  /** Node 1 is of the first kind on host 1, node 2 of the second there, and so on. */
  private static List<StoreNode> fourHosts() {
    List<StoreNode> nodes = new ArrayList<>();
    for (int number = 1; number <= 12; number++) {
      EngineTraits engine = KINDS.get((number - 1) % 3);
      nodes.add(
          new StoreNode(
              new NodeId(number),
              "127.0.0.1:" + number,
              List.of(),
              "host-" + (number - 1) / 3,
              NodeTraits.UNKNOWN.with("1", engine)));
    }
    return nodes;
  }

  private static StoreRange range(long id, long primary, long... secondaries) {
    return new StoreRange(
        new RangeId(id),
        new Epoch(1),
        KeyRange.ALL,
        new NodeId(primary),
        true,
        Arrays.stream(secondaries).mapToObj(NodeId::new).toList());
  }

  private static ObjectNode json(StoreRange... ranges) {
    return CopyKinds.json(
        new StoreStatus(
            Instant.EPOCH, Position.ZERO, MapVersion.ZERO, fourHosts(), List.of(ranges)));
  }

  @Test
  void twoForWritingOneForReadingAndOneInMemory() {
    ObjectNode json = json(range(1, 1, 4, 8, 12), range(2, 10, 7, 5, 3));
    assertEquals(2, json.get("ranges").asInt());
    assertEquals(2, json.at("/copies/mysql 1, redis 1, rocksdb 2").asInt(), json::toString);
    assertEquals(4, json.get("copiesLeast").asInt());
    assertEquals(4, json.get("hostsLeast").asInt());
    assertEquals(3, json.get("persistingLeast").asInt());
    assertEquals(3, json.get("fastWritesLeast").asInt());
    assertEquals(2, json.get("fastReadsLeast").asInt());
    assertEquals(3, json.get("kindsLeast").asInt());
    assertEquals(3, json.get("kinds").asInt());
    assertEquals(0, json.get("unfitPrimaries").asInt());
  }

  /** One whose copies are on one host twice, two in memory, and one that is served by MySQL. */
  @Test
  void theLeastOfAllRangesIsSaid() {
    ObjectNode json = json(range(1, 1, 4, 8, 12), range(2, 1, 2, 6, 9), range(3, 2, 4));
    assertEquals(1, json.at("/copies/mysql 1, redis 2, rocksdb 1").asInt(), json::toString);
    assertEquals(2, json.get("copiesLeast").asInt());
    assertEquals(2, json.get("hostsLeast").asInt());
    assertEquals(2, json.get("persistingLeast").asInt());
    assertEquals(1, json.get("unfitPrimaries").asInt());
  }

  @Test
  void whereNoRangeIsKnownNothingIsSaidOfCopies() {
    ObjectNode json = json();
    assertTrue(json.has("unknown"), json::toString);
    assertFalse(json.has("unfitPrimaries"), json::toString);
  }

  /** Nodes that are no members any more hold nothing. */
  @Test
  void aNodeThatIsGoneDoesNotCount() {
    ObjectNode json = json(range(1, 1, 4, 8, 99));
    assertEquals(3, json.get("copiesLeast").asInt());
    assertEquals(3, json.get("persistingLeast").asInt());
  }
}
