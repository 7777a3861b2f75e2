package org.ecstore.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.ecstore.server.NodeRuntime;
import org.junit.jupiter.api.Test;

class NodeServerTest {
  private static final Duration HOUR = Duration.ofHours(1);

  /** Rule W11: a window that takes minutes is folded where an operator gives it an hour. */
  @Test
  void aCleanStopFoldsInWhatIsLeftOfItsTime() {
    assertEquals(Duration.ofSeconds(3_595), NodeServer.foldWithin(HOUR, Duration.ofSeconds(5)));
    assertEquals(HOUR, NodeServer.foldWithin(HOUR, Duration.ZERO));
  }

  @Test
  void anyFoldHasSomeSeconds() {
    Duration least = NodeRuntime.FOLD_WITHIN;
    assertEquals(least, NodeServer.foldWithin(HOUR, HOUR.plusSeconds(1)));
    assertEquals(least, NodeServer.foldWithin(Duration.ofMillis(100), Duration.ZERO));
    assertEquals(least, NodeServer.foldWithin(Duration.ofSeconds(20), Duration.ofSeconds(12)));
  }
}
