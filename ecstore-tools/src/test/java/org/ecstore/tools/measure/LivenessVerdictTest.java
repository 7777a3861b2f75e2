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
  private static final Duration RUN = Duration.ofMinutes(10);
  private static final Duration LEASE = Duration.ofSeconds(200);
  private static final int SAMPLES = 60;

  /** What is committed from sample to sample. */
  private static final long EACH = 50_000;

  /** What a ledger keeps that is trimmed as it should. */
  private static final long KEPT = 150_000;

  /** Ten seconds apart, so that the last half has five minutes. */
  private static LivenessSample sample(
      int i, long commits, long kept, long windowBytes, long heapBytes) {
    long durable = KEPT + EACH * i;
    return new LivenessSample(
        10.0 * i, commits, commits / 10.0, durable - kept, durable, windowBytes, 5, heapBytes);
  }

  private static LivenessSample good(int i) {
    return sample(i, EACH, KEPT, 60 * MEBI, 300 * MEBI);
  }

  /** Of which the ledger keeps so many records. */
  private static LivenessSample kept(int i, double records) {
    return sample(i, EACH, (long) records, 60 * MEBI, 300 * MEBI);
  }

  private static LivenessSample heap(int i, double mebi) {
    return sample(i, EACH, KEPT, 60 * MEBI, (long) (mebi * MEBI));
  }

  private static LivenessVerdict verdict(IntFunction<LivenessSample> each) {
    return verdict(each, LEASE);
  }

  private static LivenessVerdict verdict(IntFunction<LivenessSample> each, Duration lease) {
    List<LivenessSample> samples = IntStream.range(0, SAMPLES).mapToObj(each).toList();
    return LivenessVerdict.of(samples, RUN, lease, ROOM);
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
        verdict(i -> sample(i, EACH, KEPT, (i % 6) * 16L * MEBI, (300 + (i % 6) * 40) * MEBI));
    assertTrue(verdict.isKept(), verdict::toString);
  }

  @Test
  void whatTheFirstHalfHasIsNotJudged() {
    LivenessVerdict verdict =
        verdict(i -> i < SAMPLES / 2 ? sample(i, i % 2, EACH * i, 2 * ROOM, i * MEBI) : good(i));
    assertTrue(verdict.isKept(), verdict::toString);
  }

  /** All the rest is as it has to be: a cluster that ends each lease must not pass by that. */
  @Test
  void runInWhichNoSnapshotAnsweredIsFound() {
    LivenessVerdict verdict = verdict(LivenessVerdictTest::good, Duration.ZERO);
    assertFalse(verdict.leaseHeld());
    assertFalse(verdict.isKept(), verdict::toString);
  }

  /** It ended before a fold had to go ahead of it. */
  @Test
  void aLeaseThatIsTooShortIsFound() {
    Duration least = LivenessVerdict.LEASE_MIN;
    LivenessVerdict verdict = verdict(LivenessVerdictTest::good, least.minusMillis(1));
    assertEquals(least, verdict.leaseMin());
    assertFalse(verdict.leaseHeld());
    assertFalse(verdict.isKept(), verdict::toString);
    assertTrue(verdict(LivenessVerdictTest::good, least).isKept());
  }

  @Test
  void aShortRunHasAShorterLease() {
    List<LivenessSample> samples = IntStream.range(0, 24).mapToObj(i -> good(i)).toList();
    Duration run = Duration.ofSeconds(24);
    Duration least = Duration.ofSeconds(6);
    assertTrue(LivenessVerdict.of(samples, run, least, ROOM).leaseHeld());
    assertFalse(LivenessVerdict.of(samples, run, least.minusMillis(1), ROOM).leaseHeld());
  }

  @Test
  void oneSampleWithoutACommitIsFound() {
    assertFalse(verdict(i -> sample(i, i == 50 ? 0 : EACH, KEPT, 0, MEBI)).commitsGoOn());
  }

  @Test
  void commitsThatBecomeFewAreFound() {
    assertFalse(verdict(i -> sample(i, i < 30 ? EACH : 20_000, KEPT, 0, MEBI)).commitsGoOn());
    assertTrue(verdict(i -> sample(i, i < 30 ? EACH : 30_000, KEPT, 0, MEBI)).commitsGoOn());
  }

  @Test
  void ledgerThatIsTrimmedNoFurtherIsFound() {
    double middle = SAMPLES / 2;
    LivenessVerdict verdict = verdict(i -> kept(i, KEPT + EACH * Math.max(0, i - middle)));
    assertFalse(verdict.trimMovesOn());
    assertFalse(verdict.isKept(), verdict::toString);
  }

  /** Further from sample to sample, and further behind: of five records one stays. */
  @Test
  void aTrimThatCreepsIsFound() {
    LivenessVerdict late = verdict(i -> kept(i, KEPT + 0.2 * EACH * Math.max(0, i - 30)));
    assertTrue(late.kept() > late.keptBefore(), late::toString);
    assertFalse(late.trimMovesOn(), late::toString);
    assertFalse(verdict(i -> kept(i, KEPT + 0.2 * EACH * i)).trimMovesOn());
    assertFalse(verdict(i -> kept(i, 0.5 * EACH * i)).trimMovesOn());
  }

  /** One record in all of the second half. */
  @Test
  void aTrimThatHardlyMovesIsFound() {
    assertFalse(verdict(i -> kept(i, EACH * (double) i - (i == 59 ? 1 : 0))).trimMovesOn());
  }

  @Test
  void whatTheLedgerKeepsMayRiseAndFall() {
    assertTrue(verdict(i -> kept(i, KEPT + (i % 6) * 0.8 * EACH)).trimMovesOn());
  }

  @Test
  void aHeapThatCreepsIsFound() {
    // A MiB every ten seconds: six a minute of some 345, 1.7 %; and a third of that.
    LivenessVerdict creeps = verdict(i -> heap(i, 300 + i));
    assertEquals(100 * 6.0 / 344.5, creeps.heapSlope(), 0.01);
    assertEquals(8.5, creeps.heapRise(), 0.1);
    assertFalse(creeps.memoryFlat());
    assertFalse(creeps.isKept(), creeps::toString);
    assertTrue(verdict(i -> heap(i, 300 + i / 3.0)).memoryFlat());
  }

  /** What is left of it at its least says so, whatever comes and goes above. */
  @Test
  void aHeapThatCreepsBelowTurnsOfTheWindowIsFound() {
    assertFalse(verdict(i -> heap(i, 300 + i + (i % 6) * 40)).memoryFlat());
    assertTrue(verdict(i -> heap(i, 300 + i / 3.0 + (i % 6) * 40)).memoryFlat());
  }

  @Test
  void windowWithoutRoomIsFound() {
    assertFalse(verdict(i -> sample(i, EACH, KEPT, i == 55 ? ROOM + 1 : 0, MEBI)).memoryFlat());
  }

  @Test
  void fewSamplesAreNotJudged() {
    List<LivenessSample> few = IntStream.range(0, 7).mapToObj(LivenessVerdictTest::good).toList();
    assertThrows(IllegalArgumentException.class, () -> LivenessVerdict.of(few, RUN, LEASE, ROOM));
  }
}
