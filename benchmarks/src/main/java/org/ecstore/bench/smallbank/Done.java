package org.ecstore.bench.smallbank;

import java.util.List;

/**
 * What a transaction did.
 *
 * @param id of the transaction, above 0
 * @param delta what it brought in, or took out if below zero
 * @param amount of a check
 * @param penalty whether it charged one
 * @param accesses to accounts, each account once
 */
record Done(
    long id, Procedure procedure, long delta, long amount, boolean penalty, List<Access> accesses) {
  /**
   * An account that was read, and then written or not.
   *
   * @param account its number
   * @param seen what was read
   * @param written what it was changed to; {@code seen} itself if it was not
   */
  record Access(long account, BankAccount seen, BankAccount written) {
    boolean wrote() {
      return written.version() != seen.version();
    }
  }

  /** How many accounts it read, and how many it wrote. */
  long records() {
    return accesses.size() + accesses.stream().filter(Access::wrote).count();
  }
}
