package org.ecstore.tools.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that are made up, and what is said of them. */
class LivenessVerdictTest {
  private static final long MEBI = 1 << 20;
  private static final long ROOM = 100 * MEBI;
  private static final Duration LEASE = Duration.ofSeconds(200);
  private static final int SAMPLES = 60;

  /** Ten seconds apart, so that the last half has five minutes. */
  private static LivenessSample sample(
      int i, long commits, long trimmed, long windowBytes, long heapBytes) {
    return new LivenessSample(
        10.0 * i, commits, commits / 10.0, trimmed, 2L * trimmed, windowBytes, 5, heapBytes);
  }

  private static LivenessSample good(int i) {
    return sample(i, 50_000, i, 60 * MEBI, 300 * MEBI);
  }

  private static LivenessVerdict verdict(IntFunction<LivenessSample> each) {
    List<LivenessSample> samples = IntStream.range(0, SAMPLES).mapToObj(each).toList();
    return LivenessVerdict.of(samples, LEASE, ROOM);
  }

  @Test
  void clusterThatGoesOnIsKept() {
    LivenessVerdict verdict = verdict(LivenessVerdictTest::good);
    assertTrue(verdict.isKept());
    assertEquals(0, verdict.heapSlope(), 1e-9);
  }

  @Test
  void windowThatFillsAndIsEmptiedIsFlat() {
    LivenessVerdict verdict =
        verdict(i -> sample(i, 50_000, i, (i % 5) * 20L * MEBI, (300 + (i % 5) * 20) * MEBI));
    assertTrue(verdict.isKept(), verdict::toString);
  }

  @Test
  void whatTheFirstHalfHasIsNotJudged() {
    LivenessVerdict verdict =
        verdict(i -> i < SAMPLES / 2 ? sample(i, i % 2, 0, 2 * ROOM, i * MEBI) : good(i));
    assertTrue(verdict.isKept(), verdict::toString);
  }

  /** All the rest is as it has to be: a cluster that ends each lease must not pass by that. */
  @Test
  void runInWhichNoSnapshotAnsweredIsFound() {
    List<LivenessSample> samples =
        IntStream.range(0, SAMPLES).mapToObj(LivenessVerdictTest::good).toList();
    LivenessVerdict verdict = LivenessVerdict.of(samples, Duration.ZERO, ROOM);
    assertFalse(verdict.leaseHeld());
    assertFalse(verdict.isKept(), verdict::toString);
    assertTrue(LivenessVerdict.of(samples, Duration.ofMillis(1), ROOM).isKept());
  }

  @Test
  void oneSampleWithoutACommitIsFound() {
    assertFalse(verdict(i -> sample(i, i == 50 ? 0 : 50_000, i, 0, MEBI)).commitsGoOn());
  }

  @Test
  void commitsThatBecomeFewAreFound() {
    assertFalse(verdict(i -> sample(i, i < 30 ? 50_000 : 20_000, i, 0, MEBI)).commitsGoOn());
    assertTrue(verdict(i -> sample(i, i < 30 ? 50_000 : 30_000, i, 0, MEBI)).commitsGoOn());
  }

  @Test
  void ledgerThatIsTrimmedNoFurtherIsFound() {
    assertFalse(verdict(i -> sample(i, 50_000, Math.min(i, SAMPLES / 2), 0, MEBI)).trimMovesOn());
  }

  @Test
  void heapThatGrowsIsFound() {
    // A MiB every ten seconds: six a minute of some 345, 1.7 %; and twice as much.
    LivenessVerdict slow = verdict(i -> sample(i, 50_000, i, 0, (300 + i) * MEBI));
    assertEquals(100 * 6.0 / 344.5, slow.heapSlope(), 0.01);
    assertTrue(slow.memoryFlat());
    assertFalse(verdict(i -> sample(i, 50_000, i, 0, (300 + 3L * i) * MEBI)).memoryFlat());
  }

  @Test
  void windowWithoutRoomIsFound() {
    assertFalse(verdict(i -> sample(i, 50_000, i, i == 55 ? ROOM + 1 : 0, MEBI)).memoryFlat());
  }

  @Test
  void fewSamplesAreNotJudged() {
    List<LivenessSample> few = IntStream.range(0, 7).mapToObj(LivenessVerdictTest::good).toList();
    assertThrows(IllegalArgumentException.class, () -> LivenessVerdict.of(few, LEASE, ROOM));
  }
}
