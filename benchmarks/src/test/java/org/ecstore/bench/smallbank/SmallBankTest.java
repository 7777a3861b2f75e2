package org.ecstore.bench.smallbank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.Session;
import org.ecstore.client.TransactionWork;
import org.ecstore.client.error.ConflictException;
import org.ecstore.model.Isolation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bank on a store in this process, its transactions interleaved by hand. */
@SuppressWarnings("NullAway.Init")
class SmallBankTest {
  private static final long ANN = 0;
  private static final long BOB = 1;

  @TempDir private Path temp;
  private EcStore store;
  private long before;
  private long transactions;
  private final BankHistory history = new BankHistory(1000);

  @BeforeEach
  void open() {
    store = EcStore.open(temp.resolve("store"));
    store.execute(tx -> Bank.open(tx, ANN));
    store.execute(tx -> Bank.open(tx, BOB));
    before = Bank.total(Bank.accounts(store));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Done committed(TransactionWork<Done, RuntimeException> work) {
    Done done = store.transact(work);
    history.committed(done);
    return done;
  }

  private long balance(long account) {
    return Optional.ofNullable(Bank.accounts(store).get(account)).orElseThrow().balance();
  }

  private BankVerdict verdict() {
    return Serializability.of(history, before, Bank.accounts(store));
  }

  /** A check of 150 is cashed while 80 of 200 are taken from the savings, which is seen. */
  private ManualTransaction cashWhileSavingsAreTaken(Session session) {
    ManualTransaction cashing = session.begin();
    Done check = Bank.writeCheck(cashing, ++transactions, ANN, 150);
    assertFalse(check.penalty());
    committed(tx -> Bank.transactSavings(tx, ++transactions, ANN, -80));
    Done seen = store.read(snapshot -> Bank.balance(snapshot, ++transactions, ANN));
    assertEquals(20, seen.accesses().getFirst().seen().balance());
    assertEquals(100, seen.accesses().getLast().seen().balance());
    history.committed(seen);
    history.committed(check);
    return cashing;
  }

  @Test
  void snapshotIsolationLetsAnOverdraftPassWithoutItsPenalty() {
    try (ManualTransaction cashing = cashWhileSavingsAreTaken(store.with(Isolation.SNAPSHOT))) {
      cashing.commit();
    }
    BankVerdict verdict = verdict();
    assertFalse(verdict.isSerializable());
    assertEquals(1, verdict.anomalies());
    assertEquals(3, verdict.inAnomalies(), "the check, what was taken, and who saw only that");
    assertEquals(1, verdict.missingPenalties());
    assertTrue(verdict.isMoneyConserved(), verdict::toString);
    assertEquals(OptionalLong.of(before - 150 - 80), verdict.expected());
  }

  @Test
  void serializableTransactionsDoNot() {
    try (ManualTransaction cashing = cashWhileSavingsAreTaken(store.with(Isolation.SERIALIZABLE))) {
      assertThrows(ConflictException.class, cashing::commit);
    }
  }

  @Test
  void withoutAnyoneToSeeItTheSameCheckCameFirst() {
    try (ManualTransaction cashing = store.with(Isolation.SNAPSHOT).begin()) {
      history.committed(Bank.writeCheck(cashing, ++transactions, ANN, 150));
      committed(tx -> Bank.transactSavings(tx, ++transactions, ANN, -80));
      cashing.commit();
    }
    assertTrue(verdict().isSerializable());
    assertEquals(0, verdict().missingPenalties());
  }

  @Test
  void moneyIsMovedAsToldAndPenaltiesAreCharged() {
    committed(tx -> Bank.depositChecking(tx, ++transactions, ANN, 7));
    Done refused = committed(tx -> Bank.transactSavings(tx, ++transactions, BOB, -101));
    assertEquals(0, refused.delta());
    committed(tx -> Bank.amalgamate(tx, ++transactions, ANN, BOB));
    Done check = committed(tx -> Bank.writeCheck(tx, ++transactions, ANN, 10));
    assertTrue(check.penalty());
    assertEquals(0, balance(Bank.savings(ANN)));
    assertEquals(-11, balance(Bank.checking(ANN)));
    assertEquals(100, balance(Bank.savings(BOB)));
    assertEquals(307, balance(Bank.checking(BOB)));
    assertTrue(verdict().isMoneyConserved() && verdict().isSerializable(), verdict()::toString);
    assertEquals(400 + 7 - 11, verdict().found());
  }

  @Test
  void commitsOfUnknownOutcomeAreKnownByWhoSawThem() {
    Done seen = store.transact(tx -> Bank.depositChecking(tx, ++transactions, ANN, 5));
    Done last = store.transact(tx -> Bank.depositChecking(tx, ++transactions, ANN, 6));
    Done never = new Done(++transactions, Procedure.DEPOSIT_CHECKING, 9, 9, false, last.accesses());
    history.unsettled(seen);
    history.unsettled(last);
    history.unsettled(never);
    assertEquals(OptionalLong.of(before + 11), verdict().expected());
    assertTrue(verdict().isMoneyConserved());
  }

  @Test
  void moneyThatVanishedAndUpdatesThatWereLostAreFound() {
    Done one = committed(tx -> Bank.depositChecking(tx, ++transactions, ANN, 5));
    assertTrue(verdict().isMoneyConserved());
    history.committed(
        new Done(++transactions, Procedure.DEPOSIT_CHECKING, 5, 5, false, one.accesses()));
    BankVerdict verdict = verdict();
    assertEquals(1, verdict.lostUpdates());
    assertFalse(verdict.isMoneyConserved() || verdict.isSerializable());
    assertEquals(OptionalLong.of(before + 10), verdict.expected());
    assertEquals(before + 5, verdict.found());
  }

  @Test
  void beyondItsLimitAHistoryCountsMoneyOnly() {
    BankHistory small = new BankHistory(1);
    for (int i = 0; i < 3; i++) {
      small.committed(store.transact(tx -> Bank.depositChecking(tx, ++transactions, BOB, 2)));
    }
    BankVerdict verdict = Serializability.of(small, before, Bank.accounts(store));
    assertFalse(verdict.whole());
    assertEquals(1, verdict.transactions());
    assertTrue(verdict.isMoneyConserved() && verdict.isSerializable(), verdict::toString);
  }

  /** Those that saw it are not kept. */
  @Test
  void beyondItsLimitAHistoryWithAnUnknownCommitSaysNothingOfMoney() {
    BankHistory small = new BankHistory(1);
    for (int i = 0; i < 2; i++) {
      small.committed(store.transact(tx -> Bank.depositChecking(tx, ++transactions, BOB, 2)));
    }
    small.unsettled(store.transact(tx -> Bank.depositChecking(tx, ++transactions, ANN, 5)));
    BankVerdict verdict = Serializability.of(small, before, Bank.accounts(store));
    assertFalse(verdict.isMoneyConserved(), verdict::toString);
    assertFalse(verdict.isMoneyKnown());
    assertTrue(verdict().isMoneyKnown());
  }
}
