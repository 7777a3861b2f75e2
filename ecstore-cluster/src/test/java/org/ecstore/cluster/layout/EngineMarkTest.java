package org.ecstore.cluster.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.layout.EngineMark.Stage;
import org.junit.jupiter.api.Test;

class EngineMarkTest {
  private static EngineMark mark(Stage stage) {
    return new EngineMark("je", "rocksdb", stage);
  }

  @Test
  void whatIsWrittenIsReadAndNothingElse() {
    assertEquals("je rocksdb going\n", mark(Stage.GOING).text());
    for (Stage stage : Stage.values()) {
      assertEquals(Optional.of(mark(stage)), EngineMark.of(mark(stage).text()));
    }
    for (String other : List.of("", "rocksdb\n", "je rocksdb", "je rocksdb gone", "a b c d")) {
      assertEquals(Optional.empty(), EngineMark.of(other));
    }
  }

  /** By hand a node gets any kind, also the former one, at any time. */
  @Test
  void aChangeIsOverWhereTheConfigurationNamesAnotherKind() {
    for (Stage stage : Stage.values()) {
      assertFalse(mark(stage).isOf("mysql"));
      assertFalse(mark(stage).isGone("mysql"));
      assertFalse(mark(stage).isGone("rocksdb"));
    }
    assertTrue(mark(Stage.LEAVING).isOf("je"));
    assertFalse(mark(Stage.LEAVING).isOf("rocksdb"));
    assertTrue(mark(Stage.GOING).isOf("je"));
    assertTrue(mark(Stage.GOING).isOf("rocksdb"));
    assertFalse(mark(Stage.FILLING).isOf("je"));
    assertTrue(mark(Stage.FILLING).isOf("rocksdb"));
  }

  @Test
  void nothingHasGoneBeforeItIsDeletedNorOnceTheConfigurationIsWritten() {
    assertFalse(mark(Stage.LEAVING).isGone("je"));
    assertTrue(mark(Stage.GOING).isGone("je"));
    assertFalse(mark(Stage.FILLING).isGone("je"));
  }
}
