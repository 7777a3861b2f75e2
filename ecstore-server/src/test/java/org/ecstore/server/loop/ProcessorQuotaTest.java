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
      long requestNanos = (long) Math.min(2 * MILLI, processors * quota.holdNanos() / 4);
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
  void theDebtOfAnHourIsForgottenAndCounted() {
    ProcessorQuota quota = quota(0.2);
    assertEquals(0, quota.waitNanos(now));
    work(3_600 * SECOND);
    assertEquals(quota.holdNanos(), quota.waitNanos(now));
    now += quota.holdNanos();
    assertEquals(0, quota.waitNanos(now), "one may be taken");
    assertEquals(0, overdrafts, "but none was yet");
    quota.taken();
    assertEquals(1, overdrafts);
    work(quota.holdNanos() / 20);
    assertEquals(0, quota.waitNanos(now), "half of what the wait has brought is theirs");
    work(quota.holdNanos() / 10);
    assertTrue(quota.waitNanos(now) > 0, "and no more");
    now += ProcessorQuota.DEBT_NANOS_MAX;
    assertEquals(0, quota.waitNanos(now));
    flood(quota, SECOND, MILLI, 0);
    assertEquals(1, overdrafts, "what was left of it is paid");
  }

  /** As of a compilation: it is paid while requests go on. */
  @Test
  void requestsThatNeedLessThanHalfOfTheQuotaWaitForNoLongerThanAHoldWhileADebtIsPaid() {
    ProcessorQuota quota = quota(0.2);
    assertEquals(0, quota.waitNanos(now));
    used += 50 * MILLI;
    long begun = now;
    long before = used;
    int taken = 0;
    // A request of half a millisecond each 6 ms is 0.083 processors.
    for (long due = now; due < begun + 2 * SECOND; due += 6 * MILLI) {
      now = Math.max(now, due);
      long wait = quota.waitNanos(now);
      while (wait > 0) {
        now += wait;
        wait = quota.waitNanos(now);
      }
      quota.taken();
      long waited = now - due;
      assertTrue(waited <= quota.holdNanos() + 10 * MILLI, () -> "waited " + waited);
      work(MILLI / 2);
      taken++;
    }
    assertEquals(taken * MILLI / 2, used - before);
    assertTrue(holds > 0, "it was owed");
    assertEquals(0, overdrafts, "and paid");
  }

  @Test
  void aboutHalfIsForRequestsThoughOtherWorkAloneTakesMoreThanTheQuota() {
    for (double processors : new double[] {0.05, 0.1, 0.4}) {
      ProcessorQuota quota = quota(processors);
      ofRequests = 0;
      overdrafts = 0;
      long begun = now;
      long longest = flood(quota, 20 * SECOND, MILLI / 5, 2 * processors);
      assertTrue(longest <= quota.holdNanos() + 4 * MILLI, () -> "waited " + longest);
      double share = (double) ofRequests / (now - begun);
      assertTrue(share >= processors / 4, () -> processors + ": " + share);
      assertTrue(share <= processors * 2 / 3, () -> processors + ": " + share);
      assertTrue(overdrafts >= 40, () -> overdrafts + " times");
    }
  }

  @Test
  void aWaitIsAsLongAsTheDebtTakes() {
    ProcessorQuota quota = quota(0.5);
    assertEquals(0, quota.waitNanos(now));
    work(40 * MILLI);
    assertEquals(40 * MILLI, quota.waitNanos(now), "20 ms are owed, at half a processor");
    now += 25 * MILLI;
    assertEquals(15 * MILLI, quota.waitNanos(now));
    now += 15 * MILLI;
    assertEquals(0, quota.waitNanos(now));
    assertEquals(1, holds);
  }

  @Test
  void aHoldIsLongerWhereTheQuotaIsSmall() {
    assertEquals(50 * MILLI, quota(1).holdNanos());
    assertEquals(50 * MILLI, quota(0.1).holdNanos());
    assertEquals(100 * MILLI, quota(0.05).holdNanos());
    assertEquals(250 * MILLI, quota(0.001).holdNanos());
  }

  @Test
  void aQuotaOfNothingIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> quota(0));
    assertThrows(IllegalArgumentException.class, () -> quota(Double.NaN));
  }
}
