package org.ecstore.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GcPausesTest {
  @Test
  void onlyPausesOfTheTimeCount() {
    GcPauses.Pauses pauses =
        GcPauses.of(
            List.of(
                "[1700000000000ms] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 9M->2M(9M) 9.000ms",
                "[1700000001000ms] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 9M->2M(9M) 3.500ms",
                "[1700000002000ms] GC(3) Concurrent Mark Cycle 12.000ms",
                "[1700000003000ms] GC(4) Pause Full (System.gc()) 9M->2M(9M) 6.500ms",
                "[1700000003000ms] Using G1"),
            1_700_000_001_000L);
    assertEquals(new GcPauses.Pauses(2, 10, 6.5), pauses);
    assertEquals(0.5, pauses.percent(2), 1e-9);
  }

  @Test
  void collectionOfThisProcessIsSeen() throws Exception {
    long before = System.currentTimeMillis();
    try (GcPauses pauses = GcPauses.begin(ProcessHandle.current().pid()).orElseThrow()) {
      System.gc();
      assertTrue(pauses.since(before).count() >= 1);
      assertEquals(0, pauses.since(Long.MAX_VALUE).count());
    }
  }

  @Test
  void aProcessThatIsNotThereHasNone() throws Exception {
    assertEquals(Optional.empty(), GcPauses.begin(Integer.MAX_VALUE));
  }
}
