package org.ecstore.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages carry the words: a later build may have more of them. */
class StatusWordsTest {
  @ParameterizedTest
  @EnumSource
  void roleIsReadFromItsWord(NodeRole role) {
    assertEquals(role, NodeRole.of(role.word()));
    assertFalse(NodeFact.isFact(role.word()));
  }

  @ParameterizedTest
  @EnumSource
  void stateIsReadFromItsWord(CopyState state) {
    assertEquals(state, CopyState.of(state.word()));
  }

  @Test
  void whatALaterBuildSaysIsUnknown() {
    assertEquals(NodeRole.UNKNOWN, NodeRole.of("archivist"));
    assertEquals(CopyState.UNKNOWN, CopyState.of("frozen"));
  }

  @Test
  void rolesReadAsAList() {
    assertEquals(
        "storage, taking over", NodeRole.words(List.of(NodeRole.STORAGE, NodeRole.TAKING_OVER)));
  }

  @Test
  void factIsReadFromItsText() {
    NodeFact fact = new NodeFact(NodeFact.BOOKIE_DOWN, "disk: no room");
    assertEquals("bookie down: disk: no room", fact.toString());
    assertEquals(fact, NodeFact.parse(fact.toString()));
    assertThrows(IllegalArgumentException.class, () -> new NodeFact("bookie: down", "why"));
  }
}
