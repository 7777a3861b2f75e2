package org.ecstore.tools.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeClassesTest {
  @Test
  void whatIsRefusedIsShownInAFewCharacters() {
    for (String huge : List.of("1e100000", "1e-100000", "9".repeat(200) + "e999999999")) {
      BigDecimal given = new BigDecimal(huge);
      for (String fault : NodeClasses.faults(null, given, given)) {
        assertTrue(fault.length() < 200, () -> huge.substring(0, 8) + ": " + fault.length());
      }
    }
    assertEquals(
        List.of("--price is from 0 to 1000000, with 9 digits behind the point at most, not -0.5"),
        NodeClasses.faults(null, new BigDecimal("-0.5"), null));
  }
}
