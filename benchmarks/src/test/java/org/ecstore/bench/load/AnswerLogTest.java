package org.ecstore.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.ecstore.bench.load.AnswerLog.Had;
import org.junit.jupiter.api.Test;

class AnswerLogTest {
  private static final long MILLI = 1_000_000L;
  private final AnswerLog log = new AnswerLog(0);

  private void answered(long beginMillis, long endMillis) {
    log.answered(beginMillis * MILLI, endMillis * MILLI);
  }

  @Test
  void answersCountWhenTheyComeAndTimesWhenTheyWereDue() {
    answered(100, 200);
    answered(900, 1_900);
    answered(1_950, 1_960);
    Had first = log.had(0, 1);
    assertEquals(2, first.due());
    assertEquals(1, first.answers());
    assertEquals(1_000, first.p99Millis(), 10);
    assertEquals(100, first.p50Millis(), 1);
    assertEquals(550, first.meanMillis(), 6);
    Had second = log.had(1, 2);
    assertEquals(1, second.due());
    assertEquals(2, second.answers());
    assertEquals(10, second.p99Millis(), 0.1);
    assertEquals(1.5, log.had(0, 2).perSecond());
  }

  @Test
  void aPauseIsOfTheSecondInWhichItEnds() {
    answered(0, 500);
    answered(2_600, 2_700);
    // Told late, and no pause of its own.
    answered(2_500, 2_650);
    assertEquals(0.5, log.had(0, 1).longestPauseSeconds());
    assertEquals(0, log.had(1, 2).longestPauseSeconds());
    assertEquals(2.2, log.had(2, 3).longestPauseSeconds());
    log.close(6_000 * MILLI);
    assertEquals(3.3, log.had(0, 7).longestPauseSeconds());
  }

  @Test
  void whatFailsIsDueAndNoAnswer() {
    answered(100, 200);
    log.failed(300 * MILLI);
    Had had = log.had(0, 1);
    assertEquals(2, had.due());
    assertEquals(1, had.answers());
    assertEquals(1, had.failed());
    assertEquals(0, log.had(5, 6).due());
  }

  @Test
  void aRunThatIsEndedIsNotedToItsLastOperation() throws InterruptedException {
    AnswerLog noted = new AnswerLog(System.nanoTime());
    LoadRun[] run = new LoadRun[1];
    Load load =
        (_, _) -> {
          int[] done = {0};
          return () -> {
            done[0]++;
            if (done[0] == 20) {
              run[0].end();
            }
            return done[0] % 2 == 0
                ? LoadOutcome.done("read", 1)
                : LoadOutcome.failed("read", "ERROR");
          };
        };
    Pace pace = new Pace(1, 500, Duration.ZERO, Duration.ofHours(1));
    run[0] = new LoadRun(noted.watched(load), pace, List.of(), _ -> {});
    Measured measured = run[0].run();
    Had had = noted.had(0, 3_600);
    assertEquals(measured.operations(), had.answers());
    assertEquals(measured.failed(), had.failed());
    assertEquals(measured.due(), had.due());
  }

  @Test
  void whatWarmsUpIsNotNoted() throws InterruptedException {
    AnswerLog noted = new AnswerLog(0);
    Load load = (_, _) -> () -> LoadOutcome.done("read", 1);
    Pace pace = new Pace(1, 200, Duration.ofMillis(300), Duration.ofMillis(400));
    Measured measured = new LoadRun(noted.counted(load), pace, List.of(), _ -> {}).run();
    Had had = noted.had(0, noted.length());
    assertEquals(measured.due(), had.due());
    assertEquals(80.0, (double) had.due(), 2.0);
    // The next run begins anew.
    new LoadRun(noted.counted(load), pace, List.of(), _ -> {}).run();
    assertEquals(80.0, (double) noted.had(0, noted.length()).due(), 2.0);
  }
}
