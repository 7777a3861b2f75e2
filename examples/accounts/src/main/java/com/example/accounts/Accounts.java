package com.example.accounts;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.client.Codec;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.key.Tuple;
import org.ecstore.spring.RetryOnConflict;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** What there is on which account. Each method is a transaction, run again where it must be. */
@Repository
@Transactional
@RetryOnConflict
public class Accounts {
  /** Cents by name. */
  private static final Table<Long> BALANCES = Table.of("balances", Codec.longs());

  /** More is asked for than there is. */
  public static final class TooLittleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLittleException(String account, long balance) {
      super("there are only " + balance + " on " + account);
    }
  }

  private final Transaction tx;

  public Accounts(Transaction tx) {
    this.tx = tx;
  }

  public long pay(String account, long amount) {
    return tx.upsert(BALANCES, Tuple.of(account), balance -> balance.orElse(0L) + amount);
  }

  public void move(String from, String to, long amount) {
    long left = pay(from, -amount);
    pay(to, amount);
    if (left < 0) {
      // Nothing of it is done.
      throw new TooLittleException(from, left + amount);
    }
  }

  @Transactional(readOnly = true)
  public Optional<Long> balance(String account) {
    return tx.get(BALANCES, Tuple.of(account));
  }

  @Transactional(readOnly = true)
  public Map<String, Long> all() {
    Map<String, Long> all = new TreeMap<>();
    tx.scan(BALANCES).limit(1_000).forEach(entry -> all.put(entry.key().string(0), entry.value()));
    return all;
  }
}
