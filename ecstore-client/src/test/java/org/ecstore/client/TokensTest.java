package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;

class TokensTest {
  private static final ReadPoint POINT = new ReadPoint(new Position(12345), new MapVersion(6));

  @Test
  void tokensSayWhatTheyWereMadeOf() {
    for (Tokens.Content content :
        List.of(
            new Tokens.Content(POINT, Optional.empty(), Optional.empty()),
            new Tokens.Content(POINT, Optional.of(-7), Optional.empty()),
            new Tokens.Content(POINT, Optional.of(7), Optional.of(Bytes.of(0, 0xff))))) {
      String token = Tokens.format(content);
      assertEquals(content, Tokens.parse(token));
      assertTrue(token.matches("[A-Za-z0-9_-]+"), token);
    }
  }

  @Test
  void aDamagedTokenIsNoToken() {
    String token =
        Tokens.format(new Tokens.Content(POINT, Optional.of(7), Optional.of(Bytes.utf8("key"))));
    for (int i = 0; i < token.length() - 1; i++) {
      for (char other : new char[] {'A', 'z', '5', '!', ' '}) {
        if (token.charAt(i) != other) {
          String damaged = token.substring(0, i) + other + token.substring(i + 1);
          assertThrows(WrongArgumentException.class, () -> Tokens.parse(damaged), damaged);
        }
      }
      String cut = token.substring(0, i);
      assertThrows(WrongArgumentException.class, () -> Tokens.parse(cut), cut);
    }
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      byte[] noise = new byte[random.nextInt(40)];
      random.nextBytes(noise);
      String text = Base64.getUrlEncoder().encodeToString(noise);
      assertThrows(WrongArgumentException.class, () -> Tokens.parse(text), text);
    }
  }

  @Test
  void anotherProcessGoesOnAtTheSameSnapshot() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore first = fixture.store;
      first.execute(
          tx -> {
            for (int i = 0; i < 10; i++) {
              tx.put(WORDS, key(i), "old");
            }
          });
      String token =
          first.read(
              snapshot -> {
                Cursor<String> page = snapshot.scan(WORDS).limit(4).cursor();
                page.forEachRemaining(entry -> {});
                return page.continuation().orElseThrow();
              });
      first.execute(
          tx -> {
            tx.put(WORDS, key(7), "new");
            tx.put(WORDS, key(99), "new");
          });
      EcStore second = EcStore.over(fixture.cluster, EcStoreOptions.DEFAULT, fixture.time);
      assertEquals(
          List.of(4L, 5L, 6L, 7L, 8L, 9L),
          second.readAt(
              token,
              snapshot ->
                  snapshot.scan(WORDS).resume(token).stream()
                      .peek(entry -> assertEquals("old", entry.value()))
                      .map(entry -> entry.key().number(0))
                      .toList()));
      assertEquals(
          7,
          second.<Long, RuntimeException>read(
              snapshot -> snapshot.scan(WORDS).resume(token).count()),
          "in a new snapshot the scan goes on in what is there now");
      fixture.cluster.store().forgetHistory();
      assertThrows(SnapshotTooOldException.class, () -> second.readAt(token, s -> s.count(WORDS)));
    }
  }

  @Test
  void aTokenDoesNotFitAnotherScan() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      store.execute(
          tx -> {
            tx.put(WORDS, key(1), "a");
            tx.put(WORDS, key(2), "b");
          });
      try (ManualSnapshot snapshot = store.snapshot()) {
        Cursor<String> cursor = snapshot.scan(WORDS).cursor();
        cursor.next();
        String token = cursor.continuation().orElseThrow();
        Table<String> secrets = Table.of("secrets", Codec.utf8());
        for (Scan<String> other :
            List.of(
                snapshot.scan(WORDS).reverse(),
                snapshot.scan(WORDS, TupleRange.from(key(1))),
                snapshot.scan(secrets))) {
          assertThrows(WrongArgumentException.class, () -> other.resume(token).cursor());
          assertThrows(WrongArgumentException.class, () -> other.resume(token).count());
        }
        assertThrows(
            WrongArgumentException.class,
            () -> snapshot.scan(WORDS).resume(store.token()).cursor());
      }
    }
  }

  @Test
  void aForgedTokenDoesNotLeaveTheScansRange() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      try (ManualSnapshot snapshot = fixture.store.snapshot()) {
        TupleRange range = TupleRange.prefix(Tuple.of("mine"));
        Continuation.Scope scope = new Continuation.Scope(range.in(WORDS), true);
        String forged = new Continuation(POINT, Optional.of(Bytes.of(0xff))).format(scope);
        assertThrows(
            WrongArgumentException.class,
            () -> snapshot.scan(WORDS, range).reverse().resume(forged).cursor());
      }
    }
  }

  @Test
  void aFreshCursorsTokenStartsAtTheBeginningAndAnExhaustedOneHasNone() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      fixture.store.execute(tx -> tx.put(WORDS, key(1), "a"));
      try (ManualSnapshot snapshot = fixture.store.snapshot()) {
        Cursor<String> cursor = snapshot.scan(WORDS).cursor();
        String fresh = cursor.continuation().orElseThrow();
        assertEquals(1, snapshot.scan(WORDS).resume(fresh).toList().size());
        cursor.next();
        assertEquals(
            List.of(), snapshot.scan(WORDS).resume(cursor.continuation().orElseThrow()).toList());
        assertTrue(!cursor.hasNext());
        assertEquals(Optional.empty(), cursor.continuation());
      }
    }
  }
}
