package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.fake.Fault;
import org.ecstore.client.observe.Observed;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observe.StoreObserver;
import org.junit.jupiter.api.Test;

/** What an observer is told, in which order. */
class ObserverTest {
  /** Writes down what it is told. */
  private static final class Told implements StoreObserver {
    private final List<String> lines = new ArrayList<>();

    @Override
    public Observed begin(OperationKind kind, Optional<String> table) {
      String what = kind.text() + table.map(name -> " " + name).orElse("");
      lines.add(what);
      return failure ->
          lines.add("/" + what + failure.map(e -> " " + e.getClass().getSimpleName()).orElse(""));
    }

    @Override
    public void rerun(EcStoreException failure) {
      lines.add("rerun " + failure.code());
    }

    @Override
    public void committed() {
      lines.add("committed");
    }

    @Override
    public void leftUnknown() {
      lines.add("left unknown");
    }

    @Override
    public void answered(AnsweredBy by) {
      lines.add("answered " + by.role());
    }
  }

  private final Told told = new Told();

  private StoreFixture fixture() {
    return new StoreFixture(1, EcStoreOptions.DEFAULT.observer(told));
  }

  /** Those of the first use of the store are of its catalog. */
  private List<String> linesOf(Runnable work) {
    told.lines.clear();
    work.run();
    return List.copyOf(told.lines);
  }

  @Test
  void operationsNestAndNameTheirTable() {
    try (StoreFixture fixture = fixture()) {
      EcStore store = fixture.store;
      store.execute(tx -> tx.put(WORDS, key(1), "one"));
      assertEquals(
          List.of(
              "transact",
              "get words",
              "answered PRIMARY",
              "/get words",
              "commit words",
              "/commit words",
              "committed",
              "/transact"),
          linesOf(
              () ->
                  store.execute(
                      tx -> {
                        tx.update(WORDS, key(1), word -> word + "!");
                      })));
      assertEquals(
          List.of("read", "scan words", "answered PRIMARY", "/scan words", "/read"),
          linesOf(() -> store.read(snapshot -> snapshot.scan(WORDS).toList())));
    }
  }

  @Test
  void aConflictIsTheEndOfACommitAndABeginningOfItsWork() {
    try (StoreFixture fixture = fixture()) {
      EcStore store = fixture.store;
      store.execute(tx -> tx.put(WORDS, key(1), "one"));
      int[] runs = {0};
      List<String> lines =
          linesOf(
              () ->
                  store.execute(
                      tx -> {
                        String word = tx.get(WORDS, key(1)).orElseThrow();
                        if (runs[0]++ == 0) {
                          store.requiresNew().execute(own -> own.put(WORDS, key(1), "other"));
                        }
                        tx.put(WORDS, key(1), word + "!");
                      }));
      assertEquals(1, lines.stream().filter("rerun CONFLICT"::equals).count());
      assertEquals(1, lines.stream().filter("/commit words ConflictException"::equals).count());
      assertEquals(2, lines.stream().filter("committed"::equals).count());
      assertEquals("/transact", lines.get(lines.size() - 1));
    }
  }

  /** What an application throws is told as it is, and so is what ends at last. */
  @Test
  void failuresAreTold() {
    try (StoreFixture fixture = fixture()) {
      assertEquals(
          List.of("transact", "/transact ArithmeticException"),
          linesOf(
              () ->
                  assertThrows(
                      ArithmeticException.class,
                      () ->
                          fixture.store.execute(
                              tx -> {
                                throw new ArithmeticException("the application's own");
                              }))));
      try (ManualTransaction tx = fixture.store.begin()) {
        tx.get(WORDS, key(1));
        fixture.store.execute(other -> other.put(WORDS, key(1), "first"));
        tx.put(WORDS, key(1), "second");
        assertEquals(
            List.of("commit words", "/commit words ConflictException"),
            linesOf(() -> assertThrows(ConflictException.class, tx::commit)));
      }
    }
  }

  /** An observer that counts what may have been done must not miss it. */
  @Test
  void aCommitOfWhichNothingIsKnownIsTold() {
    try (StoreFixture fixture = fixture()) {
      fixture.store.execute(tx -> tx.put(WORDS, key(1), "one"));
      fixture.cluster.plan(Fault.Plan.outcomesLost());
      assertEquals(
          List.of(
              "transact",
              "commit words",
              "left unknown",
              "/commit words UnknownOutcomeException",
              "/transact UnknownOutcomeException"),
          linesOf(
              () ->
                  assertThrows(
                      UnknownOutcomeException.class,
                      () -> fixture.store.execute(tx -> tx.put(WORDS, key(1), "two")))));
    }
  }

  @Test
  void severalAreToldAsOne() {
    Told other = new Told();
    try (StoreFixture fixture =
        new StoreFixture(1, EcStoreOptions.DEFAULT.observer(told).observer(other))) {
      fixture.store.execute(tx -> tx.put(WORDS, key(1), "one"));
      assertEquals(told.lines, other.lines);
      assertEquals("transact", told.lines.get(0));
    }
  }

  /** The store goes on as if there were none. */
  @Test
  void anObserverThatThrowsIsNotTheStoresAffair() {
    StoreObserver broken =
        new StoreObserver() {
          @Override
          public Observed begin(OperationKind kind, Optional<String> table) {
            if (kind == OperationKind.GET) {
              throw new IllegalStateException("broken at the beginning");
            }
            return failure -> {
              throw new IllegalStateException("broken at the end");
            };
          }

          @Override
          public void committed() {
            throw new IllegalStateException("broken");
          }

          @Override
          public void answered(AnsweredBy by) {
            throw new IllegalStateException("broken");
          }
        };
    try (StoreFixture fixture = new StoreFixture(1, EcStoreOptions.DEFAULT.observer(broken))) {
      fixture.store.execute(tx -> tx.put(WORDS, key(1), "one"));
      assertEquals(Optional.of("one"), fixture.store.read(snapshot -> snapshot.get(WORDS, key(1))));
    }
  }
}
