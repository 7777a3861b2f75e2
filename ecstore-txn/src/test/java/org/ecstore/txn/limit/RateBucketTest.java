package org.ecstore.txn.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateBucketTest {
  private static final long SECOND = 1_000_000_000L;

  private static long admitted(RateBucket bucket, int asked, long nowNanos) {
    return LongStream.range(0, asked).filter(_ -> bucket.admits(nowNanos)).count();
  }

  /** Whatever the clock's zero is. */
  @ParameterizedTest
  @ValueSource(longs = {0, -3_141_500_000_000L, 4_611_686_018_400_000_000L})
  void aBurstAtOnceAndThenTheRate(long zero) {
    RateBucket bucket = new RateBucket(new RateBucket.Rate(20, 200));
    assertEquals(20, admitted(bucket, 1_000, zero));
    assertEquals(0, admitted(bucket, 1_000, zero + SECOND / 200 - 1));
    assertEquals(1, admitted(bucket, 1_000, zero + SECOND / 200));
    long inTheSecondAfter =
        LongStream.rangeClosed(1, 1_000)
            .map(i -> admitted(bucket, 10, zero + SECOND / 200 + i * SECOND / 1_000))
            .sum();
    assertEquals(200, inTheSecondAfter);
  }

  @Test
  void whatIsSavedUpIsNoMoreThanTheBurstHoweverLongItTakes() {
    RateBucket bucket = new RateBucket(new RateBucket.Rate(3, 10));
    assertEquals(3, admitted(bucket, 100, 0));
    assertEquals(3, admitted(bucket, 100, 1_000_000 * SECOND));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 7, 200, 1_000_000})
  void whoWaitsAsLongAsToldFindsRoomAndNotBefore(long perSecond) {
    RateBucket bucket = new RateBucket(new RateBucket.Rate(2, perSecond));
    assertEquals(0, bucket.waitNanos(0));
    assertEquals(2, admitted(bucket, 100, 0));
    long wait = bucket.waitNanos(0);
    assertEquals(SECOND / perSecond, wait);
    assertFalse(bucket.hasRoom(wait - 1));
    assertTrue(bucket.hasRoom(wait));
    assertEquals(0, bucket.waitNanos(wait));
  }

  @Test
  void whatIsTakenWithoutRoomIsNoDebtForEver() {
    RateBucket bucket = new RateBucket(new RateBucket.Rate(10, 100));
    LongStream.range(0, 1_000_000).forEach(_ -> bucket.take(0));
    assertEquals(10, bucket.taken(0));
    assertEquals(SECOND / 100, bucket.waitNanos(0));
    assertEquals(5, bucket.taken(SECOND / 20));
    assertEquals(0, bucket.taken(SECOND));
  }

  /** A clock that has jumped back makes no room, and takes away no more than there was. */
  @Test
  void aClockThatGoesBackLeavesTheBucketAsItWas() {
    RateBucket bucket = new RateBucket(new RateBucket.Rate(10, 100));
    assertEquals(10, admitted(bucket, 100, SECOND));
    assertEquals(0, admitted(bucket, 100, 0));
    assertEquals(10, admitted(bucket, 100, SECOND + SECOND / 10));
  }

  /** However far: it fills from then on, and does not wait until the clock is where it was. */
  @Test
  void aClockThatGoesFarBackStopsNothing() {
    RateBucket bucket = new RateBucket(new RateBucket.Rate(10, 100));
    long late = 3_600 * SECOND;
    assertEquals(10, admitted(bucket, 100, late));
    assertEquals(SECOND / 100, bucket.waitNanos(0));
    assertEquals(10, bucket.taken(0));
    assertEquals(1, admitted(bucket, 100, SECOND / 100));
    assertEquals(10, admitted(bucket, 100, SECOND));
  }
}
