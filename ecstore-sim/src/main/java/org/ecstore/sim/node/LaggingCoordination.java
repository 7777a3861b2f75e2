package org.ecstore.sim.node;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;

/**
 * Membership, compare-and-set and the election hint of a simulated cluster. Results and events come
 * late; the reply of a compare-and-set gets lost; reads are stale, though never older than what the
 * same node has seen; a watch tells of one change only, late; a dead node stays a member until its
 * session expires.
 */
public final class LaggingCoordination implements SimCoordination {
  private record Versioned(long version, Optional<Bytes> value, long sinceNanos) {}

  private static final long MILLI = SwarmSettings.MILLI;

  private record Session(Coordination.Member member, Life life, long order) {}

  private final World world;
  private final SwarmSettings.CoordinationFaults faults;
  private final SimRandom random;
  private final Map<String, List<Versioned>> values = new TreeMap<>();
  private final Map<NodeId, Session> sessions = new TreeMap<>();
  private final Map<NodeId, Session> lastSessions = new TreeMap<>();
  private final Map<NodeId, Long> incarnations = new TreeMap<>();
  private final Map<NodeId, Long> cutUntilNanos = new TreeMap<>();
  private final List<Port> ports = new ArrayList<>();
  private Optional<NodeId> leader = Optional.empty();
  private Consumer<NodeId> onChange = author -> {};
  private long joins;
  private long suspicions;

  public LaggingCoordination(World world, SwarmSettings.CoordinationFaults faults) {
    this.world = world;
    this.faults = faults;
    this.random = world.random("coordination");
  }

  @Override
  public void onChange(Consumer<NodeId> listener) {
    onChange = listener;
  }

  @Override
  public Optional<Bytes> value(String key) {
    return latest(key).value();
  }

  @Override
  public Coordination port(Life life) {
    Port port = new Port(life);
    ports.add(port);
    return port;
  }

  @Override
  public void crashed(Life life) {
    ports.removeIf(port -> port.life.equals(life));
    Session session = sessions.get(life.node());
    if (session != null && session.life.equals(life)) {
      long expiry = random.between(faults.sessionNanos() / 2, faults.sessionNanos() * 3 / 2);
      world
          .scheduler()
          .after(
              expiry,
              () -> {
                if (session.equals(sessions.get(life.node()))) {
                  ended("a session ends of a node that is down");
                  expire(life.node());
                }
              });
    }
  }

  /**
   * What a node asks and is told waits. If that takes longer than its session lasts, it is no
   * member any more, until it is back: then it is announced as before.
   */
  @Override
  public void cutOff(NodeId node, long nanos) {
    Session session = sessions.get(node);
    if (session == null) {
      return;
    }
    cutUntilNanos.merge(node, world.nowNanos() + nanos, Math::max);
    if (nanos > faults.sessionNanos()) {
      world
          .scheduler()
          .after(
              faults.sessionNanos(),
              () -> {
                if (session.equals(sessions.get(node)) && isCut(node)) {
                  ended("a session ends of a node that is cut off or paused");
                  expire(node);
                }
              });
    }
    world.scheduler().after(nanos, () -> back(node, session));
  }

  private void ended(String how) {
    if (world.faulty()) {
      world.happened(how);
    }
  }

  private void back(NodeId node, Session session) {
    if (!isCut(node) && session.life().isAlive() && !sessions.containsKey(node)) {
      sessions.put(node, session);
      membershipChanged();
      hintChanged();
    }
  }

  private boolean isCut(NodeId node) {
    return cutUntilNanos.getOrDefault(node, 0L) > world.nowNanos();
  }

  @Override
  public void heal() {
    cutUntilNanos.clear();
    List.copyOf(lastSessions.values()).forEach(session -> back(session.member().node(), session));
  }

  /**
   * A node suspects an incarnation of a node: it is no member until its process, once it is not
   * paused, has noticed and announced it again, behind all others.
   */
  private void suspected(NodeId node, long incarnation) {
    Session session = sessions.get(node);
    if (session == null || session.member().incarnation() != incarnation) {
      return;
    }
    suspicions++;
    expire(node);
    Session again = new Session(session.member(), session.life(), ++joins);
    lastSessions.put(node, again);
    long at = Math.max(world.nowNanos(), session.life().pausedUntilNanos());
    long noticed = at + random.between(MILLI, world.atMost(100 * MILLI));
    world.scheduler().at(noticed, () -> backUnlessPaused(node, again));
  }

  private void backUnlessPaused(NodeId node, Session session) {
    long until = session.life().pausedUntilNanos();
    if (until > world.nowNanos()) {
      world.scheduler().at(until + MILLI, () -> backUnlessPaused(node, session));
    } else if (session.equals(lastSessions.get(node))) {
      back(node, session);
    }
  }

  @Override
  public long suspicions() {
    return suspicions;
  }

  @Override
  public void expire(NodeId node) {
    if (sessions.remove(node) != null) {
      membershipChanged();
    }
  }

  @Override
  public void expireLiving(NodeId node, long nanos) {
    Session session = sessions.get(node);
    if (session != null) {
      expire(node);
      world.scheduler().after(nanos, () -> back(node, session));
    }
  }

  @Override
  public void displace(NodeId node, long nanos) {
    Session before = sessions.get(node);
    if (before == null) {
      return;
    }
    Session other =
        new Session(
            new Coordination.Member(node, nextIncarnation(node), before.member().info()),
            new Stranger(node),
            ++joins);
    tellDisplaced(node, other.life(), other.member().incarnation());
    sessions.put(node, other);
    lastSessions.put(node, other);
    if (leader.equals(Optional.of(node))) {
      leader = Optional.empty();
    }
    membershipChanged();
    world
        .scheduler()
        .after(
            nanos,
            () -> {
              if (other.equals(sessions.get(node))) {
                expire(node);
              }
            });
  }

  /** A process that does nothing. */
  private record Stranger(NodeId node) implements Life {
    @Override
    public String name() {
      return node.value() + "/stranger";
    }

    @Override
    public boolean isAlive() {
      return false;
    }

    @Override
    public long pausedUntilNanos() {
      return 0;
    }

    @Override
    public void post(Event event) {}

    @Override
    public void joined(long incarnation) {}
  }

  private long nextIncarnation(NodeId node) {
    long incarnation = incarnations.getOrDefault(node, 0L) + random.between(1, 3);
    incarnations.put(node, incarnation);
    return incarnation;
  }

  /** Those of other lives that had joined as this node are members no more. */
  private void tellDisplaced(NodeId node, Life by, long incarnation) {
    for (Port port : ports) {
      if (port.joined && port.life.node().equals(node) && !port.life.equals(by)) {
        port.joined = false;
        port.tell(new Event.Displaced(incarnation));
      }
    }
  }

  @Override
  public void splitHint(long nanos) {
    List<NodeId> members = List.copyOf(sessions.keySet());
    if (members.size() < 2) {
      return;
    }
    NodeId one = random.pick(members);
    for (Port port : ports) {
      if (port.joined) {
        // Each of the two believes in itself.
        boolean own = port.life.node().equals(one) || random.chance(0.4);
        NodeId named = own ? one : leader.orElse(port.life.node());
        port.tell(new Event.LeaderHinted(Optional.of(named)));
      }
    }
    world.scheduler().after(nanos, this::hintChanged);
  }

  @Override
  public void flapHint() {
    if (!sessions.isEmpty()) {
      leader = Optional.of(random.pick(List.copyOf(sessions.keySet())));
      hintChanged();
    }
  }

  @Override
  public Optional<NodeId> leader() {
    return leader;
  }

  private Versioned latest(String key) {
    List<Versioned> history = values.get(key);
    return history == null ? new Versioned(0, Optional.empty(), 0) : history.getLast();
  }

  private void membershipChanged() {
    List<Coordination.Member> members = sessions.values().stream().map(Session::member).toList();
    world.trace().mix(members.size());
    tellMembers(new Event.MembersChanged(members, succession()));
    if (leader.isEmpty() || !sessions.containsKey(leader.get())) {
      leader = eldest();
      hintChanged();
    }
  }

  /** The leader first, whom the hint may have named against all order; then the eldest. */
  private List<NodeId> succession() {
    return sessions.values().stream()
        .sorted(
            (a, b) ->
                isLeader(a) == isLeader(b)
                    ? Long.compare(a.order, b.order)
                    : Boolean.compare(isLeader(b), isLeader(a)))
        .map(session -> session.member.node())
        .toList();
  }

  private boolean isLeader(Session session) {
    return leader.equals(Optional.of(session.member.node()));
  }

  private Optional<NodeId> eldest() {
    return sessions.values().stream()
        .min((a, b) -> Long.compare(a.order, b.order))
        .map(s -> s.member.node());
  }

  private void hintChanged() {
    tellMembers(new Event.LeaderHinted(leader));
  }

  private void tellMembers(Event event) {
    for (Port port : ports) {
      if (port.joined) {
        port.tell(event);
      }
    }
  }

  private final class Port implements Coordination {
    private final Life life;
    private final Map<String, Long> seen = new TreeMap<>();
    private final java.util.TreeSet<String> watched = new java.util.TreeSet<>();
    private final ArrayDeque<Event> outbox = new ArrayDeque<>();
    private boolean joined;
    private long lastEventNanos;

    Port(Life life) {
      this.life = life;
    }

    private void answer(long token, CoordinationResult result) {
      afterCall(() -> life.post(new Event.CoordinationDone(token, result)));
    }

    /** Runs something one way of a call later, once the node is not cut off. */
    private void afterCall(Runnable effect) {
      long at = world.nowNanos() + random.between(100_000L, world.atMost(faults.callNanosMax()));
      world.scheduler().at(at, () -> whenReached(effect));
    }

    private void whenReached(Runnable effect) {
      if (isCut(life.node())) {
        world.scheduler().after(20_000_000L, () -> whenReached(effect));
      } else {
        effect.run();
      }
    }

    /** Events keep their order for one node. */
    private void tell(Event event) {
      outbox.add(event);
      lastEventNanos =
          Math.max(
              lastEventNanos,
              world.nowNanos() + random.between(100_000L, world.atMost(faults.eventNanosMax())));
      world.scheduler().at(lastEventNanos, () -> whenReached(() -> life.post(outbox.remove())));
    }

    @Override
    public void suspect(NodeId node, long incarnation) {
      later(() -> suspected(node, incarnation));
    }

    private void later(Runnable effect) {
      afterCall(
          () -> {
            if (life.isAlive()) {
              effect.run();
            }
          });
    }

    @Override
    public void join(long token, NodeId node, MemberInfo info) {
      later(
          () -> {
            long incarnation = nextIncarnation(node);
            life.joined(incarnation);
            tellDisplaced(node, life, incarnation);
            boolean wasLeader = leader.isPresent() && leader.get().equals(node);
            Session session = new Session(new Member(node, incarnation, info), life, ++joins);
            sessions.put(node, session);
            lastSessions.put(node, session);
            joined = true;
            answer(token, new CoordinationResult.Joined(incarnation));
            if (wasLeader && random.chance(0.5)) {
              leader = Optional.empty();
            }
            membershipChanged();
            tell(new Event.LeaderHinted(leader));
          });
    }

    @Override
    public void get(long token, String key) {
      later(
          () -> {
            List<Versioned> history = values.getOrDefault(key, List.of());
            long oldest =
                world.nowNanos() - random.between(0L, world.atMost(faults.staleNanosMax()));
            int shown = history.size() - 1;
            while (shown >= 0
                && history.get(shown).sinceNanos() > oldest
                && history.get(shown).version() > seen.getOrDefault(key, 0L)) {
              shown--;
            }
            Versioned found =
                shown < 0 ? new Versioned(0, Optional.empty(), 0) : history.get(shown);
            seen.merge(key, found.version(), Math::max);
            answer(token, new CoordinationResult.Stored(found.version(), found.value()));
          });
    }

    @Override
    public void leader(long token) {
      later(() -> answer(token, new CoordinationResult.Leader(leader)));
    }

    @Override
    public void standBack(long token) {
      later(
          () -> {
            Session session = sessions.get(life.node());
            if (session == null || !session.life().equals(life)) {
              answer(token, new CoordinationResult.Unknown("no member"));
              return;
            }
            Session last = new Session(session.member(), life, ++joins);
            sessions.put(life.node(), last);
            lastSessions.put(life.node(), last);
            if (leader.equals(Optional.of(life.node()))) {
              leader = eldest();
              hintChanged();
            }
            membershipChanged();
            answer(
                token,
                random.chance(0.1)
                    ? new CoordinationResult.Unknown("the reply got lost")
                    : new CoordinationResult.Leader(leader));
          });
    }

    @Override
    public void compareAndSet(long token, String key, long expectedVersion, Bytes value) {
      afterCall(
          () -> {
            if (life.isAlive() || random.chance(0.5)) {
              swap(token, key, expectedVersion, value);
            }
          });
    }

    private void swap(long token, String key, long expectedVersion, Bytes value) {
      boolean doubtful = world.faulty() && random.chance(faults.casUnknown());
      if (doubtful && random.chance(0.5)) {
        // A read after this answer sees everything up to now, as after a sync.
        seen.put(key, latest(key).version());
        answer(token, new CoordinationResult.Unknown("no reply, not done"));
        return;
      }
      Versioned current = latest(key);
      boolean swapped = current.version() == expectedVersion;
      long next = current.version() + 1;
      if (swapped) {
        values
            .computeIfAbsent(key, absent -> new ArrayList<>())
            .add(new Versioned(next, Optional.of(value), world.nowNanos()));
        world.trace().mix(next);
        world.line("coordination", life.node() + " set " + key + " to version " + next);
        onChange.accept(life.node());
        for (Port port : List.copyOf(ports)) {
          if (port.watched.remove(key)) {
            port.tell(new Event.KeyChanged(key));
          }
        }
      }
      seen.put(key, latest(key).version());
      if (doubtful) {
        answer(token, new CoordinationResult.Unknown("no reply"));
      } else if (swapped) {
        answer(token, new CoordinationResult.Swapped(next));
      } else {
        answer(token, new CoordinationResult.Lost());
      }
    }

    @Override
    public void watch(String key) {
      // A read that follows sees what the watch was set on, or something newer.
      seen.merge(key, latest(key).version(), Math::max);
      watched.add(key);
    }
  }
}
