package org.ecstore.model.objective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

class ServiceFieldsTest {
  /** A sample of one interval that was counted so far, as it is written. */
  private static WireReader counted(long count) {
    WireWriter out = new WireWriter();
    out.text("users").varint(0).varint(0).varint(5);
    out.varint(1).u8(7).varint(count);
    return new WireReader(out.toBytes());
  }

  /**
   * A node of an earlier release adds up what is beyond an interval; its link is not cut for it.
   */
  @Test
  void whatWasCountedFurtherIsAsMuchAsAnIntervalCounts() {
    assertEquals(12, ServiceFields.read(counted(12)).times().count(7));
    for (long beyond : new long[] {1L << 31, (1L << 32) - 2, Long.MAX_VALUE}) {
      ServiceSample read = ServiceFields.read(counted(beyond));
      assertEquals(Integer.MAX_VALUE, read.times().count(7));
      assertEquals(Integer.MAX_VALUE, read.plus(read).operations());
    }
  }

  @Test
  void whatIsNegativeIsRefused() {
    assertThrows(MalformedMessageException.class, () -> ServiceFields.read(counted(-1)));
    assertThrows(
        MalformedMessageException.class, () -> ServiceFields.read(counted(Long.MIN_VALUE)));
  }
}
