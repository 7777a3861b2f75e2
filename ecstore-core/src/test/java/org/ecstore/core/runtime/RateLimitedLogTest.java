package org.ecstore.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.port.OperatorLog;
import org.junit.jupiter.api.Test;

class RateLimitedLogTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<String> said = new ArrayList<>();
  private long now = -3 * SECOND;
  private final RateLimitedLog log = new RateLimitedLog(new Lines(), () -> now);

  private final class Lines implements OperatorLog {
    @Override
    public void info(String text) {
      said.add("info " + text);
    }

    @Override
    public void warn(String text) {
      said.add("warn " + text);
    }
  }

  @Test
  void whatComesAgainIsSaidEveryTenSecondsWithItsCount() {
    for (int i = 0; i <= 200; i++) {
      log.warn("no room");
      now += SECOND / 10;
    }
    assertEquals(
        List.of(
            "warn no room",
            "warn no room (99 times more since it was said)",
            "warn no room (99 times more since it was said)"),
        said);
  }

  @Test
  void anotherReasonIsSaidAtOnceAndNumbersAreNoOtherReason() {
    log.warn("segment 3: too few bookies");
    log.warn("segment 4: too few bookies");
    log.warn("segment 4: no ZooKeeper");
    log.info("segment 5: too few bookies");
    assertEquals(List.of("warn segment 3: too few bookies", "warn segment 4: no ZooKeeper"), said);
  }

  @Test
  void whatHasSettledIsNewsWhenItComesAgain() {
    log.warn("no room");
    log.info("tries again");
    log.settled();
    log.warn("no room");
    log.info("tries again");
    assertEquals(
        List.of("warn no room", "info tries again", "warn no room", "info tries again"), said);
  }

  @Test
  void itRemembersALimitedNumberOfLines() {
    for (int i = 0; i < 33; i++) {
      log.warn("x".repeat(i));
    }
    said.clear();
    log.warn("x".repeat(32));
    log.warn("");
    assertEquals(List.of("warn "), said);
  }
}
