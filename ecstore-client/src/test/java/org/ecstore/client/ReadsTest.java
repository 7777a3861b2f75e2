package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.ecstore.client.StoreFixture.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReadsTest {
  private static final Table<Long> NUMBERS = Table.of("numbers", Codec.longs());

  private final StoreFixture fixture = new StoreFixture(1);
  private final EcStore store = fixture.store;

  @AfterEach
  void close() {
    store.close();
  }

  private void fill() {
    store.execute(
        tx -> {
          for (long i = 0; i < 10; i++) {
            tx.put(WORDS, key(i), "w" + i);
            tx.put(NUMBERS, key(i), i);
          }
        });
  }

  private int asked() {
    return fixture.cluster.requests(ClientRequest.Get.class).size()
        + fixture.cluster.requests(ClientRequest.BeginWith.class).size()
        + fixture.cluster.requests(ClientRequest.Begin.class).size();
  }

  @Test
  void readsOfSeveralTablesTakeOneRequestWhereOneRangeHasThem() {
    fill();
    int before = asked();
    store.execute(
        tx -> {
          Reads reads = tx.reads();
          Read<Optional<String>> word = reads.get(WORDS, key(3));
          Read<Optional<Long>> number = reads.get(NUMBERS, key(4));
          Read<Map<Tuple, String>> more =
              reads.getAll(WORDS, List.of(key(7), key(3), key(77), key(1)));
          Read<Optional<Long>> none = reads.get(NUMBERS, key(99));
          reads.run();
          assertEquals(Optional.of("w3"), word.get());
          assertEquals(Optional.of(4L), number.get());
          assertEquals(List.of(key(7), key(3), key(1)), List.copyOf(more.get().keySet()));
          assertEquals(Map.of(key(7), "w7", key(3), "w3", key(1), "w1"), more.get());
          assertEquals(Optional.empty(), none.get());
        });
    assertEquals(before + 1, asked());
  }

  @Test
  void theyReadWhatSingleReadsDoWhereverKeysAre() {
    fill();
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      fixture.scatter(random, 10);
      boolean inTransaction = random.nextBoolean();
      if (inTransaction) {
        store.execute(
            tx -> {
              tx.put(WORDS, key(random.nextInt(12)), "own");
              tx.delete(NUMBERS, key(random.nextInt(12)));
              assertSame(tx, random);
            });
      } else {
        try (ManualSnapshot snapshot = store.snapshot()) {
          assertSame(snapshot, random);
        }
      }
    }
  }

  private static void assertSame(Snapshot at, Random random) {
    Reads reads = at.reads();
    List<Tuple> keys =
        LongStream.range(0, random.nextInt(12)).mapToObj(i -> key(random.nextInt(14))).toList();
    Read<Map<Tuple, String>> all = reads.getAll(WORDS, keys);
    List<Read<Optional<Long>>> numbers = new ArrayList<>();
    keys.forEach(key -> numbers.add(reads.get(NUMBERS, key)));
    reads.run();
    assertEquals(at.getAll(WORDS, keys), all.get());
    for (int i = 0; i < keys.size(); i++) {
      assertEquals(at.get(NUMBERS, keys.get(i)), numbers.get(i).get());
    }
  }

  @Test
  void aTransactionSeesItsOwnWritesAndAllThatWasReadIsValidated() {
    fill();
    store.execute(
        tx -> {
          tx.put(WORDS, key(1), "own");
          Reads reads = tx.reads();
          Read<Optional<String>> own = reads.get(WORDS, key(1));
          Read<Map<Tuple, Long>> numbers = reads.getAll(NUMBERS, List.of(key(2), key(50)));
          reads.run();
          assertEquals(Optional.of("own"), own.get());
          assertEquals(Map.of(key(2), 2L), numbers.get());
        });
    List<ClientRequest.Commit> commits = fixture.cluster.requests(ClientRequest.Commit.class);
    assertEquals(
        Set.of(NUMBERS.key(key(2)), NUMBERS.key(key(50))),
        Set.copyOf(commits.get(commits.size() - 1).reads()));
  }

  @Test
  void whatWasReadTogetherAndChangedMeanwhileIsAConflict() {
    fill();
    try (ManualTransaction tx = store.begin()) {
      Reads reads = tx.reads();
      var unused = reads.get(WORDS, key(5));
      reads.run();
      fixture.cluster.store().write(stored(5), Optional.of(Bytes.utf8("another's")));
      tx.put(NUMBERS, key(5), 0L);
      assertThrows(ConflictException.class, tx::commit);
    }
  }

  @Test
  void whatATransactionHasReadIsNotAskedForAgain() {
    fill();
    try (ManualTransaction tx = store.begin()) {
      Reads reads = tx.reads();
      var word = reads.get(WORDS, key(5));
      var none = reads.get(WORDS, key(55));
      reads.run();
      int before = asked();
      assertEquals(word.get(), tx.get(WORDS, key(5)));
      assertEquals(none.get(), tx.get(WORDS, key(55)));
      tx.put(WORDS, key(5), "own");
      assertEquals(Optional.of("own"), tx.get(WORDS, key(5)));
      tx.insert(WORDS, key(55), "new");
      assertEquals(before, asked());
      tx.commit();
    }
    assertEquals(
        Map.of(key(5), "own", key(55), "new"),
        store.read(at -> at.getAll(WORDS, List.of(key(5), key(55)))));
  }

  @Test
  void moreThanIsKeptIsReadAgainAndRight() {
    String large = "x".repeat(100_000);
    store.execute(tx -> LongStream.range(0, 6).forEach(i -> tx.put(WORDS, key(i), large + i)));
    store.execute(
        tx -> {
          for (int round = 0; round < 2; round++) {
            for (long i = 0; i < 6; i++) {
              assertEquals(Optional.of(large + i), tx.get(WORDS, key(i)));
            }
          }
        });
  }

  @Test
  void aResultIsAskedForBehindTheRunAndTheRunIsOne() {
    fill();
    try (ManualSnapshot snapshot = store.snapshot()) {
      Reads reads = snapshot.reads();
      Read<Optional<String>> word = reads.get(WORDS, key(1));
      String early = String.valueOf(assertThrows(WrongArgumentException.class, word::get));
      assertTrue(early.contains("run()") && early.contains("words"), early);
      reads.run();
      assertThrows(WrongArgumentException.class, reads::run);
      assertThrows(WrongArgumentException.class, () -> reads.get(WORDS, key(2)));
      assertThrows(WrongArgumentException.class, () -> reads.getAll(WORDS, List.of(key(2))));
      assertEquals(Optional.of("w1"), word.get());
    }
  }

  @Test
  void noReadsAskNoNode() {
    int before = asked();
    store.<Object, RuntimeException>read(
        at -> {
          Reads reads = at.reads();
          Read<Map<Tuple, String>> none = reads.getAll(WORDS, List.of());
          reads.run();
          return none.get();
        });
    assertEquals(before, asked());
  }

  @Test
  void tooManyKeysAreRefusedAndThoseBeforeThemAreRead() {
    fill();
    try (ManualSnapshot snapshot = store.snapshot()) {
      Reads reads = snapshot.reads();
      Read<Optional<String>> word = reads.get(WORDS, key(1));
      List<Tuple> many =
          LongStream.range(0, Reads.KEYS_MAX + 1).mapToObj(StoreFixture::key).toList();
      assertThrows(TooLargeException.class, () -> reads.getAll(WORDS, many));
      Read<Map<Tuple, String>> most = reads.getAll(WORDS, many.subList(0, Reads.KEYS_MAX));
      assertThrows(TooLargeException.class, () -> reads.get(WORDS, many.get(Reads.KEYS_MAX)));
      reads.run();
      assertEquals(Optional.of("w1"), word.get());
      assertEquals(10, most.get().size());
    }
  }

  @Test
  void aRunThatFailsMayBeRunAgain() {
    fill();
    try (ManualSnapshot snapshot = store.snapshot()) {
      Reads reads = snapshot.reads();
      Read<Optional<String>> word = reads.get(WORDS, key(1));
      fixture.cluster.plan((address, request) -> new Fault.LoseRequest());
      assertThrows(UnavailableException.class, reads::run);
      assertThrows(WrongArgumentException.class, word::get);
      fixture.cluster.plan((address, request) -> new Fault.None());
      reads.run();
      assertEquals(Optional.of("w1"), word.get());
    }
  }

  @Test
  void oneValueThatCannotBeReadIsSaidWithItsTableAndNoneHasCome() {
    fill();
    fixture.cluster.store().write(NUMBERS.key(key(1)), Optional.of(Bytes.of(1, 2, 3)));
    try (ManualSnapshot snapshot = store.snapshot()) {
      Reads reads = snapshot.reads();
      Read<Optional<String>> word = reads.get(WORDS, key(1));
      var unused = reads.get(NUMBERS, key(1));
      String why = String.valueOf(assertThrows(WrongArgumentException.class, reads::run));
      assertTrue(why.contains("numbers"), why);
      assertThrows(WrongArgumentException.class, word::get);
    }
  }

  @Test
  void behindTheEndOfTheirSnapshotTheyAreRefused() {
    ManualSnapshot snapshot = store.snapshot();
    Reads reads = snapshot.reads();
    var unused = reads.get(WORDS, key(1));
    snapshot.close();
    assertThrows(ClosedException.class, reads::run);
  }
}
