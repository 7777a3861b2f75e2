package org.ecstore.txn.steward.member;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.junit.jupiter.api.Test;

class OfMembersTest {
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);

  private final OfMembers<String> asked = new OfMembers<>();

  @Test
  void nodesThatAreMadeUpLeaveNothing() {
    for (long id = 3; id < 10_000; id++) {
      asked.put(new NodeId(id), "leave", List.of(ONE, TWO));
    }
    assertEquals(0, asked.size());
  }

  @Test
  void aMembersLastWordIsKeptUntilItIsTakenOrTheMemberIsGone() {
    asked.put(ONE, "a", List.of(ONE, TWO));
    asked.put(ONE, "b", List.of(ONE, TWO));
    assertEquals(Optional.of("b"), asked.get(ONE));
    asked.put(TWO, "c", List.of(TWO));
    assertEquals(Optional.empty(), asked.get(ONE));
    asked.put(ONE, "d", List.of(ONE, TWO));
    asked.remove(ONE);
    assertEquals(Optional.empty(), asked.get(ONE));
    assertEquals(Map.of(TWO, "c"), asked.takeAll());
    assertEquals(0, asked.size());
  }
}
