package org.ecstore.server.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A process under a quota, on a clock of its own: time goes by as it works and as it waits. */
class ProcessorQuotaTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;

  private long now = 5;
  private long used = 77;
  private long ofRequests;
  private int holds;
  private int overdrafts;

  private ProcessorQuota quota(double processors) {
    return new ProcessorQuota(
        processors,
        () -> used,
        new ProcessorQuota.Told() {
          @Override
          public void held() {
            holds++;
          }

          @Override
          public void overdrawn() {
            overdrafts++;
          }
        });
  }

  /** One processor works on this for so long. */
  private void work(long nanos) {
    now += nanos;
    used += nanos;
  }

  /**
   * Requests one after the other, as many as are let through, and other work beside them.
   *
   * @param requestNanos what one costs at most
   * @param otherShare of a processor that other work takes all the time
   * @return the longest time for which none was taken
   */
  private long flood(ProcessorQuota quota, long nanos, long requestNanos, double otherShare) {
    SplittableRandom random = new SplittableRandom(1);
    long end = now + nanos;
    long longest = 0;
    long last = now;
    while (now < end) {
      long before = now;
      long wait = quota.waitNanos(now);
      if (wait == 0) {
        quota.taken();
        longest = Math.max(longest, now - last);
        long cost = 1 + random.nextLong(requestNanos);
        ofRequests += cost;
        work(cost);
        last = now;
      } else {
        now += wait;
      }
      used += (long) (otherShare * (now - before));
    }
    return longest;
  }

  @Test
  void overAnySpanNoMoreIsUsedThanTheQuotaAndABurst() {
    for (double processors : new double[] {0.01, 0.05, 0.2, 0.5}) {
      ProcessorQuota quota = quota(processors);
      long requestNanos = (long) Math.min(2 * MILLI, processors * ProcessorQuota.BURST_NANOS);
      for (long span : new long[] {SECOND / 10, SECOND, 20 * SECOND}) {
        long before = used;
        long begun = now;
        flood(quota, span, requestNanos, processors / 4);
        double most = processors * (now - begun + ProcessorQuota.BURST_NANOS) + 2 * requestNanos;
        assertTrue(used - before <= most, () -> processors + ": " + (used - before));
      }
      assertEquals(0, overdrafts, "it was kept");
      assertTrue(holds > 0);
    }
  }

  @Test
  void nearlyAllOfTheQuotaIsUsedWhereThereIsEnoughToDo() {
    ProcessorQuota quota = quota(0.2);
    long before = used;
    long begun = now;
    flood(quota, 20 * SECOND, MILLI, 0.05);
    assertTrue(used - before >= 0.95 * 0.2 * (now - begun), () -> "only " + (used - before));
  }

  @Test
  void whoUsesLessNeverWaits() {
    ProcessorQuota quota = quota(0.2);
    for (int i = 0; i < 1_000; i++) {
      assertEquals(0, quota.waitNanos(now));
      quota.taken();
      work(MILLI);
      now += 4 * MILLI;
    }
    assertEquals(0, holds);
  }

  @Test
  void aQuietTimeIsNoLicenceForABusyOne() {
    ProcessorQuota quota = quota(0.2);
    assertEquals(0, quota.waitNanos(now));
    now += 3_600 * SECOND;
    long before = used;
    long begun = now;
    flood(quota, SECOND, MILLI, 0);
    double most = 0.2 * (now - begun + ProcessorQuota.BURST_NANOS) + 2 * MILLI;
    assertTrue(used - before <= most, () -> "used " + (used - before));
  }

  @Test
  void theDebtOfAnHourIsForgottenAfterAWhileAndCounted() {
    ProcessorQuota quota = quota(0.2);
    assertEquals(0, quota.waitNanos(now));
    work(3_600 * SECOND);
    assertEquals(ProcessorQuota.HOLD_NANOS_MAX, quota.waitNanos(now));
    now += ProcessorQuota.HOLD_NANOS_MAX;
    assertEquals(0, quota.waitNanos(now), "one may be taken");
    assertEquals(0, overdrafts, "but none was yet");
    quota.taken();
    assertEquals(1, overdrafts);
    work(ProcessorQuota.BURST_NANOS / 5);
    assertEquals(0, quota.waitNanos(now), "what a burst brings is theirs");
    work(ProcessorQuota.BURST_NANOS);
    assertTrue(quota.waitNanos(now) > 0, "and no more");
  }

  @Test
  void aFifthIsForRequestsThoughOtherWorkAloneTakesMoreThanTheQuota() {
    for (double processors : new double[] {0.05, 0.1, 0.4}) {
      ProcessorQuota quota = quota(processors);
      ofRequests = 0;
      overdrafts = 0;
      long begun = now;
      long longest = flood(quota, 20 * SECOND, MILLI, 2 * processors);
      assertTrue(longest <= ProcessorQuota.HOLD_NANOS_MAX + 4 * MILLI, () -> "waited " + longest);
      double share = (double) ofRequests / (now - begun);
      assertTrue(share >= processors / 8, () -> processors + ": " + share);
      assertTrue(share <= processors / 3, () -> processors + ": " + share);
      assertTrue(overdrafts >= 40, () -> overdrafts + " times");
    }
  }

  @Test
  void aWaitIsAsLongAsTheDebtTakes() {
    ProcessorQuota quota = quota(0.5);
    assertEquals(0, quota.waitNanos(now));
    work(100 * MILLI);
    assertEquals(100 * MILLI, quota.waitNanos(now), "50 ms are owed, at half a processor");
    now += 60 * MILLI;
    assertEquals(40 * MILLI, quota.waitNanos(now));
    now += 40 * MILLI;
    assertEquals(0, quota.waitNanos(now));
    assertEquals(1, holds);
  }

  @Test
  void aQuotaOfNothingIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> quota(0));
    assertThrows(IllegalArgumentException.class, () -> quota(Double.NaN));
  }
}
