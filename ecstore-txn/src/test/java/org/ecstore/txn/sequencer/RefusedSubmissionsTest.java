package org.ecstore.txn.sequencer;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ecstore.id.TxnId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusedSubmissionsTest {
  private static final long SECOND = 1_000_000_000L;

  private final RefusedSubmissions refused = new RefusedSubmissions();

  private static TxnId txn(int number) {
    return new TxnId(7, number);
  }

  /** Whatever the clock's zero is. */
  @ParameterizedTest
  @ValueSource(longs = {0, -3_141_500_000_000L, Long.MAX_VALUE - SECOND / 2})
  void oneMayComeAgainForASecondAfterItWasRefusedLast(long zero) {
    assertFalse(refused.has(txn(1), zero));
    refused.add(txn(1), zero);
    assertTrue(refused.has(txn(1), zero + SECOND));
    assertFalse(refused.has(txn(1), zero + SECOND + 1));
    assertFalse(refused.has(txn(2), zero));

    refused.add(txn(1), zero + SECOND);
    assertTrue(refused.has(txn(1), zero + 2 * SECOND));
  }

  @Test
  void thoseRefusedLongestAgoAreForgottenWhereThereAreTooMany() {
    for (int i = 0; i < RefusedSubmissions.MOST; i++) {
      refused.add(txn(i), 0);
    }
    refused.add(txn(0), 0);
    refused.add(txn(RefusedSubmissions.MOST), 0);
    assertTrue(refused.has(txn(0), 0));
    assertFalse(refused.has(txn(1), 0));
    assertTrue(refused.has(txn(2), 0));
    assertTrue(refused.has(txn(RefusedSubmissions.MOST), 0));
  }

  @Test
  void aTermBeginsWithNone() {
    refused.add(txn(1), 0);
    refused.clear();
    assertFalse(refused.has(txn(1), 0));
  }
}
