package org.ecstore.tools.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.ReplayStage;
import org.junit.jupiter.api.Test;

/** What a node's port for metrics says, as it is read. */
class NodeNumbersTest {
  private static final NodeNumbers NUMBERS =
      NodeNumbers.parse(
          """
          # HELP ecstore_window_bytes Memory of versions
          # TYPE ecstore_window_bytes gauge
          ecstore_window_bytes{cluster="c",node="1"} 1.5E7
          ecstore_window_bytes_of_others{cluster="c",node="1"} 7.0
          ecstore_replay_time_seconds_count{cluster="c",node="1",stage="ledger"} 12.0
          ecstore_replay_time_seconds_sum{cluster="c",node="1",stage="ledger"} 0.25
          ecstore_replay_time_seconds_sum{cluster="c",node="1",stage="window"} 0.5
          """);

  @Test
  void gaugeIsItsOwnLine() {
    assertEquals(15_000_000, NUMBERS.of(NodeMetrics.WINDOW));
    assertEquals(0, NUMBERS.of(NodeMetrics.DURABLE));
  }

  @Test
  void valuesOfAHistogramAreCountedByTheirTag() {
    assertEquals(12, NUMBERS.count(NodeMetrics.REPLAY_TIME, ReplayStage.LEDGER));
    assertEquals(0, NUMBERS.count(NodeMetrics.REPLAY_TIME, ReplayStage.WINDOW));
  }

  @Test
  void timesOfAHistogramAreByTheirTag() {
    assertEquals(0.25, NUMBERS.seconds(NodeMetrics.REPLAY_TIME, ReplayStage.LEDGER));
    assertEquals(0.5, NUMBERS.seconds(NodeMetrics.REPLAY_TIME, ReplayStage.WINDOW));
    assertEquals(0, NUMBERS.seconds(NodeMetrics.REPLAY_TIME, ReplayStage.DECODE));
  }
}
