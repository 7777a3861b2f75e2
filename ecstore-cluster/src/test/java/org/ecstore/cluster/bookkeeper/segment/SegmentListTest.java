package org.ecstore.cluster.bookkeeper.segment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.ecstore.check.Check;
import org.ecstore.cluster.bookkeeper.segment.SegmentList.Segment;
import org.junit.jupiter.api.Test;

class SegmentListTest {
  private static final UUID CLUSTER = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");

  private static SegmentList list(long... ledgersAndAfters) {
    SegmentList list = SegmentList.empty(CLUSTER);
    for (int i = 0; i < ledgersAndAfters.length; i += 2) {
      list = list.with(new Segment(ledgersAndAfters[i], ledgersAndAfters[i + 1]));
    }
    return list;
  }

  private static void assertBad(String text) {
    assertThrows(
        SegmentList.BadList.class,
        () -> SegmentList.decode(text.getBytes(StandardCharsets.UTF_8)),
        text);
  }

  @Test
  void whatIsStoredIsRead() throws Exception {
    for (SegmentList list : List.of(list(), list(7, 0), list(7, 0, 9, 12, 30, 13))) {
      assertEquals(list, SegmentList.decode(list.encode()));
    }
  }

  @Test
  void whatIsNoListIsRefused() {
    String header = "ecstore-ledger 1\n";
    String cluster = "cluster " + CLUSTER + "\n";
    for (String bad :
        List.of(
            "",
            header,
            "ecstore-ledger 2\n" + cluster,
            header + "cluster 7\n",
            header + cluster + "7\n",
            header + cluster + "7 x\n",
            header + cluster + " 7\n")) {
      assertBad(bad);
    }
  }

  @Test
  void segmentsOutOfOrderAreABug() {
    List<Segment> segments = List.of(new Segment(1, 5), new Segment(2, 4));
    assertThrows(Check.Failed.class, () -> new SegmentList(CLUSTER, segments));
  }

  @Test
  void aNewSegmentReplacesTheEmptyOnesBeforeIt() {
    assertEquals(list(1, 0, 4, 9), list(1, 0, 2, 9, 3, 9, 4, 9));
    assertEquals(List.of(1L), list(1, 0).missingIn(list(2, 0)));
    assertEquals(list(2, 0), list(1, 0).with(new Segment(2, 0)));
  }

  @Test
  void aPositionIsFoundInItsSegment() {
    SegmentList list = list(1, 10, 2, 20, 3, 30);
    long[] positions = {0, 10, 11, 20, 21, 30, 31, 1000};
    int[] segments = {0, 0, 0, 0, 1, 1, 2, 2};
    for (int i = 0; i < positions.length; i++) {
      assertEquals(segments[i], list.indexOf(positions[i]), "position " + positions[i]);
    }
  }

  @Test
  void trimmingKeepsTheSegmentOfThePositionAndTheLast() {
    SegmentList list = list(1, 0, 2, 20, 3, 30);
    assertEquals(list, list.without(20));
    assertEquals(list(2, 20, 3, 30), list.without(21));
    assertEquals(list(2, 20, 3, 30), list.without(30));
    assertEquals(list(3, 30), list.without(31));
    assertEquals(list(3, 30), list.without(1000));
    assertEquals(0, list.trimmed());
    assertEquals(20, list.without(21).trimmed());
    assertEquals(List.of(1L, 2L), list.missingIn(list.without(31)));
  }

  @Test
  void theLastSegmentIsTheOneThatTakesEntries() {
    assertTrue(list(1, 0, 2, 5).endsWith(2));
    assertFalse(list(1, 0, 2, 5).endsWith(1));
    assertFalse(list().endsWith(1));
    assertTrue(list(1, 0, 2, 5).contains(1));
  }
}
