package org.ecstore.bench.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationTest {
  @Test
  void everyCostIsMeasured(@TempDir Path directory) throws Exception {
    int[] steps = {0};
    CostModel costs = new Calibration(directory, true, () -> steps[0]++).measure();
    costs.byName().forEach((name, nanos) -> assertTrue(nanos > 0, name));
    assertEquals(Calibration.steps(), steps[0]);
    assertEquals(costs, CostModel.of(costs.byName()));
  }

  @Test
  void costsThatAreMissingAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> CostModel.of(Map.of("read", 1L)));
  }
}
