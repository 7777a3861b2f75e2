package org.ecstore.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.client.token.Continuation;
import org.ecstore.client.token.PageTokens;
import org.ecstore.client.token.Tokens;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;

class TokensTest {
  private static final ReadPoint POINT = new ReadPoint(new Position(12345), new MapVersion(6));

  private static final PageTokens PAGES = new PageTokens("0123456789abcdef".getBytes(UTF_8));

  /** All users of an application wait for what it names: none is taken that a browser has made. */
  @Test
  void aSealedTokenOfASessionIsTakenAndNoOther() {
    String sealed = PAGES.formatSession(POINT);
    assertEquals(POINT, PAGES.parseSession(sealed));
    assertEquals(POINT, PAGES.point(sealed));
    String page = PAGES.format(new PageTokens.Content(POINT, 7, Optional.empty()));
    byte[] relabelled = Base64.getUrlDecoder().decode(page);
    relabelled[0] = 3;
    byte[] bytes = Base64.getUrlDecoder().decode(sealed);
    for (int bit = 0; bit < bytes.length * 8; bit++) {
      byte[] changed = bytes.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      String token = Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
      assertThrows(WrongArgumentException.class, () -> PAGES.parseSession(token));
    }
    for (String other :
        List.of(
            "",
            "?",
            page,
            Base64.getUrlEncoder().withoutPadding().encodeToString(relabelled),
            Tokens.format(POINT),
            new PageTokens("another key, 16+".getBytes(UTF_8)).formatSession(POINT))) {
      assertThrows(WrongArgumentException.class, () -> PAGES.parseSession(other), other);
    }
  }

  @Test
  void whatOneStoreHasSeenAnotherHasWithItsSealedToken() {
    try (StoreFixture fixture = new StoreFixture(1);
        EcStore other = EcStore.over(fixture.cluster, EcStoreOptions.DEFAULT, new FakeTime(2))) {
      fixture.store.execute(tx -> tx.put(WORDS, key(1), "one"));
      other.seen(fixture.store.sealedToken());
      assertFalse(point(fixture.store).isAfter(point(other)));
      String before = other.token();
      assertThrows(WrongArgumentException.class, () -> other.seen(fixture.store.token()));
      assertEquals(before, other.token());
      other.session(fixture.store.sealedToken());
    }
  }

  private static Position point(EcStore store) {
    return Tokens.parse(store.token()).position();
  }

  /** As after a restore, or of another store with the same key: others do not wait for it. */
  @Test
  void aSealedTokenOfAMomentThatIsNotThereChangesNothing() {
    byte[] key = "0123456789abcdef".getBytes(UTF_8);
    try (StoreFixture fixture = new StoreFixture(1, EcStoreOptions.DEFAULT.tokenKey(key))) {
      fixture.store.execute(tx -> tx.put(WORDS, key(1), "one"));
      String before = fixture.store.token();
      String future = PAGES.formatSession(new ReadPoint(new Position(1_000_000), MapVersion.ZERO));
      assertThrows(EcStoreException.class, () -> fixture.store.seen(future));
      assertEquals(before, fixture.store.token());
    }
  }

  @Test
  void tokensSayWhatTheyWereMadeOf() {
    String session = Tokens.format(POINT);
    assertEquals(POINT, Tokens.parse(session));
    assertEquals(POINT, PAGES.point(session));
    for (int length = 0; length < 40; length++) {
      byte[] key = new byte[length];
      Arrays.fill(key, (byte) length);
      for (Optional<Bytes> last : List.of(Optional.<Bytes>empty(), Optional.of(Bytes.wrap(key)))) {
        PageTokens.Content content = new PageTokens.Content(POINT, -7, last);
        String token = PAGES.format(content);
        assertEquals(content, PAGES.parse(token));
        assertEquals(POINT, PAGES.point(token));
        assertTrue(token.matches("[A-Za-z0-9_-]+"), token);
      }
    }
  }

  @Test
  void aDamagedTokenIsNoToken() {
    refused(Tokens.format(POINT));
    refused(PAGES.format(new PageTokens.Content(POINT, 7, Optional.of(Bytes.utf8("key")))));
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      byte[] noise = new byte[random.nextInt(60)];
      random.nextBytes(noise);
      if (noise.length > 0 && random.nextBoolean()) {
        noise[0] = 2;
      }
      String text = Base64.getUrlEncoder().encodeToString(noise);
      assertThrows(WrongArgumentException.class, () -> PAGES.point(text), text);
    }
  }

  /** Whatever one character is changed to, and wherever it is cut. */
  private static void refused(String token) {
    for (int i = 0; i < token.length() - 1; i++) {
      for (char other : new char[] {'A', 'z', '5', '!', ' '}) {
        if (token.charAt(i) != other) {
          String damaged = token.substring(0, i) + other + token.substring(i + 1);
          assertThrows(WrongArgumentException.class, () -> PAGES.point(damaged), damaged);
        }
      }
      String cut = token.substring(0, i);
      assertThrows(WrongArgumentException.class, () -> PAGES.point(cut), cut);
    }
  }

  /** What a browser could find in a token with what it knows: Base64, and a guess of the key. */
  @Test
  void aPageTokenShowsNoKey() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      Table<Nothing> mails = Table.of("mails", Codec.nothing());
      fixture.store.execute(
          tx -> {
            tx.put(mails, Tuple.of("alice@example.org"));
            tx.put(mails, Tuple.of("bob@example.org"));
          });
      String token = fixture.store.read(s -> s.scan(mails).limit(1).page()).next().orElseThrow();
      String seen = new String(Base64.getUrlDecoder().decode(token), ISO_8859_1);
      for (String part : List.of("alice", "example", "mails", "org")) {
        assertFalse(seen.contains(part), seen);
      }
    }
  }

  @Test
  void allProcessesOfAStoreUnderstandEachOthersTokensAndThoseOfOthersDoNot() {
    try (StoreFixture one = new StoreFixture(1);
        StoreFixture other = new StoreFixture(2)) {
      String token = tokenOf(one.store);
      EcStore sibling = EcStore.over(one.cluster, EcStoreOptions.DEFAULT, one.time);
      assertEquals(
          1, sibling.<Long, RuntimeException>read(s -> s.scan(WORDS).resume(token).count()));
      tokenOf(other.store);
      assertThrows(
          WrongArgumentException.class,
          () -> other.store.read(s -> s.scan(WORDS).resume(token).count()));
    }
  }

  @Test
  void aTokenKeyOfTheApplicationIsUsedInPlaceOfTheStores() {
    EcStoreOptions given = EcStoreOptions.DEFAULT.tokenKey("of the application".getBytes(UTF_8));
    try (StoreFixture fixture = new StoreFixture(1, given)) {
      String token = tokenOf(fixture.store);
      assertEquals(
          Optional.empty(),
          fixture.store.read(s -> s.get(StoredTokenKey.TABLE, StoredTokenKey.KEY)),
          "nothing is written then");
      EcStore usual = EcStore.over(fixture.cluster, EcStoreOptions.DEFAULT, fixture.time);
      assertThrows(
          WrongArgumentException.class, () -> usual.read(s -> s.scan(WORDS).resume(token).count()));
    }
    assertThrows(WrongArgumentException.class, () -> EcStoreOptions.DEFAULT.tokenKey(new byte[15]));
  }

  private static String tokenOf(EcStore store) {
    store.execute(
        tx -> {
          tx.put(WORDS, key(1), "a");
          tx.put(WORDS, key(2), "b");
        });
    return store.read(s -> s.scan(WORDS).limit(1).page()).next().orElseThrow();
  }

  @Test
  void aPageWhoseLimitIsReachedAtTheEndIsTheLastOne() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      store.execute(
          tx -> {
            for (int i = 0; i < 6; i++) {
              tx.put(WORDS, key(i), "w");
            }
          });
      for (boolean reverse : new boolean[] {false, true}) {
        try (ManualSnapshot snapshot = store.snapshot()) {
          Scan<String> all = snapshot.scan(WORDS);
          Scan<String> scan = (reverse ? all.reverse() : all).limit(3);
          Page<String> first = scan.page();
          assertEquals(3, first.entries().size());
          assertTrue(first.hasMore());
          Page<String> second = scan.resume(first.next().orElseThrow()).page();
          assertEquals(3, second.entries().size());
          assertFalse(second.hasMore(), "there is no empty page behind it");
          assertTrue(scan.limit(0).page().hasMore());
        }
      }
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

  private static byte[] storedKey(EcStore store) {
    return store.read(s -> s.get(StoredTokenKey.TABLE, StoredTokenKey.KEY)).orElseThrow().array();
  }

  private static List<Long> numbers(Page<String> page) {
    return page.entries().stream().map(entry -> entry.key().number(0)).toList();
  }

  /** Forward to the last page and back to the first, whichever way the scan goes. */
  @Test
  void pagesAreGoneBackAsTheyCame() {
    for (int size = 1; size <= 6; size++) {
      try (StoreFixture fixture = new StoreFixture(size)) {
        fixture.scatter(new Random(size), 17);
        fixture.store.execute(
            tx -> {
              for (int i = 0; i < 17; i++) {
                tx.put(WORDS, key(i), "word");
              }
            });
        for (boolean reverse : new boolean[] {false, true}) {
          int limit = size;
          List<List<Long>> forward = new ArrayList<>();
          List<List<Long>> back = new ArrayList<>();
          fixture.store.read(
              snapshot -> {
                Scan<String> all = snapshot.scan(WORDS).limit(limit);
                Scan<String> scan = reverse ? all.reverse() : all;
                Page<String> page = scan.page();
                assertEquals(Optional.empty(), page.previous());
                forward.add(numbers(page));
                while (page.hasMore()) {
                  page = scan.resume(page.next().orElseThrow()).page();
                  forward.add(numbers(page));
                }
                back.add(0, numbers(page));
                while (page.previous().isPresent()) {
                  Page<String> before = scan.resume(page.previous().get()).page();
                  assertEquals(
                      numbers(page),
                      numbers(scan.resume(before.next().orElseThrow()).page()),
                      "and forward again");
                  page = before;
                  back.add(0, numbers(page));
                }
                return true;
              });
          assertEquals(forward, back);
          assertEquals((16 + size) / size, forward.size());
        }
      }
    }
  }

  @Test
  void goingBackMeetsWhatIsThereNow() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      EcStore store = fixture.store;
      store.execute(
          tx -> {
            for (int i = 0; i < 6; i++) {
              tx.put(WORDS, key(10L * i), "word");
            }
          });
      Page<String> first = store.read(s -> s.scan(WORDS).limit(2).page());
      String next = first.next().orElseThrow();
      Page<String> second = store.read(s -> s.scan(WORDS).limit(2).resume(next).page());
      String previous = second.previous().orElseThrow();
      store.execute(tx -> tx.put(WORDS, key(15), "new"));
      Page<String> before = store.read(s -> s.scan(WORDS).limit(2).resume(previous).page());
      assertEquals(List.of(10L, 15L), numbers(before));
      assertTrue(before.previous().isPresent());
      store.execute(tx -> tx.deleteRange(WORDS, TupleRange.before(key(20))));
      Page<String> none = store.read(s -> s.scan(WORDS).limit(2).resume(previous).page());
      assertEquals(List.of(), none.entries());
      assertEquals(Optional.empty(), none.previous());
      String again = none.next().orElseThrow();
      assertEquals(
          List.of(20L, 30L), numbers(store.read(s -> s.scan(WORDS).limit(2).resume(again).page())));
      store.execute(tx -> tx.deleteRange(WORDS, TupleRange.from(key(20))));
      Page<String> gone = store.read(s -> s.scan(WORDS).limit(2).resume(next).page());
      assertEquals(List.of(), gone.entries());
      assertTrue(gone.previous().isPresent());
    }
  }

  @Test
  void aTokenToGoBackIsForPagesOfItsScanOnly() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      fixture.store.execute(
          tx -> {
            tx.put(WORDS, key(1), "a");
            tx.put(WORDS, key(2), "b");
          });
      try (ManualSnapshot snapshot = fixture.store.snapshot()) {
        Scan<String> scan = snapshot.scan(WORDS).limit(1);
        String back = scan.resume(scan.page().next().orElseThrow()).page().previous().orElseThrow();
        assertThrows(WrongArgumentException.class, () -> scan.resume(back).cursor());
        assertThrows(WrongArgumentException.class, () -> scan.resume(back).count());
        assertThrows(WrongArgumentException.class, () -> scan.reverse().resume(back).page());
        assertThrows(
            WrongArgumentException.class,
            () -> snapshot.scan(WORDS, TupleRange.from(key(1))).resume(back).page());
        assertEquals(
            List.of(1L),
            numbers(fixture.store.readAt(back, s -> s.scan(WORDS).limit(1).resume(back).page())));
      }
    }
  }

  @Test
  void aForgedTokenDoesNotLeaveTheScansRange() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      try (ManualSnapshot snapshot = fixture.store.snapshot()) {
        tokenOf(fixture.store);
        PageTokens pages = new PageTokens(storedKey(fixture.store));
        TupleRange range = TupleRange.prefix(Tuple.of("mine"));
        Continuation.Scope scope = new Continuation.Scope(range.in(WORDS), true);
        String forged = new Continuation(POINT, Optional.of(Bytes.of(0xff))).format(scope, pages);
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

  /** Of the caller's own transactions none is in doubt; and the next one finds what there is. */
  @Test
  void aKeyOfWhichItIsNotKnownWhetherItWasMadeIsNoUnknownOutcome() {
    try (StoreFixture fixture = new StoreFixture(1)) {
      fixture.cluster.plan(Fault.Plan.outcomesLost());
      assertThrows(UnavailableException.class, fixture.store::sealedToken);
      fixture.cluster.plan((address, request) -> new Fault.None());
      assertFalse(fixture.store.sealedToken().isEmpty());
    }
  }
}
