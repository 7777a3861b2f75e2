package org.ecstore.bench.smallbank;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.bench.smallbank.Done.Access;
import org.ecstore.client.Codec;
import org.ecstore.client.Entry;
import org.ecstore.client.Session;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/**
 * Customers with a savings and a checking account each, and what is done with them. Whatever writes
 * an account reads it first, so that the versions of each follow one another.
 */
final class Bank {
  /** What each account holds at first. */
  static final long OPENING_BALANCE = 100;

  private static final Table<String> NAMES = Table.of("smallbank-names", Codec.utf8());
  private static final Table<BankAccount> SAVINGS =
      Table.of("smallbank-savings", BankAccount.CODEC);
  private static final Table<BankAccount> CHECKING =
      Table.of("smallbank-checking", BankAccount.CODEC);
  private static final long PENALTY = 1;

  private Bank() {}

  /** An account's number. */
  static long savings(long customer) {
    return customer * 2;
  }

  /** An account's number. */
  static long checking(long customer) {
    return customer * 2 + 1;
  }

  private static String name(long customer) {
    return "customer-" + customer;
  }

  /** Where a part of the customers begins in each table. */
  static List<Bytes> splitHints(long customers, int parts) {
    List<Bytes> hints = new ArrayList<>();
    for (Table<?> table : List.<Table<?>>of(CHECKING, SAVINGS)) {
      for (int part = 0; part < parts; part++) {
        Tuple from = Tuple.of(customers * part / parts);
        hints.add(from.encode(Tuple.of(table.name()).encode()));
      }
    }
    return hints.stream().distinct().toList();
  }

  /** Opens a customer's accounts. */
  static void open(Transaction tx, long customer) {
    BankAccount opened = new BankAccount(OPENING_BALANCE, 0, 0);
    tx.put(NAMES, Tuple.of(name(customer)), Long.toString(customer));
    tx.put(SAVINGS, Tuple.of(customer), opened);
    tx.put(CHECKING, Tuple.of(customer), opened);
  }

  /** All accounts by their numbers, at one moment. */
  static TreeMap<Long, BankAccount> accounts(Session session) {
    return session.read(
        snapshot -> {
          TreeMap<Long, BankAccount> all = new TreeMap<>();
          for (Entry<BankAccount> each : snapshot.scan(SAVINGS)) {
            all.put(savings(each.key().number(0)), each.value());
          }
          for (Entry<BankAccount> each : snapshot.scan(CHECKING)) {
            all.put(checking(each.key().number(0)), each.value());
          }
          return all;
        });
  }

  private static long id(Snapshot snapshot, long customer) {
    return Long.parseLong(there(snapshot.get(NAMES, Tuple.of(name(customer))), customer));
  }

  private static <T> T there(Optional<T> found, long customer) {
    return found.orElseThrow(() -> new IllegalStateException("no customer " + customer));
  }

  private static BankAccount read(Snapshot snapshot, Table<BankAccount> table, long id) {
    return there(snapshot.get(table, Tuple.of(id)), id);
  }

  private static BankAccount write(
      Transaction tx,
      Table<BankAccount> table,
      long id,
      BankAccount seen,
      long balance,
      long writer) {
    BankAccount written = seen.with(balance, writer);
    tx.put(table, Tuple.of(id), written);
    return written;
  }

  private static Access only(long account, BankAccount seen) {
    return new Access(account, seen, seen);
  }

  /** {@link Procedure#BALANCE}. */
  static Done balance(Snapshot snapshot, long transaction, long customer) {
    long id = id(snapshot, customer);
    BankAccount savings = read(snapshot, SAVINGS, id);
    BankAccount checking = read(snapshot, CHECKING, id);
    return new Done(
        transaction,
        Procedure.BALANCE,
        0,
        0,
        false,
        List.of(only(savings(id), savings), only(checking(id), checking)));
  }

  /** {@link Procedure#DEPOSIT_CHECKING}. */
  static Done depositChecking(Transaction tx, long transaction, long customer, long amount) {
    long id = id(tx, customer);
    BankAccount seen = read(tx, CHECKING, id);
    BankAccount written = write(tx, CHECKING, id, seen, seen.balance() + amount, transaction);
    return new Done(
        transaction,
        Procedure.DEPOSIT_CHECKING,
        amount,
        amount,
        false,
        List.of(new Access(checking(id), seen, written)));
  }

  /**
   * {@link Procedure#TRANSACT_SAVINGS}.
   *
   * @param amount below zero to take
   */
  static Done transactSavings(Transaction tx, long transaction, long customer, long amount) {
    long id = id(tx, customer);
    BankAccount seen = read(tx, SAVINGS, id);
    boolean enough = seen.balance() + amount >= 0;
    BankAccount written =
        enough ? write(tx, SAVINGS, id, seen, seen.balance() + amount, transaction) : seen;
    return new Done(
        transaction,
        Procedure.TRANSACT_SAVINGS,
        enough ? amount : 0,
        amount,
        false,
        List.of(new Access(savings(id), seen, written)));
  }

  /** {@link Procedure#AMALGAMATE} of two customers. */
  static Done amalgamate(Transaction tx, long transaction, long from, long to) {
    long one = id(tx, from);
    long other = id(tx, to);
    BankAccount savings = read(tx, SAVINGS, one);
    BankAccount checking = read(tx, CHECKING, one);
    BankAccount gets = read(tx, CHECKING, other);
    long moved = savings.balance() + checking.balance();
    BankAccount got = write(tx, CHECKING, other, gets, gets.balance() + moved, transaction);
    return new Done(
        transaction,
        Procedure.AMALGAMATE,
        0,
        moved,
        false,
        List.of(
            new Access(savings(one), savings, write(tx, SAVINGS, one, savings, 0, transaction)),
            new Access(checking(one), checking, write(tx, CHECKING, one, checking, 0, transaction)),
            new Access(checking(other), gets, got)));
  }

  /** {@link Procedure#WRITE_CHECK}. */
  static Done writeCheck(Transaction tx, long transaction, long customer, long amount) {
    long id = id(tx, customer);
    BankAccount savings = read(tx, SAVINGS, id);
    BankAccount checking = read(tx, CHECKING, id);
    boolean penalty = savings.balance() + checking.balance() < amount;
    long taken = penalty ? amount + PENALTY : amount;
    BankAccount written =
        write(tx, CHECKING, id, checking, checking.balance() - taken, transaction);
    return new Done(
        transaction,
        Procedure.WRITE_CHECK,
        -taken,
        amount,
        penalty,
        List.of(only(savings(id), savings), new Access(checking(id), checking, written)));
  }

  /** What some accounts hold in all. */
  static long total(TreeMap<Long, BankAccount> accounts) {
    return accounts.values().stream().mapToLong(BankAccount::balance).sum();
  }
}
