package org.ecstore.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LiveHeapTest {
  @Test
  void thisProcessHasMoreThanAnArrayThatItKeeps() throws InterruptedException {
    byte[] kept = new byte[30 << 20];
    long with = LiveHeap.of(ProcessHandle.current().pid()).orElseThrow();
    assertTrue(with > kept.length, () -> with + " bytes");
  }

  @Test
  void aProcessThatIsNotThereHasNone() throws InterruptedException {
    assertEquals(OptionalLong.empty(), LiveHeap.of(Integer.MAX_VALUE));
  }
}
