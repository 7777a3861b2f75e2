package org.ecstore.cluster.zookeeper;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.World;

/**
 * A way to coordination, each answer and event of which is held against coordination as it is: what
 * was replaced is there, and what was lost is not; a read has the value of its version, and is no
 * older than what its node has seen; members have been these at some time; who is displaced has
 * been.
 */
final class CheckedCoordination implements Coordination {
  private record Try(String key, long expectedVersion) {}

  private final World world;
  private final Life life;
  private final KnownCoordination known;
  private final Coordination inner;
  private final Map<Long, Consumer<CoordinationResult>> begun = new HashMap<>();

  /** The least that a read may show. */
  private final Map<String, Long> floors = new HashMap<>();

  /** Replacements of unknown outcome. */
  private final Set<Try> unknown = new HashSet<>();

  /** Replacements that were told done. */
  private final Set<Try> done = new HashSet<>();

  /** Watches that have not fired, with what was read after they were set. */
  private final Map<String, Long> watched = new HashMap<>();

  /** Which of its watches a node has set on a key. */
  private final Map<String, Long> watching = new HashMap<>();

  private long watches;
  private Optional<Event.MembersChanged> members = Optional.empty();
  private Optional<NodeId> leader = Optional.empty();
  private long incarnation;

  CheckedCoordination(
      World world,
      Life life,
      KnownCoordination known,
      Function<Consumer<Event>, Coordination> inner) {
    this.world = world;
    this.life = life;
    this.known = known;
    this.inner = inner.apply(this::on);
  }

  boolean hasJoined() {
    return incarnation > 0;
  }

  /** What the node should know, and does not, though all can be reached. */
  Optional<String> lacks() {
    if (known.entry(life.node()).filter(e -> e.isOf(life.node(), incarnation)).isEmpty()) {
      return Optional.of(life.name() + " lives and is no member");
    }
    if (!members.equals(Optional.of(known.now())) || !leader.equals(known.leader())) {
      return Optional.of(
          "%s was told %s, leader %s; it is %s"
              .formatted(life.name(), members, leader, known.now()));
    }
    return watched.entrySet().stream()
        .filter(watch -> known.version(watch.getKey()) > watch.getValue())
        .map(watch -> life.name() + " waits for a watch of " + watch)
        .findFirst();
  }

  private void on(Event event) {
    switch (event) {
      case Event.CoordinationDone(long token, CoordinationResult result) ->
          Optional.ofNullable(begun.remove(token))
              .ifPresentOrElse(
                  check -> check.accept(result),
                  () -> that(false, "a call is answered once", result.toString()));
      case Event.MembersChanged view -> {
        that(known.hasBeen(view), "members are told that have been", view.toString());
        that(
            view.members().stream()
                .anyMatch(
                    member ->
                        member.node().equals(life.node()) && member.incarnation() == incarnation),
            "a member hears of members while it is one",
            view.toString());
        members = Optional.of(view);
      }
      case Event.LeaderHinted(Optional<NodeId> now) -> {
        that(known.hasLed(now, 0), "one is hinted at that has led", now.toString());
        leader = now;
      }
      case Event.Displaced(long by) -> {
        world.happened("a node is told that it is displaced");
        that(
            by > incarnation && by <= known.begun(life.node()),
            "who is displaced has been",
            incarnation + " by " + by);
      }
      case Event.KeyChanged(String key) -> {
        watching.remove(key);
        watched.remove(key);
      }
      default -> that(false, "no other events come", event.toString());
    }
    life.post(event);
  }

  private void that(boolean holds, String rule, String detail) {
    if (!holds) {
      world.violated(rule, life.name() + ": " + detail);
    }
  }

  @Override
  public void join(long token, NodeId node, MemberInfo info) {
    long before = known.incarnation(node);
    begun.put(
        token,
        result -> {
          if (result instanceof CoordinationResult.Joined(long given)) {
            that(given > before, "an incarnation is one life's", given + " after " + before);
            incarnation = given;
            known.joined(node, given);
            life.joined(given);
          }
        });
    inner.join(token, node, info);
  }

  private void saw(String key, long version) {
    floors.merge(key, version, Math::max);
  }

  @Override
  public void get(long token, String key) {
    known.named(key);
    long floor = floors.getOrDefault(key, 0L);
    long newest = known.version(key);
    int deposals = known.deposals();
    Optional<Long> watch = Optional.ofNullable(watching.get(key));
    begun.put(
        token,
        result -> {
          if (result instanceof CoordinationResult.Stored(long version, Optional<Bytes> value)) {
            long least = known.isHonestSince(deposals) ? newest : floor;
            that(version >= least, "no read is older", key + " " + version + " < " + least);
            that(
                known.value(key, version).equals(value),
                "a read has the value of its version",
                key + " " + version);
            if (version < newest) {
              world.happened("a stale read of coordination");
            }
            if (watch.isPresent() && watch.equals(Optional.ofNullable(watching.get(key)))) {
              watched.putIfAbsent(key, version);
            }
            saw(key, version);
          }
        });
    inner.get(token, key);
  }

  @Override
  public void compareAndSet(long token, String key, long expectedVersion, Bytes value) {
    known.named(key);
    Try once = new Try(key, expectedVersion);
    begun.put(token, result -> swapped(once, value, result));
    inner.compareAndSet(token, key, expectedVersion, value);
  }

  private void swapped(Try once, Bytes value, CoordinationResult result) {
    String key = once.key();
    long next = once.expectedVersion() + 1;
    switch (result) {
      case CoordinationResult.Swapped(long version) -> {
        that(
            version == next
                && known.isBy(key, next, life.name())
                && known.value(key, next).equals(Optional.of(value)),
            "what was replaced is there",
            key + " " + version);
        done.add(once);
        saw(key, version);
      }
      // Of two from one version, one may be done; the other one is lost then.
      case CoordinationResult.Lost _ ->
          that(
              unknown.contains(once) || done.contains(once) || !known.isBy(key, next, life.name()),
              "what was lost is not done",
              key + " " + next);
      // A read that begins now sees all there is, of every node.
      case CoordinationResult.Unknown _ -> {
        unknown.add(once);
        world.happened(
            known.isBy(key, next, life.name())
                ? "replaced in coordination without an answer"
                : "not replaced in coordination, or not yet, without an answer");
        saw(key, known.version(key));
      }
      default -> that(false, "answers fit their calls", result.toString());
    }
  }

  @Override
  public void leader(long token) {
    checkLeader(token);
    inner.leader(token);
  }

  @Override
  public void standBack(long token) {
    checkLeader(token);
    inner.standBack(token);
  }

  private void checkLeader(long token) {
    int deposals = known.deposals();
    int changes = known.changes();
    begun.put(
        token,
        result -> {
          if (result instanceof CoordinationResult.Leader(Optional<NodeId> leader)) {
            int since = known.isHonestSince(deposals) ? changes : 0;
            that(known.hasLed(leader, since), "the leader is no older", leader.toString());
          }
        });
  }

  @Override
  public void suspect(NodeId node, long incarnation) {
    known.suspected(node, incarnation);
    inner.suspect(node, incarnation);
  }

  @Override
  public void watch(String key) {
    known.named(key);
    watching.putIfAbsent(key, ++watches);
    inner.watch(key);
  }
}
