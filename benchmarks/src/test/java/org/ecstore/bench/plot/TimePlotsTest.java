package org.ecstore.bench.plot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ecstore.bench.figure.Series;
import org.ecstore.bench.plot.TimeChart.Period;
import org.ecstore.bench.plot.TimeChart.Periods;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimePlotsTest {
  @Test
  void aPeriodLastsFromTheFirstLookThatSawItToTheFirstThatDidNot() {
    SeenPeriods seen = new SeenPeriods();
    assertEquals(List.of(), seen.all());
    seen.see(1, false);
    seen.see(2, true);
    seen.see(5, true);
    assertEquals(List.of(new Period(2, 5)), seen.all(), "it goes on");
    seen.see(6, false);
    seen.see(7, false);
    seen.see(9, true);
    seen.see(10, false);
    assertEquals(List.of(new Period(2, 6), new Period(9, 10)), seen.all());
  }

  private static String drawn(Path directory, List<Periods> periods) throws IOException {
    Path file = directory.resolve("chart.svg");
    TimePlots.draw(
        new TimeChart(
            "chart",
            "ms",
            false,
            List.of(new Series("line").add(0, 1).add(20, 2)),
            List.of(),
            List.of(),
            periods),
        file);
    return Files.readString(file);
  }

  /** Seven wide, as no other line is. */
  @Test
  void periodsAreLevelBars(@TempDir Path directory) throws IOException {
    String bars = "stroke-width:7";
    String with =
        drawn(
            directory,
            List.of(new Periods("data moves", List.of(new Period(2, 6), new Period(9, 10)))));
    assertTrue(with.contains(bars), with);
    assertFalse(drawn(directory, List.of(new Periods("none", List.of()))).contains(bars));
    assertFalse(drawn(directory, List.of()).contains(bars));
  }
}
