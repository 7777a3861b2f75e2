package org.ecstore.tools.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Gaps of a node that is killed when the clock says 1,000 ms; writes go on at 4,000. */
class ProbeTimesTest {
  private static final int PROBE = 3;
  private final Probes.Times times = new Probes.Times();

  private void done(int probe, long... millis) {
    for (long each : millis) {
      times.add(probe, nanos(each - 10), nanos(each));
    }
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private long longest(int probe) {
    return times.longestGapMillis(probe, nanos(1_000), nanos(4_000));
  }

  /** As at the time of the kill all but the last of each is forgotten. */
  @Test
  void theGapThatBeginsWithTheKillCounts() {
    done(PROBE, 900, 960);
    done(PROBE + 1, 990);
    times.forget(nanos(1_000));
    done(PROBE, 2_500, 2_550, 2_600, 3_990);
    assertEquals(2_500 - 960, longest(PROBE));
    assertEquals(
        List.of(1_540L, 50L, 50L, 1_390L),
        times.gaps(PROBE, nanos(1_000), nanos(4_000)).stream().map(Probes.Gap::millis).toList());
  }

  @Test
  void theOneThatGotNothingUntilTheEndHasTheLongestGap() {
    done(PROBE, 980);
    times.forget(nanos(1_000));
    assertEquals(4_000 - 980, longest(PROBE));
    done(PROBE, 4_500);
    assertEquals(4_000 - 980, longest(PROBE), "what came later does not count");
    assertEquals(3_000, longest(PROBE + 1), "it never had one");
  }

  @Test
  void whatWentOnHasShortGaps() {
    for (long at = 500; at < 4_500; at += 50) {
      done(PROBE, at);
    }
    times.forget(nanos(1_000));
    assertEquals(50, longest(PROBE));
    assertEquals(
        OptionalLong.of(nanos(2_050)), times.firstBegunAfter(nanos(2_000), any -> any == PROBE));
  }
}
