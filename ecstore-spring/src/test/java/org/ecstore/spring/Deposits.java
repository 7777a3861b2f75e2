package org.ecstore.spring;

import static org.ecstore.spring.SpringFixture.BALANCES;

import org.ecstore.client.EcStore;
import org.ecstore.key.Tuple;
import org.springframework.transaction.annotation.Transactional;

/** Deposits that are done once, as the guide on outcomes that are not known shows them. */
class Deposits {
  private final EcStore store;

  Deposits(EcStore store) {
    this.store = store;
  }

  @Transactional
  @RetryOnConflict
  public boolean deposit(String requestId, String account, long amount) {
    return store.execute(
        requestId,
        tx -> tx.upsert(BALANCES, Tuple.of(account), balance -> balance.orElse(0L) + amount));
  }

  /** What calls them. */
  static class Counter {
    private final Deposits deposits;

    Counter(Deposits deposits) {
      this.deposits = deposits;
    }

    void accept(String requestId, String account, long amount) {
      try {
        deposits.deposit(requestId, account, amount);
      } catch (UnknownTransactionOutcomeException e) {
        // It is done, or it is not: what is done under a name is not done again.
        deposits.deposit(requestId, account, amount);
      }
    }
  }
}
