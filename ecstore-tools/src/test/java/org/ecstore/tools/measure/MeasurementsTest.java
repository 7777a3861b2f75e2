package org.ecstore.tools.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.OptionalLong;
import org.ecstore.tools.measure.FailOverMeasurement.Row;
import org.ecstore.tools.measure.FailOverMeasurement.Victim;
import org.junit.jupiter.api.Test;

class MeasurementsTest {
  private static Row row(int kill, Victim who, long... resumed) {
    return new Row(
        kill,
        who,
        3,
        resumed.length,
        resumed.length == 0 ? OptionalLong.empty() : OptionalLong.of(resumed[0]),
        resumed.length == 0 ? OptionalLong.empty() : OptionalLong.of(resumed[resumed.length - 1]),
        900);
  }

  /** Writes do not go on after 0 ms where none had to wait. */
  @Test
  void aNodeThatServedNoRangeSaysNothingOfHowLongWritesWait() {
    MeasurementReport report =
        Measurements.failOver(
            List.of(
                row(1, Victim.PRIMARY, 40, 70),
                row(2, Victim.SEQUENCER),
                row(3, Victim.PRIMARY, 50, 90)));
    JsonNode json = report.json();
    assertEquals(70, json.path("minMillis").asLong(), json::toString);
    assertEquals(70, json.path("primary_minMillis").asLong(), json::toString);
    assertFalse(json.has("sequencer_minMillis"), json::toString);
    assertEquals(90, json.at("/rows/2/allResumedMillis").asLong());
    assertFalse(json.path("rows").path(1).has("allResumedMillis"), json::toString);
    assertTrue(report.table().contains("| 2 | sequencer | 3 | 0 | - | - | 900 |"), report::table);
  }

  @Test
  void ofNothingThereIsNoSummary() {
    assertFalse(Measurements.failOver(List.of()).json().has("minMillis"));
  }
}
