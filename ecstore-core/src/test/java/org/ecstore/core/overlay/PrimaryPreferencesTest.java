package org.ecstore.core.overlay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.overlay.PrimaryPreferences.Preference;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.junit.jupiter.api.Test;

final class PrimaryPreferencesTest {
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);

  private static KeyRange keys(String start, String end) {
    return KeyRange.of(Bytes.utf8(start), Bytes.utf8(end));
  }

  @Test
  void aSeatIsCutByALaterOneAndJoinedWithItsNeighbour() {
    PrimaryPreferences whole = PrimaryPreferences.NONE.with(keys("b", "h"), Optional.of(ONE));
    PrimaryPreferences cut = whole.with(keys("d", "f"), Optional.of(TWO));
    assertEquals(
        List.of(
            new Preference(keys("b", "d"), ONE),
            new Preference(keys("d", "f"), TWO),
            new Preference(keys("f", "h"), ONE)),
        cut.all());
    assertEquals(whole, cut.with(keys("d", "f"), Optional.of(ONE)));
    assertEquals(Optional.of(ONE), cut.of(keys("f", "g")));
    assertEquals(Optional.empty(), cut.of(keys("e", "g")), "all keys or none");
    assertEquals(
        List.of(new Preference(keys("b", "c"), ONE)),
        whole.with(KeyRange.from(Bytes.utf8("c")), Optional.empty()).all());
    assertEquals(PrimaryPreferences.NONE, whole.only(TWO::equals));
  }
}
