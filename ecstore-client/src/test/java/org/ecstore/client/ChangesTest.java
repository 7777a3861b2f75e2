package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.ecstore.client.StoreFixture.stored;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.error.ChangesLostException;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ReaderTakenException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.Fault;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The feed of changes as a program reads it, on a fake cluster. */
@Timeout(60)
class ChangesTest {
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Table<String> OTHERS = Table.of("others", Codec.utf8());
  private static final Table<Long> COUNTS = Table.of("counts", Codec.longs());

  private final StoreFixture fixture = new StoreFixture(1);
  private final EcStore store = fixture.store;

  @AfterEach
  void close() {
    fixture.close();
  }

  private void put(long key, String value) {
    store.execute(tx -> tx.put(WORDS, key(key), value));
  }

  /** All that there is: numbers are left out, values are as the table has them. */
  private static List<String> read(ChangeReader<String> reader) {
    List<String> read = new ArrayList<>();
    Optional<ChangedCommit<String>> next = reader.next(SOON);
    while (next.isPresent()) {
      read.add(text(next.get()));
      next = reader.next(SOON);
    }
    return read;
  }

  private static String text(ChangedCommit<String> commit) {
    StringBuilder text = new StringBuilder();
    for (Change<String> change : commit.changes()) {
      text.append(text.length() == 0 ? "" : " ")
          .append(change.key().element(0))
          .append('=')
          .append(change.value().orElse("-"));
    }
    return text.toString();
  }

  @Test
  void commitsComeInOrderEachOnceWithWhatTheyDidToTheTable() {
    put(1, "before");
    try (ChangeReader<String> reader = store.changes(WORDS).open()) {
      assertEquals(Optional.empty(), reader.next(Duration.ZERO));
      put(2, "b");
      store.execute(tx -> tx.put(OTHERS, key(2), "of another table"));
      store.execute(
          tx -> {
            tx.put(WORDS, key(3), "c");
            tx.put(OTHERS, key(3), "not shown");
            tx.delete(WORDS, key(1));
          });
      assertEquals(List.of("2=b", "1=- 3=c"), read(reader));
      put(4, "d");
      ChangedCommit<String> last = reader.next(SOON).orElseThrow();
      assertEquals(Change.Kind.PUT, last.changes().get(0).kind());
      assertEquals(fixture.cluster.store().durable(), last.number());
    }
  }

  @Test
  void aTokenGoesOnBehindTheCommitThatItIsOf() {
    List<String> tokens = new ArrayList<>();
    try (ChangeReader<String> reader = store.changes(WORDS).open()) {
      tokens.add(reader.token());
      for (int i = 0; i < 3; i++) {
        put(i, "v" + i);
      }
      for (int i = 0; i < 3; i++) {
        ChangedCommit<String> commit = reader.next(SOON).orElseThrow();
        tokens.add(commit.token());
        assertEquals(
            reader.token().length(), commit.token().length(), "tokens of one kind are alike");
      }
    }
    for (int i = 0; i < 3; i++) {
      try (ChangeReader<String> again = store.changes(WORDS).from(tokens.get(i)).open()) {
        assertEquals(3 - i, read(again).size());
      }
    }
    WrongArgumentException other =
        assertThrows(WrongArgumentException.class, () -> store.changes(OTHERS).from(tokens.get(0)));
    assertTrue(other.getMessage().contains("not of the changes of this table"));
    assertThrows(WrongArgumentException.class, () -> store.changes(WORDS).from(store.token()));
  }

  /** What came and was not taken is not behind the token. */
  @Test
  void aTokenIsBehindWhatWasTakenOnly() {
    try (ChangeReader<String> reader = store.changes(WORDS).open()) {
      put(1, "a");
      put(2, "b");
      assertEquals("1=a", text(reader.next(SOON).orElseThrow()));
      try (ChangeReader<String> other = store.changes(WORDS).from(reader.token()).open()) {
        assertEquals(List.of("2=b"), read(other));
      }
    }
  }

  @Test
  void aCommitThatComesInPartsIsWhole() {
    fixture.cluster.store().changesMax(3);
    try (ChangeReader<String> reader = store.changes(WORDS).open()) {
      put(100, "first");
      store.execute(
          tx -> {
            for (int i = 0; i < 10; i++) {
              tx.put(WORDS, key(i), "v" + i);
            }
          });
      put(101, "last");
      List<String> read = read(reader);
      assertEquals(3, read.size());
      assertEquals(10, read.get(1).split(" ", -1).length, read.get(1));
    }
  }

  @Test
  void changesThatAreNoLongerKeptAreLostAndTheReaderSaysSo() {
    try (ChangeReader<String> reader = store.changes(WORDS).open()) {
      put(1, "a");
      fixture.cluster.store().forgetChanges();
      ChangesLostException lost = assertThrows(ChangesLostException.class, () -> reader.next(SOON));
      assertTrue(lost.getMessage().contains("no longer kept"), lost.getMessage());
    }
  }

  @Test
  void aTokenBeyondTheStoreIsOfAnother() {
    put(1, "a");
    String token;
    Position before = fixture.cluster.store().durable();
    put(2, "b");
    try (ChangeReader<String> reader = store.changes(WORDS).open()) {
      token = reader.token();
    }
    fixture.cluster.store().restoreTo(before);
    try (ChangeReader<String> reader = store.changes(WORDS).from(token).open()) {
      ChangesLostException lost = assertThrows(ChangesLostException.class, () -> reader.next(SOON));
      assertTrue(lost.getMessage().contains("restored"), lost.getMessage());
    }
  }

  @Test
  void operationsHaveTheValueThatTheyMade() {
    try (ChangeReader<Long> reader = store.changes(COUNTS).withBefore().open()) {
      store.execute(tx -> tx.add(COUNTS, key(1), 2));
      store.execute(tx -> tx.add(COUNTS, key(1), 3));
      Change<Long> first = reader.next(SOON).orElseThrow().changes().get(0);
      Change<Long> second = reader.next(SOON).orElseThrow().changes().get(0);
      assertEquals(Change.Kind.OPERATION, first.kind());
      assertEquals(Optional.of(2L), first.value());
      assertEquals(Optional.empty(), first.before());
      assertEquals(Optional.of(5L), second.value());
      assertEquals(Optional.of(2L), second.before());
    }
  }

  @Test
  void whatIsNoLongerKeptOfValuesIsSaidAndTheFeedGoesOn() {
    try (ChangeReader<Long> reader = store.changes(COUNTS).withBefore().open()) {
      store.execute(tx -> tx.add(COUNTS, key(1), 2));
      store.execute(tx -> tx.put(COUNTS, key(2), 7L));
      fixture.cluster.store().forgetHistory();
      Change<Long> made = reader.next(SOON).orElseThrow().changes().get(0);
      assertFalse(made.isValueKept());
      assertThrows(WrongArgumentException.class, made::value);
      Change<Long> put = reader.next(SOON).orElseThrow().changes().get(0);
      assertEquals(Optional.of(7L), put.value());
      assertFalse(put.isBeforeKept());
      assertThrows(WrongArgumentException.class, put::before);
    }
    try (ChangeReader<Long> reader = store.changes(COUNTS).open()) {
      store.execute(tx -> tx.put(COUNTS, key(2), 8L));
      Change<Long> put = reader.next(SOON).orElseThrow().changes().get(0);
      assertThrows(WrongArgumentException.class, put::before);
    }
  }

  /** The table's codec says so when the value is asked for, and the reader has gone on. */
  @Test
  void aValueThatCannotBeReadIsInNoOthersWay() {
    try (ChangeReader<Long> reader = store.changes(Table.of("words", Codec.longs())).open()) {
      put(1, "no number");
      store.execute(tx -> tx.put(Table.of("words", Codec.longs()), key(2), 5L));
      Change<Long> wrong = reader.next(SOON).orElseThrow().changes().get(0);
      assertThrows(WrongArgumentException.class, wrong::value);
      assertEquals(Optional.of(5L), reader.next(SOON).orElseThrow().changes().get(0).value());
    }
  }

  private static boolean copy(ChangeReader<String> reader) {
    return reader.applyNext(
        SOON,
        (tx, commit) -> {
          for (Change<String> change : commit.changes()) {
            tx.upsert(OTHERS, change.key(), was -> was.orElse("") + change.value().orElse("-"));
          }
        });
  }

  private Optional<String> copied(long key) {
    return store.read(snapshot -> snapshot.get(OTHERS, key(key)));
  }

  @Test
  void whatIsAppliedUnderANameIsAppliedOnceOverRestarts() {
    try (ChangeReader<String> reader = store.changes(WORDS).named("copy").open()) {
      put(1, "a");
      put(1, "b");
      assertTrue(copy(reader));
    }
    put(1, "c");
    try (ChangeReader<String> again = store.changes(WORDS).named("copy").open()) {
      assertTrue(copy(again));
      assertTrue(copy(again));
      assertFalse(copy(again));
    }
    assertEquals(Optional.of("abc"), copied(1));
  }

  @Test
  void whatIsAppliedAndNotHeardOfIsNotAppliedAgain() {
    try (ChangeReader<String> reader = store.changes(WORDS).named("copy").open()) {
      put(1, "a");
      // With it the key of tokens is made, whose commit would be the one that is lost.
      assertFalse(store.sealedToken().isEmpty());
      fixture.cluster.plan(Fault.Plan.outcomesLost());
      assertThrows(UnknownOutcomeException.class, () -> copy(reader));
      fixture.cluster.plan((address, request) -> new Fault.None());
      assertTrue(copy(reader), "it finds out that it was applied");
      assertFalse(copy(reader));
      assertEquals(Optional.of("a"), copied(1));
    }
  }

  @Test
  void whatFailsIsAppliedByTheNextCall() {
    try (ChangeReader<String> reader = store.changes(WORDS).named("copy").open()) {
      put(1, "a");
      assertThrows(
          ArithmeticException.class,
          () ->
              reader.applyNext(
                  SOON,
                  (tx, commit) -> {
                    tx.put(OTHERS, key(1), "half");
                    throw new ArithmeticException("no");
                  }));
      assertEquals(Optional.empty(), copied(1));
      assertTrue(copy(reader));
      assertEquals(Optional.of("a"), copied(1));
    }
  }

  @Test
  void twoUnderOneNameApplyEachCommitOnceAndTheSecondIsTold() {
    try (ChangeReader<String> one = store.changes(WORDS).named("copy").open();
        ChangeReader<String> other = store.changes(WORDS).named("copy").open()) {
      put(1, "a");
      put(2, "b");
      put(3, "c");
      assertTrue(copy(one));
      assertTrue(copy(other), "the first is applied: it goes on");
      assertTrue(copy(other));
      assertTrue(copy(other));
      ReaderTakenException told = assertThrows(ReaderTakenException.class, () -> copy(one));
      assertTrue(told.getMessage().contains("another process"), told.getMessage());
      assertEquals(Optional.of("a"), copied(1));
      assertEquals(Optional.of("b"), copied(2));
    }
  }

  /** A table without changes: its reader was left behind what nodes keep. */
  @Test
  void aReaderWithANameThatFindsNothingSaysHowFarItHasCome() {
    try (ChangeReader<String> reader = store.changes(WORDS).named("copy").open()) {
      for (int i = 0; i < 5; i++) {
        long number = i;
        store.execute(tx -> tx.put(OTHERS, key(100 + number), "x"));
      }
      Position came = fixture.cluster.store().durable();
      assertFalse(reader.applyNext(Duration.ofSeconds(25), (tx, commit) -> {}));
      fixture.cluster.store().forgetChanges(came);
    }
    put(1, "a");
    try (ChangeReader<String> again = store.changes(WORDS).named("copy").open()) {
      assertTrue(copy(again), "it began behind what is kept, but for what it has said");
    }
  }

  @Test
  void aNameThatWasLostBeginsAnewAndGoesOnFromThere() {
    try (ChangeReader<String> reader = store.changes(WORDS).named("copy").open()) {
      put(1, "a");
      fixture.cluster.store().forgetChanges();
      assertThrows(ChangesLostException.class, () -> copy(reader));
    }
    try (ChangeReader<String> anew = store.changes(WORDS).named("copy").fromNow().open()) {
      put(2, "b");
      assertTrue(copy(anew));
    }
    try (ChangeReader<String> again = store.changes(WORDS).named("copy").open()) {
      assertFalse(copy(again), "it goes on where it began anew");
    }
    assertEquals(Optional.of("b"), copied(2));
    assertEquals(Optional.empty(), copied(1));
  }

  /** The store had what the reader did not know of: it took itself for another. */
  @Test
  void aLostAnswerToWhatItSaysOfItselfIsNoOtherReader() {
    try (ChangeReader<String> reader = store.changes(WORDS).named("copy").open()) {
      store.execute(tx -> tx.put(OTHERS, key(100), "x"));
      fixture.cluster.plan(Fault.Plan.outcomesLost());
      assertThrows(
          UnknownOutcomeException.class,
          () -> reader.applyNext(Duration.ofSeconds(15), (tx, commit) -> {}));
      fixture.cluster.plan((address, request) -> new Fault.None());
      put(1, "a");
      assertTrue(copy(reader));
      assertEquals(Optional.of("a"), copied(1));
    }
  }

  /** Each of these tries may have been the one that counted, and the first was. */
  @Test
  void workThatFailsBehindALostAnswerDoesNotMakeItAnotherReader() {
    try (ChangeReader<String> reader = store.changes(WORDS).named("copy").open()) {
      store.execute(tx -> tx.put(OTHERS, key(100), "x"));
      fixture.cluster.plan(Fault.Plan.outcomesLost());
      assertThrows(
          UnknownOutcomeException.class,
          () -> reader.applyNext(Duration.ofSeconds(15), (tx, commit) -> {}));
      fixture.cluster.plan((address, request) -> new Fault.None());
      put(1, "a");
      for (int i = 0; i < 3; i++) {
        assertThrows(
            ArithmeticException.class,
            () ->
                reader.applyNext(
                    SOON,
                    (tx, commit) -> {
                      throw new ArithmeticException("not now");
                    }));
      }
      assertTrue(copy(reader));
      assertEquals(Optional.of("a"), copied(1));
      assertFalse(copy(reader));
    }
  }

  @Test
  void aReaderWithANameGoesOnByWhatItApplies() {
    try (ChangeReader<String> reader = store.changes(WORDS).named("copy").open()) {
      WrongArgumentException refused =
          assertThrows(WrongArgumentException.class, () -> reader.next(SOON));
      assertTrue(refused.getMessage().contains("applyNext"), refused.getMessage());
    }
  }

  @Test
  void nodesThatDoNotAnswerAreNotAskedFor() {
    try (ChangeReader<String> reader = store.changes(WORDS).open()) {
      put(1, "a");
      fixture.cluster.plan(
          (address, request) ->
              request instanceof ClientRequest.ReadChanges && !address.equals("n3:1")
                  ? new Fault.LoseReply()
                  : new Fault.None());
      assertEquals(List.of("1=a"), read(reader));
      fixture.cluster.plan(
          (address, request) ->
              request instanceof ClientRequest.ReadChanges
                  ? new Fault.LoseReply()
                  : new Fault.None());
      put(2, "b");
      assertThrows(EcStoreException.class, () -> reader.next(SOON));
      fixture.cluster.plan((address, request) -> new Fault.None());
      assertEquals(List.of("2=b"), read(reader), "it goes on where it was");
    }
  }

  @Test
  void wrongUsesAreRefused() {
    ChangeReader<String> reader = store.changes(WORDS).open();
    assertThrows(WrongArgumentException.class, () -> reader.next(Duration.ofSeconds(-1)));
    assertThrows(WrongArgumentException.class, () -> reader.next(Duration.ofDays(2)));
    assertThrows(WrongArgumentException.class, () -> copy(reader));
    reader.close();
    assertThrows(ClosedException.class, () -> reader.next(SOON));
    assertThrows(ClosedException.class, reader::token);
    assertThrows(WrongArgumentException.class, () -> store.changes(WORDS).named(""));
    assertThrows(WrongArgumentException.class, () -> store.changes(WORDS).named("x".repeat(256)));
    assertThrows(WrongArgumentException.class, () -> store.changes(WORDS).named("x").publisher());
    Bytes record = Table.of("ecstore", Codec.bytes()).key(Tuple.of("changes", "words", "copy"));
    fixture.cluster.store().write(record, Optional.of(Bytes.of(9)));
    assertThrows(WrongArgumentException.class, () -> store.changes(WORDS).named("copy").open());
    fixture.cluster.store().write(stored(1), Optional.of(Bytes.utf8("x")));
  }

  /** Takes what comes, and asks for it by a test's leave. */
  private static final class Taking implements Flow.Subscriber<ChangedCommit<String>> {
    private final BlockingQueue<Object> came = new LinkedBlockingQueue<>();
    private final BlockingQueue<Flow.Subscription> begun = new LinkedBlockingQueue<>();

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      begun.add(subscription);
    }

    @Override
    public void onNext(ChangedCommit<String> commit) {
      came.add(text(commit));
    }

    @Override
    public void onError(Throwable failure) {
      came.add(failure);
    }

    @Override
    public void onComplete() {
      came.add("complete");
    }

    Object next() throws InterruptedException {
      return Objects.requireNonNull(came.poll(30, TimeUnit.SECONDS), "nothing came");
    }

    Flow.Subscription subscription() throws InterruptedException {
      return Objects.requireNonNull(begun.poll(30, TimeUnit.SECONDS), "not begun");
    }
  }

  @Test
  void aPublisherGivesWhatIsAskedForAndNoMore() throws Exception {
    Taking taking = new Taking();
    store.changes(WORDS).publisher().subscribe(taking);
    for (int i = 1; i <= 4; i++) {
      put(i, "v" + i);
    }
    Flow.Subscription subscription = taking.subscription();
    subscription.request(2);
    assertEquals("1=v1", taking.next());
    assertEquals("2=v2", taking.next());
    assertNull(taking.came.poll(200, TimeUnit.MILLISECONDS));
    subscription.request(1);
    assertEquals("3=v3", taking.next());
    subscription.cancel();
    subscription.request(1);
    assertNull(taking.came.poll(200, TimeUnit.MILLISECONDS));
  }

  @Test
  void aSubscriberThatAsksForNothingIsToldSoWhileItWaits() throws Exception {
    Taking taking = new Taking();
    store.changes(WORDS).publisher().subscribe(taking);
    Flow.Subscription subscription = taking.subscription();
    subscription.request(1);
    subscription.request(0);
    subscription.request(0);
    assertInstanceOf(IllegalArgumentException.class, taking.next());
    Flow.Publisher<ChangedCommit<String>> publisher = store.changes(WORDS).publisher();
    assertThrows(NullPointerException.class, () -> publisher.subscribe(null));
  }

  @Test
  void aSubscriberIsToldThatTheStoreIsClosed() throws Exception {
    Taking taking = new Taking();
    store.changes(WORDS).publisher().subscribe(taking);
    assertNotNull(taking.subscription());
    store.close();
    assertInstanceOf(ClosedException.class, taking.next());
  }

  @Test
  void aPublisherEndsWithTheErrorThatItMet() throws Exception {
    Taking taking = new Taking();
    store.changes(WORDS).publisher().subscribe(taking);
    put(1, "a");
    fixture.cluster.store().forgetChanges();
    taking.subscription().request(1);
    assertInstanceOf(ChangesLostException.class, taking.next());
    Taking nothing = new Taking();
    store.changes(WORDS).publisher().subscribe(nothing);
    nothing.subscription().request(0);
    assertInstanceOf(IllegalArgumentException.class, nothing.next());
  }
}
