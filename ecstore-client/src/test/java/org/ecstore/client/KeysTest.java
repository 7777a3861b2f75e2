package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.ecstore.client.StoreFixture.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is done with keys beyond get, put and delete: looked for, changed, deleted by range. */
class KeysTest {
  private final StoreFixture fixture = new StoreFixture(1);
  private final EcStore store = fixture.store;

  @AfterEach
  void close() {
    store.close();
  }

  private void put(long number, String value) {
    store.execute(tx -> tx.put(WORDS, key(number), value));
  }

  private void writeBehindTheClient(long number, String value) {
    fixture.cluster.store().write(stored(number), Optional.of(Bytes.utf8(value)));
  }

  /** What a function of an application gives that forgets a case. */
  @SuppressWarnings("NullAway")
  private static String nothing(Optional<String> word) {
    return word.orElse(null);
  }

  @Test
  void whatIsThereIsChangedAndWhatIsNotIsMade() {
    put(1, "one");
    store.execute(
        tx -> {
          assertTrue(tx.exists(WORDS, key(1)));
          assertFalse(tx.exists(WORDS, key(2)));
          assertEquals(Optional.of("one!"), tx.update(WORDS, key(1), word -> word + "!"));
          assertEquals(Optional.empty(), tx.update(WORDS, key(2), word -> word + "!"));
          assertFalse(tx.exists(WORDS, key(2)), "nothing was written");
          assertEquals("two", tx.upsert(WORDS, key(2), word -> word.orElse("two")));
          assertEquals("two2", tx.upsert(WORDS, key(2), word -> word.orElse("") + 2));
          assertTrue(tx.exists(WORDS, key(2)));
          tx.delete(WORDS, key(1));
          assertFalse(tx.exists(WORDS, key(1)));
        });
    assertEquals(
        Map.of(key(2), "two2"),
        store.read(snapshot -> snapshot.getAll(WORDS, List.of(key(1), key(2)))));
    WrongArgumentException none =
        assertThrows(
            WrongArgumentException.class,
            () -> store.execute(tx -> tx.upsert(WORDS, key(3), KeysTest::nothing)));
    assertTrue(String.valueOf(none.getMessage()).contains("the function gave null"));
  }

  @Test
  void ofAKeyThatIsOnlyLookedForNoValueIsRead() {
    put(1, "one");
    store.read(snapshot -> snapshot.exists(WORDS, key(1)));
    assertEquals(List.of(), fixture.cluster.requests(ClientRequest.Get.class));
    List<ClientRequest.Scan> scans = fixture.cluster.requests(ClientRequest.Scan.class);
    assertTrue(scans.get(scans.size() - 1).keysOnly(), scans::toString);
  }

  @Test
  void whatWasLookedForMustNotComeMeanwhile() {
    try (ManualTransaction tx = store.begin()) {
      assertFalse(tx.exists(WORDS, key(1)));
      tx.put(WORDS, key(2), "no one");
      writeBehindTheClient(1, "one");
      assertThrows(ConflictException.class, tx::commit);
    }
  }

  @Test
  void keysOfARangeAreDeleted() {
    store.execute(
        tx -> {
          for (int i = 0; i < 1_203; i++) {
            tx.put(WORDS, key(i), "word");
          }
        });
    store.execute(
        tx -> {
          tx.put(WORDS, key(2_000), "of this transaction");
          tx.delete(WORDS, key(1_202));
          assertEquals(3, tx.deleteRange(WORDS, TupleRange.from(key(1_200))));
          assertEquals(List.of(), tx.scan(WORDS, TupleRange.from(key(1_200))).keys().toList());
        });
    assertEquals(1_200, store.<Long, RuntimeException>read(snapshot -> snapshot.count(WORDS)));
    int before = fixture.cluster.requests(ClientRequest.Commit.class).size();
    assertEquals(1_000, store.deleteRange(WORDS, TupleRange.between(key(100), key(1_100))));
    assertEquals(before + 2, fixture.cluster.requests(ClientRequest.Commit.class).size());
    assertEquals(0, store.deleteRange(WORDS, TupleRange.between(key(100), key(1_100))));
    assertEquals(
        List.of(key(98), key(99), key(1_100)),
        store.read(s -> s.scan(WORDS).keys().skip(98).limit(3).toList()));
    assertEquals(1, store.deleteRange(WORDS, TupleRange.only(key(1_100))));
    assertEquals(199, store.deleteRange(WORDS, TupleRange.all()));
    store.execute(
        tx -> {
          for (int i = 0; i < 1_001; i++) {
            tx.put(WORDS, Tuple.of("of one", i), "word");
            tx.put(WORDS, Tuple.of("of the next"), "word");
          }
        });
    assertEquals(1_001, store.deleteRange(WORDS, TupleRange.prefix(Tuple.of("of one"))));
    assertEquals(1, store.<Long, RuntimeException>read(snapshot -> snapshot.count(WORDS)));
  }

  @Test
  void keysAreScannedWithinLimitsAndBackwardToo() {
    for (int i = 0; i < 5; i++) {
      put(i, "word");
    }
    assertEquals(
        List.of(key(4), key(3)), store.read(s -> s.scan(WORDS).reverse().limit(2).keys().toList()));
    assertEquals(0, store.<Long, RuntimeException>read(s -> s.scan(WORDS).limit(0).keys().count()));
    try (ManualSnapshot snapshot = store.snapshot()) {
      assertEquals(5, snapshot.scan(WORDS).unordered().keys().count());
    }
    List<ClientRequest.Scan> scans = fixture.cluster.requests(ClientRequest.Scan.class);
    assertTrue(scans.get(scans.size() - 1).keysOnly(), scans::toString);
    String token =
        store.read(
            s -> {
              Cursor<String> cursor = s.scan(WORDS).cursor();
              cursor.next();
              return cursor.continuation().orElseThrow();
            });
    assertEquals(
        List.of(key(1), key(2)),
        store.read(s -> s.scan(WORDS).resume(token).keys().limit(2).toList()));
  }

  private static final Table<String> CITIES = Table.of("cities", Codec.utf8());
  private static final Index<String> LETTERS = CITIES.index("letters", city -> city);

  private List<Tuple> cities(Tuple beginning) {
    return store.read(at -> at.scan(CITIES, TupleRange.startingWith(beginning)).keys().toList());
  }

  @Test
  void textsThatBeginAsAnotherAreOneRange() {
    store.catalog().open(CITIES).forEach(store.catalog()::build);
    List<Tuple> all =
        List.of(
            Tuple.of("de", "Be"),
            Tuple.of("de", "Be\0"),
            Tuple.of("de", "Berlin"),
            Tuple.of("de", "Bern", 7),
            Tuple.of("de", "Be\uffff"),
            Tuple.of("de", "Be" + Character.toString(Character.MAX_CODE_POINT), null),
            Tuple.of("de", "Bf"),
            Tuple.of("de", 3),
            Tuple.of("fr", "Bergerac"));
    store.execute(tx -> all.forEach(key -> tx.put(CITIES, key, "city " + key)));
    assertEquals(all.subList(0, 6), cities(Tuple.of("de", "Be")));
    assertEquals(all.subList(2, 4), cities(Tuple.of("de", "Ber")));
    assertEquals(all.subList(0, 7), cities(Tuple.of("de", "")));
    assertEquals(List.of(), cities(Tuple.of("de", "Bx")));
    assertEquals(all.subList(8, 9), cities(Tuple.of("f")));
    store.execute(
        tx ->
            assertEquals(
                1,
                tx.scan(LETTERS, TupleRange.startingWith(Tuple.of("city (\"f"))).toList().size()));
    store.execute(
        tx -> {
          assertEquals(6, tx.deleteRange(CITIES, TupleRange.startingWith(Tuple.of("de", "Be"))));
          assertEquals(3, tx.count(CITIES));
        });
  }

  @Test
  void onlyATextIsBegun() {
    for (Tuple none : List.of(Tuple.EMPTY, Tuple.of(1), Tuple.of("a", Tuple.desc("b")))) {
      String why =
          String.valueOf(
              assertThrows(WrongArgumentException.class, () -> TupleRange.startingWith(none)));
      assertTrue(why.contains("text"), why);
    }
  }
}
