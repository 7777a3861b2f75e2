package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.error.AlreadyExistsException;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.Mutation;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Numbers that are added to and lists that are appended to, without being read (rule 28). */
class OperationsTest {
  private static final Table<Long> HITS = Table.of("hits", Codec.longs());
  private static final Table<List<String>> TAGS = Table.of("tags", Codec.lists(Codec.utf8()));
  private static final Tuple KEY = Tuple.of("a");

  private final StoreFixture fixture = new StoreFixture(1);
  private final EcStore store = fixture.store;

  @AfterEach
  void close() {
    store.close();
  }

  private Optional<Long> hits() {
    return store.<Optional<Long>, RuntimeException>read(at -> at.get(HITS, KEY));
  }

  private ClientRequest.Commit lastCommit() {
    List<ClientRequest.Commit> commits = fixture.cluster.requests(ClientRequest.Commit.class);
    return commits.get(commits.size() - 1);
  }

  @Test
  void nothingIsReadForThem() {
    store.execute(tx -> tx.add(HITS, KEY, 5));
    assertEquals(List.of(), lastCommit().reads());
    store.execute(tx -> tx.add(HITS, KEY, -2));
    assertEquals(Optional.of(3L), hits());
    store.execute(tx -> tx.max(HITS, KEY, 10));
    store.execute(tx -> tx.min(HITS, KEY, 7));
    assertEquals(Optional.of(7L), hits());
    store.execute(
        tx -> {
          tx.appendIfAbsent(TAGS, KEY, "red");
          tx.appendIfAbsent(TAGS, KEY, "blue");
        });
    store.execute(tx -> tx.appendIfAbsent(TAGS, KEY, "red"));
    assertEquals(
        Optional.of(List.of("red", "blue")),
        store.<Optional<List<String>>, RuntimeException>read(at -> at.get(TAGS, KEY)));
  }

  /** Each of two that began before the other committed is committed. */
  @ParameterizedTest
  @EnumSource(Isolation.class)
  void theyAreInNoOthersWay(Isolation isolation) {
    try (ManualTransaction one = store.with(isolation).begin();
        ManualTransaction other = store.with(isolation).begin()) {
      one.add(HITS, KEY, 1);
      other.add(HITS, KEY, 10);
      other.commit();
      one.commit();
    }
    assertEquals(Optional.of(11L), hits());
  }

  /** Who reads is validated as any reader. */
  @Test
  void whatIsReadIsValidated() {
    store.execute(tx -> tx.add(HITS, KEY, 1));
    try (ManualTransaction reads = store.begin()) {
      reads.add(HITS, KEY, 100);
      assertEquals(Optional.of(101L), reads.get(HITS, KEY));
      store.execute(tx -> tx.add(HITS, KEY, 10));
      assertThrows(ConflictException.class, reads::commit);
    }
    assertEquals(Optional.of(11L), hits());
  }

  @Test
  void aTransactionSeesWhatItHasAdded() {
    store.execute(tx -> tx.put(HITS, Tuple.of("b"), 20L));
    store.execute(
        tx -> {
          tx.add(HITS, KEY, 1);
          tx.add(HITS, Tuple.of("b"), 2);
          tx.add(HITS, Tuple.of("b"), 3);
          tx.add(HITS, Tuple.of("c"), 4);
          assertEquals(
              Map.of(KEY, 1L, Tuple.of("b"), 25L),
              tx.getAll(HITS, List.of(KEY, Tuple.of("b"), Tuple.of("d"))));
          assertEquals(List.of(1L, 25L, 4L), tx.scan(HITS).stream().map(Entry::value).toList());
          assertEquals(
              List.of(4L, 25L, 1L), tx.scan(HITS).reverse().stream().map(Entry::value).toList());
          assertEquals(3, tx.count(HITS));
          assertThrows(AlreadyExistsException.class, () -> tx.insert(HITS, Tuple.of("c"), 1L));
        });
    assertEquals(3, lastCommit().writes().size());
  }

  /** On top of what the transaction itself has written nothing need be asked of the store. */
  @Test
  void operationsOnOwnWritesAreWrites() {
    store.execute(tx -> tx.put(HITS, KEY, 50L));
    store.execute(
        tx -> {
          tx.put(HITS, KEY, 7L);
          tx.add(HITS, KEY, 1);
          tx.delete(HITS, Tuple.of("b"));
          tx.add(HITS, Tuple.of("b"), 3);
          tx.add(HITS, Tuple.of("c"), 3);
          tx.put(HITS, Tuple.of("c"), 9L);
        });
    assertTrue(lastCommit().writes().stream().noneMatch(write -> write.mutation().isOperation()));
    assertEquals(Optional.of(8L), hits());
    store.read(
        at -> {
          assertEquals(Optional.of(3L), at.get(HITS, Tuple.of("b")));
          assertEquals(Optional.of(9L), at.get(HITS, Tuple.of("c")));
          return null;
        });
  }

  /** Two operations of one transaction on one key: the second reads what the first made. */
  @Test
  void anotherOperationOnTheSameKeyReadsIt() {
    store.execute(tx -> tx.put(HITS, KEY, 50L));
    store.execute(
        tx -> {
          tx.add(HITS, KEY, 5);
          tx.min(HITS, KEY, 52);
          tx.add(HITS, KEY, 1);
        });
    assertEquals(Optional.of(53L), hits());
    assertEquals(new Mutation.Put(HITS.encode(53L)), lastCommit().writes().get(0).mutation());
    assertEquals(1, lastCommit().reads().size());
  }

  @Test
  void aValueThatIsNoNumberStaysAsItIs() {
    Table<String> text = Table.of("hits", Codec.utf8());
    store.execute(tx -> tx.put(text, KEY, "text"));
    store.execute(tx -> tx.add(HITS, KEY, 1));
    assertEquals(
        Optional.of("text"),
        store.<Optional<String>, RuntimeException>read(at -> at.get(text, KEY)));
    EcStoreException refused = assertThrows(EcStoreException.class, this::hits);
    assertTrue(String.valueOf(refused.getMessage()).contains("hits"), refused.getMessage());
  }

  private void assertRefused(String part, TransactionAction<RuntimeException> work) {
    WrongArgumentException refused =
        assertThrows(WrongArgumentException.class, () -> store.execute(work));
    assertTrue(String.valueOf(refused.getMessage()).contains(part), refused.getMessage());
  }

  @Test
  void tablesThatNeedToKnowWhatWasThereRefuseThem() {
    Table<Long> expiring = Table.of("sessions", Codec.longs()).expiringAfter(Duration.ofHours(1));
    assertRefused("take upsert", tx -> tx.add(expiring, KEY, 1));
    Table<Long> indexed = Table.of("scores", Codec.longs());
    indexed.index("by-score", score -> score);
    store.catalog().open(indexed);
    assertRefused("scores", tx -> tx.add(indexed, KEY, 1));
    Table<Long> undeclared = Table.of("scores", Codec.longs());
    assertRefused("by-score", tx -> tx.add(undeclared, KEY, 1));
    Table<Long> others =
        Table.of(
            "others",
            new Codec<>() {
              @Override
              public Bytes encode(Long value) {
                return Bytes.utf8(value.toString());
              }

              @Override
              public Long decode(Bytes encoded) {
                return Long.parseLong(encoded.toUtf8());
              }
            });
    assertRefused("Codec.longs()", tx -> tx.max(others, KEY, 1));
    Table<List<String>> texts =
        Table.of(
            "texts",
            new Codec<>() {
              @Override
              public Bytes encode(List<String> value) {
                return Bytes.utf8(String.join(",", value));
              }

              @Override
              public List<String> decode(Bytes encoded) {
                return List.of(encoded.toUtf8().split(",", -1));
              }
            });
    assertRefused("Codec.lists", tx -> tx.appendIfAbsent(texts, KEY, "x"));
  }

  @Test
  void whatIsAppendedByOneTransactionIsBounded() {
    String half = "x".repeat(600_000);
    assertThrows(
        TooLargeException.class,
        () ->
            store.execute(
                tx -> {
                  tx.appendIfAbsent(TAGS, KEY, half + "1");
                  tx.appendIfAbsent(TAGS, KEY, half + "2");
                }));
    store.execute(tx -> tx.appendIfAbsent(TAGS, KEY, half + "1"));
    store.execute(tx -> tx.appendIfAbsent(TAGS, KEY, half + "2"));
    assertEquals(
        1,
        store.<Integer, RuntimeException>read(at -> at.get(TAGS, KEY).orElseThrow().size()),
        "for the second there was no room");
  }

  @Test
  void listsAreReadBackAsTheyWereWritten() {
    Codec<List<String>> lists = Codec.lists(Codec.utf8());
    for (List<String> list : List.of(List.<String>of(), List.of("", "é", "a".repeat(300)))) {
      assertEquals(list, lists.decode(lists.encode(list)));
    }
    assertThrows(WrongArgumentException.class, () -> lists.decode(Bytes.of(5, 1)));
  }
}
