package org.ecstore.core.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link Coordination} must do while nothing fails but its users. */
public abstract class CoordinationContractTest {
  /** One coordination service shared by several nodes. */
  public interface Fixture {
    /**
     * A node's handle. Its events reach the sink only from within {@link #awaitEvent}, on the
     * thread that calls it.
     */
    Coordination handle(NodeId node, Consumer<Event> sink);

    /** Ends a node's membership: it left, or was killed and its session expired. */
    void end(NodeId node);

    /** Goes on until at least one more event has reached a sink; throws if none comes. */
    void awaitEvent();

    /**
     * Ends all nodes as a crash of the whole process would, and opens the service again with what
     * was durable. Earlier handles are dead: events for them reach no node.
     */
    void reopen();

    /** Ends everything. */
    void close();
  }

  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);
  private static final NodeId C = new NodeId(3);
  private static final NodeId D = new NodeId(4);

  private Fixture fixture;

  /** A service that holds nothing and has no members. */
  protected abstract Fixture newCoordination();

  @BeforeEach
  void openCoordination() {
    fixture = newCoordination();
  }

  @AfterEach
  void closeCoordination() {
    fixture.close();
  }

  @Test
  void anAbsentValueHasVersionZero() {
    assertEquals(new CoordinationResult.Stored(0, Optional.empty()), new User(A).get("none"));
  }

  @Test
  void aValueIsReplacedOnlyAtItsVersion() {
    User user = new User(A);
    long first = user.swap("key", 0, "one");
    assertTrue(first > 0);
    assertEquals(stored(first, "one"), user.get("key"));
    assertEquals(new CoordinationResult.Lost(), user.compareAndSet("key", 0, "two"));
    assertEquals(new CoordinationResult.Lost(), user.compareAndSet("key", first + 1, "two"));
    assertEquals(stored(first, "one"), user.get("key"));
    long second = user.swap("key", first, "two");
    assertTrue(second > first);
    assertEquals(new CoordinationResult.Lost(), user.compareAndSet("key", first, "three"));
    assertEquals(stored(second, "two"), new User(B).get("key"));
    assertEquals(new CoordinationResult.Lost(), user.compareAndSet("other", second, "three"));
    assertEquals(new CoordinationResult.Stored(0, Optional.empty()), user.get("other"));
  }

  @Test
  void ofTwoThatReplaceOneVersionOneLoses() {
    User a = new User(A);
    User b = new User(B);
    long version = a.swap("key", 0, "start");
    for (int round = 0; round < 20; round++) {
      long expected = version;
      long tokenA = a.beginCompareAndSet("key", expected, "a");
      long tokenB = b.beginCompareAndSet("key", expected, "b");
      CoordinationResult resultA = a.await(tokenA);
      CoordinationResult resultB = b.await(tokenB);
      boolean wonByA = resultA instanceof CoordinationResult.Swapped;
      CoordinationResult won = wonByA ? resultA : resultB;
      assertEquals(new CoordinationResult.Lost(), wonByA ? resultB : resultA);
      version = assertInstanceOf(CoordinationResult.Swapped.class, won).version();
      assertEquals(stored(version, wonByA ? "a" : "b"), a.get("key"));
    }
  }

  @Test
  void valuesSurviveReopening() {
    User user = new User(A);
    long first = user.swap("one", 0, "1");
    long second = user.swap("two", 0, "2");
    long third = user.swap("two", second, "22");
    fixture.reopen();
    User next = new User(B);
    assertEquals(stored(first, "1"), next.get("one"));
    assertEquals(stored(third, "22"), next.get("two"));
    assertEquals(new CoordinationResult.Lost(), next.compareAndSet("two", second, "222"));
    assertTrue(next.swap("two", third, "222") > third);
  }

  @Test
  void aWatchFiresOnceOnTheNextChange() {
    User user = new User(A);
    User watcher = new User(B);
    long version = user.swap("key", 0, "one");
    watcher.watch("key");
    watcher.watch("unchanged");
    version = user.swap("key", version, "two");
    watcher.awaitUntil(() -> watcher.changed.contains("key"));
    version = user.swap("key", version, "three");
    version = user.swap("key", version, "four");
    watcher.get("key");
    assertEquals(List.of("key"), watcher.changed);
    watcher.watch("key");
    user.swap("key", version, "five");
    watcher.awaitUntil(() -> watcher.changed.size() == 2);
    assertEquals(List.of("key", "key"), watcher.changed);
  }

  @Test
  void aWatchOfAnAbsentValueFiresWhenItAppears() {
    User watcher = new User(A);
    watcher.watch("key");
    new User(B).swap("key", 0, "one");
    watcher.awaitUntil(() -> watcher.changed.equals(List.of("key")));
  }

  @Test
  void aLostReplacementFiresNoWatch() {
    User user = new User(A);
    long version = user.swap("key", 0, "one");
    user.watch("key");
    assertEquals(new CoordinationResult.Lost(), user.compareAndSet("key", version + 5, "two"));
    user.get("key");
    assertEquals(List.of(), user.changed);
  }

  @Test
  void incarnationsGrow() {
    long last = 0;
    for (int round = 0; round < 6; round++) {
      long incarnation = new User(A).join("host:1");
      assertTrue(incarnation > last, incarnation + " after " + last);
      last = incarnation;
      if (round % 3 == 1) {
        fixture.end(A);
      } else if (round % 3 == 2) {
        fixture.reopen();
      }
    }
  }

  @Test
  void membersLearnWhoJoinsAndWhoIsGone() {
    User b = new User(B);
    Member memberB = new Member(B, b.join("b:2"), new MemberInfo("b:2"));
    b.awaitUntil(() -> b.members.equals(List.of(memberB)));
    User a = new User(A);
    Member memberA = new Member(A, a.join("a:1"), new MemberInfo("a:1"));
    User c = new User(C);
    Member memberC = new Member(C, c.join(""), new MemberInfo(""));
    for (User user : List.of(a, b, c)) {
      user.awaitUntil(() -> user.members.equals(List.of(memberA, memberB, memberC)));
    }
    fixture.end(B);
    for (User user : List.of(a, c)) {
      user.awaitUntil(() -> user.members.equals(List.of(memberA, memberC)));
    }
    User again = new User(B);
    Member memberAgain = new Member(B, again.join("b:3"), new MemberInfo("b:3"));
    for (User user : List.of(a, c, again)) {
      user.awaitUntil(() -> user.members.equals(List.of(memberA, memberAgain, memberC)));
    }
  }

  @Test
  void aNodeThatJoinsAgainReplacesItsEarlierIncarnation() {
    User a = new User(A);
    a.join("a:1");
    User early = new User(B);
    early.join("b:1");
    User late = new User(B);
    Member memberB = new Member(B, late.join("b:2"), new MemberInfo("b:2"));
    for (User user : List.of(a, late)) {
      user.awaitUntil(() -> user.members.size() == 2 && user.members.contains(memberB));
    }
  }

  @Test
  void whoIsDisplacedIsToldSoAndNothingElse() {
    User early = new User(B);
    early.join("b:1");
    early.awaitUntil(() -> early.leader.equals(Optional.of(B)));
    User late = new User(B);
    long incarnation = late.join("b:2");
    early.awaitUntil(() -> !early.displaced.isEmpty());
    assertEquals(List.of(incarnation), early.displaced);
    List<Member> known = early.members;
    User a = new User(A);
    a.join("a:1");
    late.awaitUntil(() -> late.members.size() == 2);
    early.get("key");
    assertEquals(known, early.members, "it hears no more news");
    assertEquals(List.of(incarnation), early.displaced);
    assertEquals(List.of(), late.displaced);
  }

  /** As a node does that does not know whether it has joined. */
  @Test
  void whoJoinsAgainByTheSameHandleDoesNotDisplaceItself() {
    User user = new User(A);
    user.join("a:1");
    long incarnation = user.join("a:1");
    user.awaitUntil(
        () -> user.members.equals(List.of(new Member(A, incarnation, new MemberInfo("a:1")))));
    user.get("key");
    assertEquals(List.of(), user.displaced);
  }

  @Test
  void allMembersAreToldTheSameLivingLeader() {
    User a = new User(A);
    a.join("");
    a.awaitUntil(() -> a.leader.equals(Optional.of(A)));
    User b = new User(B);
    b.join("");
    User c = new User(C);
    c.join("");
    for (User user : List.of(b, c)) {
      user.awaitUntil(() -> user.leader.isPresent());
    }
    fixture.end(A);
    for (User user : List.of(b, c)) {
      user.awaitUntil(() -> user.leader.isPresent() && !user.leader.equals(Optional.of(A)));
    }
    b.awaitUntil(() -> b.leader.equals(c.leader));
    NodeId next = b.leader.orElseThrow();
    User last = next.equals(B) ? c : b;
    fixture.end(next);
    last.awaitUntil(() -> last.leader.equals(Optional.of(last.node)));
  }

  /** Read afresh: the node that asks need not have been told before. */
  @Test
  void whoLeadsCanBeAsked() {
    User a = new User(A);
    assertEquals(new CoordinationResult.Leader(Optional.empty()), a.askLeader());
    a.join("");
    User b = new User(B);
    b.join("");
    assertEquals(new CoordinationResult.Leader(Optional.of(A)), b.askLeader());
    fixture.end(A);
    User c = new User(C);
    c.join("");
    b.awaitUntil(() -> b.leader.isPresent() && !b.leader.equals(Optional.of(A)));
    assertEquals(new CoordinationResult.Leader(b.leader), b.askLeader());
    assertEquals(new CoordinationResult.Leader(b.leader), c.askLeader());
  }

  /** As a node does that has nothing any more, while its process runs on. */
  @Test
  void whoStandsBackStaysAMemberAndLeadsOnlyWhereNoOtherIs() {
    User a = new User(A);
    assertInstanceOf(CoordinationResult.Unknown.class, a.standBack());
    a.join("");
    User b = new User(B);
    b.join("");
    a.awaitUntil(() -> a.members.size() == 2);
    b.awaitUntil(() -> b.leader.equals(Optional.of(A)));
    List<Member> before = a.members;
    CoordinationResult result = a.standBack();
    while (!(result instanceof CoordinationResult.Leader)) {
      result = a.standBack();
    }
    assertEquals(new CoordinationResult.Leader(Optional.of(B)), result);
    for (User user : List.of(a, b)) {
      user.awaitUntil(() -> user.leader.equals(Optional.of(B)));
    }
    assertEquals(before, a.members, "it was a member all the time");
    assertEquals(List.of(), a.displaced);

    User c = new User(C);
    c.join("");
    fixture.end(B);
    c.awaitUntil(() -> c.leader.isPresent() && !c.leader.equals(Optional.of(B)));
    a.awaitUntil(() -> a.leader.equals(c.leader));
    fixture.end(C);
    a.awaitUntil(() -> a.leader.equals(Optional.of(A)));
  }

  /** The standbys of the sequencer are chosen by it (rule 6, decision 0038). */
  @Test
  void eachLeadsInTheOrderOfTheSuccession() {
    List<User> users = new ArrayList<>();
    for (NodeId node : List.of(C, A, D, B)) {
      User user = new User(node);
      user.join("");
      users.add(user);
    }
    User standsBack = users.get(1);
    while (!(standsBack.standBack() instanceof CoordinationResult.Leader)) {
      // It is announced a little later than it has joined.
    }
    users.forEach(
        user ->
            user.awaitUntil(
                () -> user.succession.size() == 4 && user.succession.getLast().equals(A)));
    List<NodeId> order = users.getFirst().succession;
    for (int i = 0; i + 1 < order.size(); i++) {
      NodeId ended = order.get(i);
      List<NodeId> left = order.subList(i + 1, order.size());
      fixture.end(ended);
      users.removeIf(user -> user.node.equals(ended));
      for (User user : users) {
        user.awaitUntil(() -> user.leader.isPresent() && !user.leader.equals(Optional.of(ended)));
        assertEquals(Optional.of(left.getFirst()), user.leader);
        user.awaitUntil(() -> user.succession.size() == left.size());
        assertEquals(left, user.succession);
      }
    }
  }

  private static CoordinationResult.Stored stored(long version, String text) {
    return new CoordinationResult.Stored(version, Optional.of(Bytes.utf8(text)));
  }

  /** A node that uses the service. */
  private final class User {
    private final NodeId node;
    private final Coordination coordination;
    private final Map<Long, CoordinationResult> results = new LinkedHashMap<>();
    private final List<String> changed = new ArrayList<>();
    private final List<Long> displaced = new ArrayList<>();
    private List<Member> members = List.of();
    private List<NodeId> succession = List.of();
    private Optional<NodeId> leader = Optional.empty();
    private long tokens;

    User(NodeId node) {
      this.node = node;
      coordination = fixture.handle(node, this::on);
    }

    private void on(Event event) {
      switch (event) {
        case Event.CoordinationDone done -> {
          assertTrue(done.token() > 0 && done.token() <= tokens, "a token of this handle");
          assertTrue(results.put(done.token(), done.result()) == null, "one result for one call");
        }
        case Event.MembersChanged change -> {
          members = change.members();
          succession = change.succession();
        }
        case Event.LeaderHinted hint -> leader = hint.leader();
        case Event.KeyChanged change -> changed.add(change.key());
        case Event.Displaced by -> displaced.add(by.by());
        default -> throw new AssertionError("not an event of this port: " + event);
      }
    }

    void awaitUntil(BooleanSupplier condition) {
      while (!condition.getAsBoolean()) {
        fixture.awaitEvent();
      }
    }

    CoordinationResult await(long token) {
      while (true) {
        CoordinationResult result = results.get(token);
        if (result != null) {
          return result;
        }
        fixture.awaitEvent();
      }
    }

    long join(String address) {
      coordination.join(++tokens, node, new MemberInfo(address));
      return assertInstanceOf(CoordinationResult.Joined.class, await(tokens)).incarnation();
    }

    CoordinationResult get(String key) {
      coordination.get(++tokens, key);
      return await(tokens);
    }

    CoordinationResult standBack() {
      coordination.standBack(++tokens);
      return await(tokens);
    }

    CoordinationResult askLeader() {
      coordination.leader(++tokens);
      return await(tokens);
    }

    long beginCompareAndSet(String key, long expected, String value) {
      coordination.compareAndSet(++tokens, key, expected, Bytes.utf8(value));
      return tokens;
    }

    CoordinationResult compareAndSet(String key, long expected, String value) {
      return await(beginCompareAndSet(key, expected, value));
    }

    long swap(String key, long expected, String value) {
      CoordinationResult result = compareAndSet(key, expected, value);
      return assertInstanceOf(CoordinationResult.Swapped.class, result).version();
    }

    /** Watches, and makes sure of it: a call of the same handle that is answered afterwards. */
    void watch(String key) {
      coordination.watch(key);
      get(key);
    }
  }
}
