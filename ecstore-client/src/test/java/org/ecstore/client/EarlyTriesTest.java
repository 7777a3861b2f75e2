package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.ecstore.client.StoreFixture.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.AlreadyExistsException;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A serializable transaction at STRONG first begins without asking the sequencer; what it read
 * counts only if it is committed (decision 0094).
 */
class EarlyTriesTest {
  private static final ReadLevel SESSION = ReadLevel.SESSION;
  private static final ReadLevel STRONG = ReadLevel.STRONG;

  private final StoreFixture fixture = new StoreFixture(1);
  private final EcStore store = fixture.store;
  private final Session strong = store.with(STRONG);
  private final List<String> read = new ArrayList<>();

  /** Another client has written what the nodes know of only where they ask. */
  @BeforeEach
  void write() {
    store.execute(tx -> tx.put(WORDS, key(1), "old"));
    fixture.cluster.store().atHand(fixture.cluster.store().durable());
    fixture.cluster.store().write(stored(1), Optional.of(Bytes.utf8("new")));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private String seen(Transaction tx) {
    String word = tx.get(WORDS, key(1)).orElse("none");
    read.add(word);
    return word;
  }

  /** The levels at which the key was read first of all, in turn. */
  private List<ReadLevel> levels() {
    return fixture.cluster.requests(ClientRequest.BeginWith.class).stream()
        .filter(
            begin ->
                begin.read() instanceof ClientRequest.Get get && get.keys().contains(stored(1)))
        .map(ClientRequest.BeginWith::level)
        .toList();
  }

  @Test
  void whatIsCommittedDoesNotAskTheSequencer() {
    strong.execute(tx -> tx.put(WORDS, key(2), tx.get(WORDS, key(3)).orElse("none")));
    strong.execute(
        tx -> {
          tx.put(WORDS, key(1), "newest");
          seen(tx);
        });
    assertEquals(
        List.of(SESSION),
        fixture.cluster.requests(ClientRequest.BeginWith.class).stream()
            .filter(
                begin ->
                    begin.read() instanceof ClientRequest.Get get && get.keys().contains(stored(3)))
            .map(ClientRequest.BeginWith::level)
            .toList());
    assertEquals(Optional.of("newest"), store.read(at -> at.get(WORDS, key(1))));
  }

  @Test
  void whatWasReadTooEarlyIsAConflictAndReadAgainAsItIs() {
    strong.execute(tx -> tx.put(WORDS, key(1), seen(tx) + "er"));
    assertEquals(List.of("old", "new"), read);
    assertEquals(List.of(SESSION, STRONG), levels());
    assertEquals(Optional.of("newer"), store.read(at -> at.get(WORDS, key(1))));
  }

  @Test
  void whatWroteNothingIsReadAgainAsItIs() {
    assertEquals("new", strong.transact(this::seen));
    assertEquals(List.of("old", "new"), read);
    assertEquals(List.of(SESSION, STRONG), levels());
  }

  @Test
  void anExceptionIsThrownOnlyOverWhatIsNewest() throws IOException {
    assertEquals(
        "new",
        strong.<String, IOException>transact(
            tx -> {
              if (seen(tx).equals("old")) {
                throw new IOException("old");
              }
              return "new";
            }));
    read.clear();
    fixture.cluster.store().write(stored(1), Optional.of(Bytes.utf8("newest")));
    assertThrows(
        IOException.class,
        () ->
            strong.<String, IOException>transact(
                tx -> {
                  throw new IOException(seen(tx));
                }));
    assertEquals(List.of("newest"), read);
  }

  @Test
  void anInsertIsRefusedOnlyByWhatIsThere() {
    fixture.cluster.store().write(stored(1), Optional.empty());
    strong.execute(tx -> tx.insert(WORDS, key(1), "again"));
    assertEquals(Optional.of("again"), store.read(at -> at.get(WORDS, key(1))));
    assertThrows(
        AlreadyExistsException.class,
        () -> strong.execute(tx -> tx.insert(WORDS, key(1), "and again")));
  }

  @Test
  void whoIsInterruptedIsNotKept() {
    assertThrows(
        InterruptedException.class,
        () ->
            strong.<String, InterruptedException>transact(
                tx -> {
                  throw new InterruptedException(seen(tx));
                }));
    assertEquals(List.of("old"), read);
  }

  @Test
  void afterOneInVainTheNextOnesBeginAsTheirLevelSays() {
    strong.transact(this::seen);
    for (int i = 0; i < 16; i++) {
      strong.transact(this::seen);
    }
    strong.transact(this::seen);
    List<ReadLevel> expected = new ArrayList<>(List.of(SESSION, STRONG));
    expected.addAll(Collections.nCopies(16, STRONG));
    expected.addAll(List.of(SESSION, STRONG));
    assertEquals(expected, levels());
  }

  @Test
  void whatHasReadNothingIsRunOnce() {
    List<String> runs = new ArrayList<>();
    strong.execute(tx -> runs.add("nothing"));
    assertThrows(
        IOException.class,
        () ->
            strong.<IOException>execute(
                tx -> {
                  runs.add("fails");
                  throw new IOException("at once");
                }));
    assertEquals(List.of("nothing", "fails"), runs);
  }

  /** What validates nothing that is read, and what its caller may commit any time. */
  @Test
  void othersBeginAsTheirLevelSays() {
    strong.with(Isolation.SNAPSHOT).execute(tx -> tx.put(WORDS, key(2), seen(tx)));
    strong.read(at -> at.get(WORDS, key(1)));
    try (ManualTransaction tx = strong.beginWithFirstRead()) {
      seen(tx);
    }
    assertEquals(List.of("new", "new"), read);
    assertEquals(List.of(STRONG, STRONG, STRONG), levels());
  }

  /** The reply is lost, and the commit is there: whatever the try was, it is not done again. */
  @Test
  void aCommitThatMayBeThereIsNotTriedAgain() {
    List<String> runs = new ArrayList<>();
    fixture.cluster.store().atHand(fixture.cluster.store().durable());
    fixture.cluster.plan(
        (address, request) ->
            request instanceof ClientRequest.Commit ? new Fault.LoseReply() : new Fault.None());
    strong.execute(
        tx -> {
          runs.add(seen(tx));
          tx.put(WORDS, key(1), "newer");
        });
    assertEquals(List.of("new"), runs);
    assertEquals(Optional.of("newer"), store.read(at -> at.get(WORDS, key(1))));
  }
}
