package org.ecstore.cluster.zookeeper;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.testing.Await;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;

/** A node that uses a coordination service; events are taken in by the thread of the test. */
final class TestNode {
  private final NodeId id;
  private final Coordination coordination;
  private final LinkedBlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final List<Event> seen = new ArrayList<>();
  private List<Member> members = List.of();
  private List<NodeId> succession = List.of();
  private Optional<NodeId> leader = Optional.empty();
  private long incarnation;
  private long tokens;

  TestNode(ZooKeeperCoordination service, long id) {
    this.id = new NodeId(id);
    this.coordination = service.handle(this.id, events::add);
  }

  private Event next() {
    try {
      Event event = events.poll(60, TimeUnit.SECONDS);
      if (event == null) {
        throw new AssertionError("no event comes to " + id + ", after " + seen);
      }
      seen.add(event);
      switch (event) {
        case Event.LeaderHinted hint -> leader = hint.leader();
        case Event.MembersChanged change -> {
          members = change.members();
          succession = change.succession();
        }
        default -> {}
      }
      return event;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  CoordinationResult await(long token) {
    while (true) {
      if (next() instanceof Event.CoordinationDone done && done.token() == token) {
        return done.result();
      }
    }
  }

  /** Takes in events until something is so. */
  void awaitUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      next();
    }
  }

  CoordinationResult tryJoin() {
    coordination.join(++tokens, id, new MemberInfo("host:" + id.value()));
    CoordinationResult result = await(tokens);
    if (result instanceof CoordinationResult.Joined joined) {
      incarnation = joined.incarnation();
    }
    return result;
  }

  void join() {
    assertInstanceOf(CoordinationResult.Joined.class, tryJoin());
  }

  void joinUntilKnown() {
    Await.until(id + " joins", () -> tryJoin() instanceof CoordinationResult.Joined);
  }

  long beginGet(String key) {
    coordination.get(++tokens, key);
    return tokens;
  }

  CoordinationResult get(String key) {
    return await(beginGet(key));
  }

  /** Reads until the answer is not Unknown. */
  CoordinationResult.Stored read(String key) {
    return Await.present(
        key + " is read",
        () ->
            get(key) instanceof CoordinationResult.Stored stored
                ? Optional.of(stored)
                : Optional.empty());
  }

  long beginCompareAndSet(String key, long version, String value) {
    coordination.compareAndSet(++tokens, key, version, Bytes.utf8(value));
    return tokens;
  }

  CoordinationResult compareAndSet(String key, long version, String value) {
    return await(beginCompareAndSet(key, version, value));
  }

  long swap(String key, long version, String value) {
    return assertInstanceOf(CoordinationResult.Swapped.class, compareAndSet(key, version, value))
        .version();
  }

  /** Watches, and makes sure of it. */
  void watch(String key) {
    coordination.watch(key);
    get(key);
  }

  /** Takes in all events of what was done before, as far as they have come. */
  void takeIn() {
    while (!events.isEmpty()) {
      next();
    }
  }

  /** Forgets what it was told, but for its incarnation. */
  void forget() {
    takeIn();
    seen.clear();
    members = List.of();
    leader = Optional.empty();
  }

  Member member() {
    return new Member(id, incarnation, new MemberInfo("host:" + id.value()));
  }

  /** Waits until it is told that just these are members, in order of their ids. */
  void awaitMembers(TestNode... nodes) {
    List<Member> expected = java.util.stream.Stream.of(nodes).map(TestNode::member).toList();
    awaitUntil(() -> members.equals(expected));
  }

  void awaitSuccession(TestNode... nodes) {
    List<NodeId> order = Arrays.stream(nodes).map(node -> node.id).toList();
    awaitUntil(() -> succession.equals(order));
  }

  void awaitLeader(TestNode node) {
    awaitUntil(() -> leader.equals(Optional.of(node.id)));
  }

  NodeId id() {
    return id;
  }

  long incarnation() {
    return incarnation;
  }

  Optional<NodeId> leader() {
    return leader;
  }

  List<Event> seen() {
    return seen;
  }
}
