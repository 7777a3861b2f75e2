package org.ecstore.server.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProcessorMeterTest {
  private static final long MILLI = 1_000_000L;

  private long process = 40 * MILLI;
  private long thread = 3 * MILLI;
  private final ProcessorMeter meter = new ProcessorMeter(() -> process, () -> thread);

  @Test
  void betweenTwoStepsCountsWhatTheThreadUsed() {
    assertEquals(40 * MILLI, meter.getAsLong());
    thread += 4 * MILLI;
    assertEquals(44 * MILLI, meter.getAsLong());
    thread += 5 * MILLI;
    assertEquals(49 * MILLI, meter.getAsLong());
    process += 10 * MILLI;
    assertEquals(50 * MILLI, meter.getAsLong(), "the step has what the thread used");
    thread += MILLI;
    assertEquals(51 * MILLI, meter.getAsLong());
  }

  @Test
  void theThreadCountsForAStepAtMostAndTheNextStepSaysTheTruth() {
    assertEquals(40 * MILLI, meter.getAsLong());
    thread += 25 * MILLI;
    assertEquals(50 * MILLI, meter.getAsLong());
    process += 30 * MILLI;
    assertEquals(70 * MILLI, meter.getAsLong());
  }

  @Test
  void itNeverGoesBack() {
    assertEquals(40 * MILLI, meter.getAsLong());
    thread += 9 * MILLI;
    assertEquals(49 * MILLI, meter.getAsLong());
    process += 5 * MILLI;
    assertEquals(49 * MILLI, meter.getAsLong());
    process = 0;
    assertEquals(49 * MILLI, meter.getAsLong());
  }

  @Test
  void thisProcessSaysWhatItUsed() {
    ProcessorMeter own = ProcessorMeter.ofThisProcess().orElseThrow();
    long before = own.getAsLong();
    // Work, however long it takes: until it is seen as more than a step.
    while (own.getAsLong() < before + 2 * ProcessorMeter.STEP_NANOS) {
      Thread.onSpinWait();
    }
    assertTrue(own.getAsLong() > before);
  }
}
