package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.overlay.Place;
import org.ecstore.core.overlay.TreePosition;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;

final class DrawnOverlayTest {
  private static final Bytes MIDDLE = Bytes.utf8("m");

  private static Place place(long node, TreePosition position, KeyRange keys) {
    return new Place(new NodeId(node), position, keys);
  }

  @Test
  void allKeysInOrderAreRight() {
    Place root = place(1, TreePosition.ROOT, KeyRange.ALL);
    assertEquals(Optional.empty(), DrawnOverlay.outOfOrder(List.of(root)));
  }

  /** It ended the run of the tree without a word. */
  @Test
  void aTreeThatHasLostItsLastKeysIsFound() {
    Place root = place(1, TreePosition.ROOT, KeyRange.of(Bytes.EMPTY, MIDDLE));
    assertTrue(DrawnOverlay.outOfOrder(List.of(root)).isPresent());
  }

  @Test
  void keysThatTwoNodesHaveAreFound() {
    Place child = place(2, new TreePosition(1, 0), KeyRange.of(Bytes.EMPTY, MIDDLE));
    Place root = place(1, TreePosition.ROOT, KeyRange.ALL);
    assertTrue(DrawnOverlay.outOfOrder(List.of(child, root)).isPresent());
  }
}
