package org.ecstore.bench.smallbank;

import java.util.OptionalLong;

/**
 * Whether a run was as it should be.
 *
 * @param transactions that were looked at
 * @param whole whether that is all there were
 * @param expected what all accounts should hold; absent if some commit's outcome is unknown and
 *     cannot be seen from the others, as in a run of which not all is kept
 * @param found what they hold
 * @param lostUpdates writes that another transaction wrote over without having seen them
 * @param anomalies groups of transactions that no order explains: each saw, or should have seen,
 *     another of its group before and another after it
 * @param inAnomalies transactions in such groups
 * @param missingPenalties checks in such groups that overdrew the accounts as {@link
 *     Procedure#TRANSACT_SAVINGS} of the same group left them, and were charged no penalty
 */
public record BankVerdict(
    long transactions,
    boolean whole,
    OptionalLong expected,
    long found,
    long lostUpdates,
    long anomalies,
    long inAnomalies,
    long missingPenalties) {
  /** Whether it can be told if money appeared or vanished. */
  public boolean isMoneyKnown() {
    return lostUpdates > 0 || expected.isPresent();
  }

  /** Whether no money appeared or vanished, as far as can be told. */
  public boolean isMoneyConserved() {
    return lostUpdates == 0 && expected.isPresent() && expected.getAsLong() == found;
  }

  /** Whether some order of the transactions explains all that they saw. */
  public boolean isSerializable() {
    return lostUpdates == 0 && anomalies == 0;
  }
}
