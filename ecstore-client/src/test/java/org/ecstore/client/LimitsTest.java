package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.wire.Limits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Every published limit is checked on the client, and nothing that is over one is sent. */
class LimitsTest {
  private static final Table<Bytes> BLOBS = Table.of("blobs", Codec.bytes());

  private final StoreFixture fixture = new StoreFixture(1);
  private final EcStore store = fixture.store;

  @AfterEach
  void close() {
    store.close();
  }

  /** A key whose encoding with the table's prefix is of so many bytes. */
  private static Tuple keyOfBytes(int bytes) {
    int around = BLOBS.key(Tuple.of("")).length();
    return Tuple.of("x".repeat(bytes - around));
  }

  @Test
  void theLongestKeyPassesAndOneMoreByteDoesNot() {
    Tuple longest = keyOfBytes(Limits.KEY_BYTES_MAX);
    store.execute(tx -> tx.put(BLOBS, longest, Bytes.EMPTY));
    assertEquals(
        1, store.<Integer, RuntimeException>read(s -> s.scan(BLOBS).reverse().toList().size()));
    Tuple over = keyOfBytes(Limits.KEY_BYTES_MAX + 1);
    int before;
    try (ManualTransaction tx = store.begin()) {
      before = fixture.cluster.requests(ClientRequest.Get.class).size();
      assertThrows(TooLargeException.class, () -> tx.put(BLOBS, over, Bytes.EMPTY));
      assertThrows(TooLargeException.class, () -> tx.insert(BLOBS, over, Bytes.EMPTY));
      assertThrows(TooLargeException.class, () -> tx.delete(BLOBS, over));
      assertThrows(TooLargeException.class, () -> tx.get(BLOBS, over));
      assertThrows(TooLargeException.class, () -> tx.getAll(BLOBS, List.of(over)));
      assertThrows(TooLargeException.class, () -> tx.scan(BLOBS, over));
      assertThrows(TooLargeException.class, () -> tx.scan(BLOBS, TupleRange.from(over)));
    }
    assertEquals(before, fixture.cluster.requests(ClientRequest.Get.class).size());
  }

  @Test
  void theLongestValuePassesAndOneMoreByteDoesNot() {
    Bytes longest = Bytes.wrap(new byte[Limits.VALUE_BYTES_MAX]);
    store.execute(tx -> tx.put(BLOBS, key(1), longest));
    TooLargeException over =
        assertThrows(
            TooLargeException.class,
            () -> store.execute(tx -> tx.put(BLOBS, key(2), longest.successor())));
    assertEquals(Integer.toString(Limits.VALUE_BYTES_MAX + 1), over.details().get("bytes"));
    assertThrows(
        TooLargeException.class,
        () -> store.execute(tx -> tx.insert(BLOBS, key(2), longest.successor())));
    assertEquals(1, fixture.cluster.requests(ClientRequest.Commit.class).size());
  }

  @Test
  void oneKeyMoreThanATransactionMayWriteIsRefusedHere() {
    try (ManualTransaction tx = store.begin()) {
      for (long number = 0; number < Limits.TRANSACTION_ITEMS_MAX; number++) {
        tx.delete(BLOBS, key(number));
      }
      tx.delete(BLOBS, key(0));
      TooLargeException over =
          assertThrows(TooLargeException.class, () -> tx.delete(BLOBS, key(-1)));
      assertEquals(Integer.toString(Limits.TRANSACTION_ITEMS_MAX + 1), over.details().get("items"));
    }
    assertEquals(0, fixture.cluster.requests(ClientRequest.Commit.class).size());
  }

  /** As long as makes a record with this key a 64th of the largest transaction. */
  private static Bytes valueFor(Tuple key) {
    return Bytes.wrap(new byte[Limits.VALUE_BYTES_MAX - BLOBS.key(key).length()]);
  }

  private static void fillUp(Transaction tx) {
    for (int i = 0; i < Limits.TRANSACTION_BYTES_MAX / Limits.VALUE_BYTES_MAX; i++) {
      tx.put(BLOBS, key(1_000 + i), valueFor(key(1_000 + i)));
    }
  }

  @Test
  void theLargestTransactionPassesAndOneMoreByteDoesNot() {
    try (ManualTransaction tx = store.begin()) {
      fillUp(tx);
      assertThrows(TooLargeException.class, () -> tx.delete(BLOBS, key(2_000)));
      assertThrows(TooLargeException.class, () -> tx.get(BLOBS, key(2_000)));
      assertThrows(
          TooLargeException.class,
          () -> tx.put(BLOBS, key(1_000), valueFor(key(1_000)).successor()));
      tx.put(BLOBS, key(1_000), Bytes.EMPTY);
      tx.put(BLOBS, key(1_000), valueFor(key(1_000)));
    }
    try (ManualTransaction tx = store.begin()) {
      fillUp(tx);
      tx.commit();
    }
  }

  @Test
  void aTransactionHeavierThanTheNodesHeapAllowsIsNotSent() {
    fixture.cluster.transactionMax = 2 << 20;
    Bytes longest = Bytes.wrap(new byte[Limits.VALUE_BYTES_MAX]);
    store.execute(tx -> tx.put(BLOBS, key(1), longest));
    TooLargeException over =
        assertThrows(
            TooLargeException.class,
            () ->
                store.execute(
                    tx -> {
                      tx.put(BLOBS, key(1), longest);
                      tx.put(BLOBS, key(2), longest);
                    }));
    assertEquals(Integer.toString(2 << 20), over.details().get("max"));
    assertTrue(String.valueOf(over.getMessage()).contains("heap"), over::getMessage);
    assertEquals(1, fixture.cluster.requests(ClientRequest.Commit.class).size());
  }

  @Test
  void whatWasScannedCountsToo() {
    try (ManualTransaction tx = store.begin()) {
      fillUp(tx);
      tx.scan(WORDS).toList();
      assertThrows(TooLargeException.class, tx::commit);
    }
    assertEquals(0, fixture.cluster.requests(ClientRequest.Commit.class).size());
  }

  @Test
  void manyLargeValuesComeInSeveralRequests() {
    Bytes value = Bytes.wrap(new byte[Limits.VALUE_BYTES_MAX]);
    List<Tuple> keys = LongStream.range(0, 100).mapToObj(StoreFixture::key).toList();
    for (Tuple each : keys) {
      fixture.cluster.store().write(BLOBS.key(each), Optional.of(value));
    }
    assertEquals(100, store.<Integer, RuntimeException>read(s -> s.getAll(BLOBS, keys).size()));
    for (ClientRequest.Get get : fixture.cluster.requests(ClientRequest.Get.class)) {
      assertTrue(get.keys().size() * (long) Limits.VALUE_BYTES_MAX < Limits.FRAME_BYTES_MAX);
    }
  }

  @Test
  void valuesThatAnAnswerHasNoRoomForAreAskedForAgain() {
    Bytes value = Bytes.wrap(new byte[Limits.VALUE_BYTES_MAX]);
    List<Tuple> keys = LongStream.range(0, 10).mapToObj(StoreFixture::key).toList();
    for (Tuple each : keys) {
      fixture.cluster.store().write(BLOBS.key(each), Optional.of(value));
    }
    List<Tuple> read =
        store.<List<Tuple>, RuntimeException>read(s -> List.copyOf(s.getAll(BLOBS, keys).keySet()));
    assertEquals(keys, read);
    // The first begins the snapshot.
    assertEquals(
        List.of(8, 6, 4, 2),
        fixture.cluster.requests(ClientRequest.Get.class).stream()
            .map(get -> get.keys().size())
            .toList());
  }

  @Test
  void wrongArgumentsAreNamed() {
    assertThrows(WrongArgumentException.class, () -> Table.of("", Codec.utf8()));
    assertThrows(
        WrongArgumentException.class,
        () -> Table.of("x".repeat(Table.NAME_LENGTH_MAX + 1), Codec.utf8()));
    assertThrows(WrongArgumentException.class, () -> TupleRange.between(key(2), key(2)));
    assertThrows(WrongArgumentException.class, () -> TupleRange.before(Tuple.EMPTY));
    assertThrows(WrongArgumentException.class, () -> store.read(s -> s.scan(WORDS).limit(-1)));
    assertThrows(WrongArgumentException.class, () -> EcStore.connect("localhost:"));
    assertThrows(WrongArgumentException.class, () -> store.session("no token"));
    assertThrows(
        WrongArgumentException.class, () -> EcStoreOptions.DEFAULT.deadline(Duration.ZERO));
    assertThrows(
        WrongArgumentException.class,
        () -> EcStoreOptions.DEFAULT.backoff(Duration.ofMillis(2), Duration.ofMillis(1)));
  }

  @Test
  void namesOfApplicationsAreShortTextWithoutControlCharacters() {
    String longest = "\u00e9".repeat(Limits.APPLICATION_BYTES_MAX / 2);
    assertEquals(Optional.of(longest), EcStoreOptions.DEFAULT.application(longest).application());
    for (String wrong : List.of("", longest + "x", "a\nb", "\u001b[2J")) {
      WrongArgumentException refused =
          assertThrows(
              WrongArgumentException.class, () -> EcStoreOptions.DEFAULT.application(wrong));
      assertTrue(refused.getMessage().contains("1 to 64 bytes"), refused.getMessage());
      WrongArgumentException ofSession =
          assertThrows(WrongArgumentException.class, () -> store.application(wrong));
      assertEquals(refused.getMessage(), ofSession.getMessage());
    }
  }
}
