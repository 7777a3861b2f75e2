package org.ecstore.cluster.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class RelaxedPlacementTest {
  private static final String RELAXED = "\n[placement]\nrelaxed = true\n";

  @Test
  void whereNothingWasSaidASectionIsAdded() {
    assertEquals(
        "node.id = 1\n[engine]\nkind = \"je\"\n" + RELAXED,
        RelaxedPlacement.of("node.id = 1\n[engine]\nkind = \"je\"\n"));
  }

  @Test
  void whatWasSaidIsReplacedWhereItStood() {
    assertEquals(
        "[placement]  # of copies\nrelaxed = true\n# as it was\n[engine]\nrelaxed = 1\n",
        RelaxedPlacement.of(
            "[placement]  # of copies\n# as it was\n relaxed = false\n[engine]\nrelaxed = 1\n"));
    assertEquals(
        "node.id = 1\n" + RELAXED, RelaxedPlacement.of("placement.relaxed = false\nnode.id = 1\n"));
  }

  @Test
  void besideDottedKeysOfTheTableItIsOneToo() {
    assertEquals(
        "placement.relaxed = true\nplacement.other = 1\n[engine]\n",
        RelaxedPlacement.of("placement.other = 1\nplacement.relaxed = false\n[engine]\n"));
  }
}
