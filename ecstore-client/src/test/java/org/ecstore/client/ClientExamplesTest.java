package org.ecstore.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.AlreadyExistsException;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What an application does with the API, as the README shows it. Only the way to the store differs:
 * there it is {@code EcStore.connect("host:port")} or {@code EcStore.open(path)}.
 */
class ClientExamplesTest {
  record User(String name, Instant since) {}

  static final Table<User> USERS = Table.of("users", Codec.record(User.class));
  static final Table<Nothing> FRIENDS = Table.of("friends", Codec.nothing());

  private final FakeTime time = new FakeTime(1);
  private final EcStore store =
      EcStore.over(new FakeCluster(time, "n1:1", "n2:1"), EcStoreOptions.DEFAULT, time);

  private static Tuple user(String name) {
    return Tuple.of(name);
  }

  @BeforeEach
  void addUsers() {
    store.execute(
        tx -> {
          for (String name : List.of("alice", "bob", "carol", "dave")) {
            tx.insert(USERS, user(name), new User(name, Instant.EPOCH));
          }
        });
  }

  @AfterEach
  void close() {
    store.close();
  }

  /** Returns false if they are friends already. */
  private boolean befriend(String a, String b) {
    return store.transact(
        tx -> {
          if (tx.get(FRIENDS, Tuple.of(a, b)).isPresent()) {
            return false;
          }
          tx.put(FRIENDS, Tuple.of(a, b));
          tx.put(FRIENDS, Tuple.of(b, a));
          return true;
        });
  }

  /** The same helper serves a transaction and a snapshot. */
  private static List<String> friendsOf(Snapshot view, String name) {
    return view.scan(FRIENDS, Tuple.of(name)).stream()
        .map(friendship -> friendship.key().string(1))
        .toList();
  }

  @Test
  void befriend() {
    assertTrue(befriend("alice", "bob"));
    assertFalse(befriend("bob", "alice"));
    assertEquals(List.of("alice"), store.read(snapshot -> friendsOf(snapshot, "bob")));
  }

  @Test
  void readSeveralThingsAtOneMoment() {
    befriend("alice", "bob");
    befriend("alice", "carol");
    Map<Tuple, User> friends =
        store.read(
            snapshot ->
                snapshot.getAll(
                    USERS, friendsOf(snapshot, "alice").stream().map(Tuple::of).toList()));
    assertEquals(2, friends.size());
  }

  @Test
  void pageThroughATable() {
    Page<User> first = store.read(snapshot -> snapshot.scan(USERS).reverse().limit(3).page());
    assertEquals(
        List.of("dave", "carol", "bob"),
        first.entries().stream().map(entry -> entry.value().name()).toList());

    // The token goes to the browser and comes back, perhaps to another server.
    String token = first.next().orElseThrow();
    Page<User> second =
        store.readAt(
            token, snapshot -> snapshot.scan(USERS).reverse().limit(3).resume(token).page());
    assertEquals(Optional.empty(), second.next());
    assertEquals("alice", second.entries().get(0).value().name());
  }

  record Post(String text) {}

  static final Table<Post> POSTS = Table.of("posts", Codec.record(Post.class));
  static final Table<Long> VISITS = Table.of("visits", Codec.longs());

  /** The newest come first where the time is part of the key and the scan goes backward. */
  @Test
  void theNewestPostsOfAnAuthor() {
    for (int day = 1; day <= 5; day++) {
      Instant when = Instant.EPOCH.plus(Duration.ofDays(day));
      Post post = new Post("day " + day);
      store.execute(
          tx -> {
            tx.put(POSTS, Tuple.of("alice", when), post);
            tx.put(POSTS, Tuple.of("bob", when.plusSeconds(1)), new Post("another's"));
          });
    }
    Page<Post> newest = store.read(s -> s.scan(POSTS, Tuple.of("alice")).reverse().limit(3).page());
    assertEquals(
        List.of("day 5", "day 4", "day 3"),
        newest.entries().stream().map(entry -> entry.value().text()).toList());
    assertTrue(newest.hasMore());
    String token = newest.next().get();
    Page<Post> older =
        store.read(s -> s.scan(POSTS, Tuple.of("alice")).reverse().limit(3).resume(token).page());
    assertEquals(
        List.of("day 2", "day 1"),
        older.entries().stream().map(entry -> entry.value().text()).toList());
    assertFalse(older.hasMore());
  }

  @Test
  void count() {
    for (int visit = 1; visit <= 3; visit++) {
      Committed<Long> visits =
          store.transactWithCommit(
              tx -> tx.upsert(VISITS, Tuple.of("alice"), count -> count.orElse(0L) + 1));
      assertEquals(visit, visits.result());
    }
  }

  @Test
  void loopOverARange() {
    int users = 0;
    try (ManualSnapshot snapshot = store.snapshot()) {
      for (Entry<User> entry : snapshot.scan(USERS, TupleRange.from(user("b")))) {
        assertTrue(entry.value().name().compareTo("b") > 0);
        users++;
      }
      assertEquals(3, users);
      assertEquals(4, snapshot.count(USERS));
      assertEquals(
          "dave", snapshot.scan(USERS).reverse().first().map(e -> e.value().name()).orElseThrow());
    }
  }

  @Test
  void workWithoutBlocking() {
    CompletableFuture<Optional<User>> alice =
        store
            .transactAsync(
                tx -> {
                  tx.delete(USERS, user("dave"));
                  return true;
                })
            .thenCompose(deleted -> store.readAsync(s -> s.get(USERS, user("alice"))));
    assertEquals("alice", alice.join().orElseThrow().name());
  }

  @Test
  void theNumberOfACommit() {
    Committed<User> created =
        store.transactWithCommit(
            tx -> {
              User carol = new User("carla", Instant.EPOCH);
              tx.insert(USERS, user("carla"), carol);
              return carol;
            });
    Committed<Boolean> deleted =
        store.transactWithCommit(
            tx -> {
              tx.delete(USERS, user(created.result().name()));
              return true;
            });
    assertTrue(deleted.number().orElseThrow().isAfter(created.number().orElseThrow()));
    // A session of its own sees what the store has seen.
    assertEquals(Optional.empty(), store.session().read(s -> s.get(USERS, user("carla"))));
  }

  @Test
  void commitByHand() {
    try (ManualTransaction tx = store.begin()) {
      tx.put(USERS, user("erin"), new User("erin", Instant.EPOCH));
      tx.commit();
    } catch (ConflictException conflict) {
      throw new AssertionError("no other transaction is here: " + conflict.keys(), conflict);
    }
    long users = store.read(snapshot -> snapshot.count(USERS));
    assertEquals(5, users);
  }

  @Test
  void chooseHowStrictAndHowFresh() {
    String name =
        store
            .with(ReadLevel.STRONG)
            .read(s -> s.get(USERS, user("alice")).map(User::name).orElse("unknown"));
    assertEquals("alice", name);
    // A page that may be half a second old, from whichever copy is near:
    long users = store.read(ReadLevel.bounded(Duration.ofMillis(500)), page -> page.count(USERS));
    assertEquals(4, users);
    store.with(Isolation.SNAPSHOT).execute(tx -> tx.delete(USERS, user("bob")));
  }

  @Test
  void askWhichCopyAnswered() {
    store.read(
        snapshot -> {
          snapshot.get(USERS, user("alice"));
          AnsweredBy by = snapshot.lastRead().orElseThrow();
          // For a log: "n917 (primary) at 5, closed at 5, 0 behind: no other copy ..."
          assertTrue(by.toString().contains(by.why()));
          return by.behind();
        });
  }

  @Test
  void nameWhatWentWrong() {
    String answer;
    try {
      store.execute(tx -> tx.insert(USERS, user("alice"), new User("alice", Instant.EPOCH)));
      answer = "welcome";
    } catch (AlreadyExistsException taken) {
      answer = "the name is taken";
    }
    assertEquals("the name is taken", answer);
  }

  /** A method that begins a transaction, or is part of the caller's. */
  private void rename(String name, String other) {
    store.execute(
        tx -> {
          tx.put(USERS, user(other), tx.get(USERS, user(name)).orElseThrow());
          tx.delete(USERS, user(name));
        });
  }

  @Test
  void callWhatBeginsATransactionWithinAnother() {
    store.execute(
        tx -> {
          rename("alice", "alicia");
          rename("bob", "bobby");
        });
    assertEquals(
        List.of("alicia", "bobby", "carol", "dave"),
        store.read(s -> s.scan(USERS).keys().toList()).stream().map(k -> k.string(0)).toList());
  }

  @Test
  void forgetACartThatIsNotTouchedForADay() {
    Table<String> carts = Table.of("carts", Codec.utf8()).expiringAfter(Duration.ofDays(1));
    store.execute(tx -> tx.put(carts, Tuple.of("alice"), "apples"));
    // Another time for one record.
    store.execute(tx -> tx.put(carts, Tuple.of("bob"), "pears", Duration.ofMinutes(30)));
    // One that is over is there until it is swept: where that matters, ask.
    boolean isOver =
        store.read(
            snapshot ->
                snapshot
                    .expiresAt(carts, Tuple.of("bob"))
                    .map(at -> at.isBefore(Instant.now()))
                    .orElse(false));
    assertFalse(isOver);
    // Stores sweep by themselves from time to time; this does it now.
    assertEquals(0, store.sweep());
  }

  @Test
  void doARequestOnceHoweverOftenItIsSent() {
    String requestId = "6f1b7c1e";
    for (int sent = 0; sent < 3; sent++) {
      String answer =
          store.transact(
              requestId,
              Codec.utf8(),
              tx -> {
                tx.insert(USERS, user("eve"), new User("eve", Instant.EPOCH));
                return "welcome, eve";
              });
      assertEquals("welcome, eve", answer);
    }
  }

  record Member(String name, String email, String city, List<String> tags) {}

  static final Table<Member> MEMBERS = Table.of("members", Codec.record(Member.class));
  static final Index<Member> BY_EMAIL = MEMBERS.index("by-email", Member::email).unique();
  static final Index<Member> BY_CITY =
      MEMBERS.index("by-city", member -> Tuple.of(member.city(), member.name()));
  static final Index<Member> BY_TAG = MEMBERS.indexEach("by-tag", Member::tags);
  static final Covering<Member, String> NAMES =
      MEMBERS.index("names", Member::email).covering(Codec.utf8(), Member::name);

  /** As docs/indexes.md has it. */
  @Test
  void findRecordsByWhatIsInThem() {
    store.catalog().open(MEMBERS).forEach(store.catalog()::build);
    store.execute(
        tx -> {
          tx.put(
              MEMBERS, Tuple.of(1), new Member("Ann", "ann@example.org", "Oslo", List.of("red")));
          tx.put(MEMBERS, Tuple.of(2), new Member("Bob", "bob@example.org", "Oslo", List.of()));
        });
    List<Entry<Member>> oslo =
        store.read(at -> at.scan(BY_CITY, Tuple.of("Oslo")).limit(20).toList());
    Page<Member> first = store.read(at -> at.scan(BY_CITY, Tuple.of("Oslo")).limit(1).page());
    String token = first.next().orElseThrow();
    Page<Member> second =
        store.read(at -> at.scan(BY_CITY, Tuple.of("Oslo")).limit(1).resume(token).page());
    Optional<Entry<Member>> ann = store.read(at -> at.find(BY_EMAIL, Tuple.of("ann@example.org")));
    long red = store.read(at -> at.count(BY_TAG, TupleRange.only(Tuple.of("red"))));
    List<Entry<String>> names = store.read(at -> at.scan(NAMES, TupleRange.all()).toList());
    assertEquals(List.of("Ann", "Bob"), oslo.stream().map(entry -> entry.value().name()).toList());
    assertEquals("Bob", second.entries().get(0).value().name());
    assertEquals(Tuple.of(1), ann.orElseThrow().key());
    assertEquals(1, red);
    assertEquals(List.of("Ann", "Bob"), names.stream().map(Entry::value).toList());
  }

  static final Table<Long> HITS = Table.of("hits", Codec.longs());

  /** Nothing is read, so that those who count the same are in no other's way. */
  @Test
  void countingWithoutReading() {
    store.execute(tx -> tx.add(HITS, Tuple.of("/home"), 1));
    store.execute(tx -> tx.add(HITS, Tuple.of("/home"), 1));
    long hits =
        store.<Long, RuntimeException>read(at -> at.get(HITS, Tuple.of("/home")).orElse(0L));
    assertEquals(2, hits);
  }
}
