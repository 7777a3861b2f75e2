package org.ecstore.cluster.zookeeper;

import static org.ecstore.cluster.zookeeper.CoordinationCrowd.MILLI;
import static org.ecstore.cluster.zookeeper.CoordinationCrowd.SECOND;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.NodeTraits;

/** A life of a node: it does what comes to its mind, and checks what it is told. */
final class CrowdNode {
  private static final NodeTraits TRAITS =
      new NodeTraits("large", Optional.of(new BigDecimal("0.25")), "1.2.3", "je");

  private final CoordinationCrowd crowd;
  private final NodeId node;
  private final int number;
  private final FakeClient client;
  private final ProcessCoordination service;
  private final Coordination port;
  private final Map<Long, Consumer<CoordinationResult>> waiting = new HashMap<>();

  /** The least that a read may show. */
  private final Map<String, Long> floors = new HashMap<>();

  /** Watches that have not fired, with what was read after they were set. */
  private final Map<String, Long> watched = new HashMap<>();

  private final Set<String> watching = new HashSet<>();
  private List<Member> members = List.of();
  private List<NodeId> succession = List.of();
  private Optional<NodeId> leader = Optional.empty();
  private boolean alive = true;
  private long pausedUntilNanos;
  private long incarnation;
  private long tokens;
  private int values;

  CrowdNode(CoordinationCrowd crowd, NodeId node, int number) {
    this.crowd = crowd;
    this.node = node;
    this.number = number;
    this.client = new FakeClient(crowd.ensemble, crowd.settings.session().toNanos(), 0);
    FakeWorker worker =
        new FakeWorker(
            crowd.world.scheduler(),
            () -> alive,
            () -> pausedUntilNanos,
            bug -> crowd.check(false, "the adapter throws nothing", this + ": " + bug));
    this.service =
        new ProcessCoordination(
            "servers",
            crowd.layout,
            worker,
            client::current,
            crowd.settingsOf(node),
            silent(),
            crowd.parts);
    client.onChange(service::connectionChanged);
    this.port = service.handle(node, this::on);
  }

  private static OperatorLog silent() {
    return new OperatorLog() {
      @Override
      public void info(String text) {}

      @Override
      public void warn(String text) {}
    };
  }

  NodeId node() {
    return node;
  }

  boolean isAlive() {
    return alive;
  }

  long incarnation() {
    return incarnation;
  }

  List<Member> members() {
    return members;
  }

  Optional<NodeId> leader() {
    return leader;
  }

  List<NodeId> succession() {
    return succession;
  }

  @Override
  public String toString() {
    return node + " life " + number;
  }

  void begin() {
    service.start();
    join();
    later(crowd.random.skewed(MILLI, SECOND), this::act);
  }

  void heal() {
    client.heal();
  }

  /** Later, if it lives then, and once it is not paused. */
  private void later(long nanos, Runnable then) {
    crowd.world.scheduler().after(nanos, () -> unpaused(then));
  }

  private void unpaused(Runnable then) {
    if (alive && pausedUntilNanos > crowd.world.nowNanos()) {
      crowd.world.scheduler().at(pausedUntilNanos, () -> unpaused(then));
    } else if (alive) {
      then.run();
    }
  }

  private long call(Consumer<CoordinationResult> then) {
    long token = ++tokens;
    waiting.put(token, then);
    return token;
  }

  private void join() {
    long token =
        call(
            result -> {
              if (result instanceof CoordinationResult.Joined joined) {
                incarnation = joined.incarnation();
                crowd.joined(node, incarnation);
              } else {
                later(crowd.random.between(MILLI, 300 * MILLI), this::join);
              }
            });
    port.join(token, node, new MemberInfo("127.0.0.1:" + number, "a host", TRAITS));
  }

  private void act() {
    if (crowd.rests()) {
      return;
    }
    String key = crowd.random.pick(CoordinationCrowd.KEYS);
    switch (crowd.random.between(0, crowd.world.faulty() ? 17 : 9)) {
      case 0, 1, 2 -> replace(key);
      case 3, 4 -> watch(key);
      case 5 -> port.leader(call(_ -> {}));
      case 10 -> port.standBack(call(_ -> {}));
      case 11 -> members.forEach(other -> suspect(other));
      case 12 -> pause();
      case 13, 14 -> client.cutOff(crowd.random.skewed(MILLI, 4 * SECOND));
      case 15 -> client.expire(crowd.random.skewed(MILLI, SECOND));
      case 16 -> crash();
      case 17 -> another();
      default -> get(key, _ -> {});
    }
    later(crowd.random.between(MILLI, 300 * MILLI), this::act);
  }

  private void suspect(Member other) {
    if (!other.node().equals(node) && crowd.random.chance(0.2)) {
      port.suspect(other.node(), other.incarnation());
    }
  }

  private void pause() {
    long nanos = crowd.random.skewed(MILLI, 4 * SECOND);
    pausedUntilNanos = Math.max(pausedUntilNanos, crowd.world.nowNanos() + nanos);
    client.pause(nanos);
  }

  /** The process dies, and no other comes. */
  void end() {
    alive = false;
    client.die();
  }

  private void crash() {
    end();
    if (crowd.isAlone(this)) {
      crowd.begin(node);
    }
  }

  /** Another process under the same id: this one must give way. */
  private void another() {
    if (incarnation > 0 && crowd.isAlone(this) && crowd.random.chance(0.5)) {
      if (crowd.random.chance(0.5)) {
        client.cutOff(crowd.random.skewed(SECOND, 6 * SECOND));
      }
      crowd.begin(node);
    }
  }

  private void saw(String key, long version) {
    floors.merge(key, version, Math::max);
  }

  private void get(String key, Consumer<Long> then) {
    long floor = crowd.syncsAreHonest ? crowd.version(key) : floors.getOrDefault(key, 0L);
    long token =
        call(
            result -> {
              if (result instanceof CoordinationResult.Stored(long version, var value)) {
                crowd.check(
                    version >= floor, "no read is older", this + " " + version + " < " + floor);
                crowd.check(
                    value
                        .map(found -> new String(found.array(), StandardCharsets.UTF_8))
                        .equals(
                            version == 0
                                ? Optional.empty()
                                : Optional.of(crowd.value(key, version))),
                    "a read has the value of its version",
                    key + " " + version);
                saw(key, version);
                then.accept(version);
              } else {
                then.accept(-1L);
              }
            });
    port.get(token, key);
  }

  private void getUntilAnswered(String key) {
    get(
        key,
        version -> {
          if (version < 0) {
            later(crowd.random.between(MILLI, 20 * MILLI), () -> getUntilAnswered(key));
          }
        });
  }

  private void replace(String key) {
    long expected = floors.getOrDefault(key, 0L);
    String value = this + " value " + ++values;
    long token =
        call(
            result -> {
              switch (result) {
                case CoordinationResult.Swapped(long version) -> {
                  crowd.check(
                      version == expected + 1 && crowd.value(key, version).equals(value),
                      "what was replaced is there",
                      value);
                  saw(key, version);
                }
                case CoordinationResult.Lost _ -> {
                  crowd.isLost(key, value);
                  get(key, _ -> {});
                }
                // A read that begins now sees all there is, of every node.
                case CoordinationResult.Unknown _ -> {
                  saw(key, crowd.version(key));
                  getUntilAnswered(key);
                }
                default -> crowd.check(false, "answers fit their calls", result.toString());
              }
            });
    port.compareAndSet(token, key, expected, Bytes.utf8(value));
  }

  private void watch(String key) {
    if (!watching.add(key)) {
      return;
    }
    port.watch(key);
    get(
        key,
        version -> {
          if (version >= 0 && watching.contains(key)) {
            watched.put(key, version);
          }
        });
  }

  private void on(Event event) {
    if (!alive) {
      return;
    }
    switch (event) {
      case Event.CoordinationDone(long token, CoordinationResult result) -> {
        Consumer<CoordinationResult> then = waiting.remove(token);
        crowd.check(then != null, "a call is answered once", this + " " + result);
        if (then != null) {
          then.accept(result);
        }
      }
      case Event.KeyChanged(String key) -> {
        watching.remove(key);
        watched.remove(key);
      }
      case Event.MembersChanged(List<Member> now, List<NodeId> order) -> {
        succession = order;
        members = now;
        crowd.check(
            now.stream().map(Member::node).distinct().count() == now.size(),
            "a node is a member once",
            now.toString());
      }
      case Event.LeaderHinted(Optional<NodeId> now) -> leader = now;
      case Event.Displaced _ -> {
        alive = false;
        client.die();
      }
      default -> crowd.check(false, "no other events come", event.toString());
    }
  }

  void checkEnd() {
    crowd.check(incarnation > 0, "each has joined in the end", toString());
    crowd.check(waiting.isEmpty(), "each call is answered", this + " " + waiting.size());
    watched.forEach(
        (key, version) ->
            crowd.check(
                crowd.version(key) <= version,
                "a watch fires",
                this + " " + key + " " + version + " of " + crowd.version(key)));
  }
}
